import { notParsed, parsed } from '@dep-ctrl/kcp-names';
import { optional, parseDuration, toggle, withDefault } from '@dep-ctrl/command-settings';
import { connectionSettings } from '../command-line/common-settings.js';
import { defineCommand } from '../command-line/define-command.js';
import { parsePath } from '../command-line/parse-own-values.js';
import { runDeleteNamespace } from '../namespace-deletion/run-delete-namespace.js';

/** `dep-ctrl delete-namespace`. */
export const deleteNamespaceCommand = defineCommand({
  name: 'delete-namespace',
  about:
    'Delete a namespace in order: first the objects of bound types, dependents before what they refer to, then the namespace itself. Nothing is deleted where kcp would not let the namespace go. It uses your own rights. kubectl deletes in no order, and kcp then waits longer after each refusal.',
  operands: 'NAME',
  exits: '0 the namespace is gone; 1 something keeps it, which is named; 2 wrong usage',
  isSafeToRepeat: true,
  settings: {
    ...connectionSettings,
    workspace: optional({
      flag: '--workspace',
      // DEP_CTRL_WORKSPACE is the workspace of dep-ctrl, here too.
      variable: 'none',
      value: 'PATH',
      about: 'workspace of the namespace; without it that of the kubeconfig',
      parse: parsePath,
    }),
    ordered: toggle('--ordered', 'delete it; required, because the command asks nothing first'),
    timeoutMs: withDefault(
      { flag: '--timeout', value: 'DURATION', about: 'how long to wait, for finalizers of others too', parse: parseDuration },
      '10m',
    ),
  },
  examples: ['dep-ctrl delete-namespace prod --ordered --workspace root:teams:team-a'],
  check: ({ ordered, ...values }, [namespace, ...more]) => {
    if (namespace === undefined || more.length > 0) return notParsed('delete-namespace needs the NAME of one namespace');
    if (!ordered) return notParsed(`--ordered is missing: with it ${namespace} and everything in it is deleted`);
    return parsed({ ...values, namespace });
  },
  run: runDeleteNamespace,
});
