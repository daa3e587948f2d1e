import { notParsed, parsed } from '@dep-ctrl/kcp-names';
import { optional, parseResourceName, parseText, toggle } from '@dep-ctrl/command-settings';
import { runExplain } from '../explain/run-explain.js';
import { defineCommand } from '../command-line/define-command.js';
import { connectionSettings, logSettings, otherHomeSettings, outputSettings } from '../command-line/common-settings.js';
import { parsePath } from '../command-line/parse-own-values.js';

/** `dep-ctrl explain`. */
export const explainCommand = defineCommand({
  name: 'explain',
  about:
    'Say whether a delete would be refused, by which rule and because of which objects. Without an object: what the teardown of a workspace waits for. Deletes nothing.',
  operands: 'RESOURCE/NAME',
  exits:
    '0 explained, whether the delete would go through or not (-o json says which); 1 no answer: no such type or object, or kcp did not answer; 2 wrong usage',
  settings: {
    ...connectionSettings,
    namespace: optional({
      flag: '--namespace',
      short: '-n',
      value: 'NAME',
      about: 'namespace of the object; without it "default"',
      parse: parseText,
    }),
    workspace: optional({
      flag: '--workspace',
      // DEP_CTRL_WORKSPACE is the workspace of dep-ctrl, here too.
      variable: 'none',
      value: 'PATH',
      about: 'workspace of the object, or to be torn down; without it that of the kubeconfig',
      parse: parsePath,
    }),
    ...otherHomeSettings,
    all: toggle('--all', 'name every object that refers to NAME; without it about ten for each rule, as in a refusal'),
    ...outputSettings,
    ...logSettings,
  },
  examples: [
    'dep-ctrl explain vpcs/my-vpc --workspace root:teams:team-b',
    'dep-ctrl explain vpc.network.example.com/my-vpc -n prod -o json',
    'dep-ctrl explain vpcs/my-vpc --all',
    'dep-ctrl explain --workspace root:teams:team-b',
  ],
  check: ({ namespace, ...values }, [operand, ...more]) => {
    if (operand === undefined) {
      if (namespace !== undefined) return notParsed('--namespace needs RESOURCE/NAME: a teardown is of a whole workspace');
      return parsed({ ...values, subject: undefined });
    }
    const [name, ...others] = more;
    // As kubectl has it.
    if (name !== undefined && others.length === 0 && !`${operand}${name}`.includes('/')) {
      return notParsed(`RESOURCE/NAME must be one word with a slash: ${operand}/${name}`);
    }
    if (more.length > 0) return notParsed(`RESOURCE/NAME must be one object, not ${String(more.length + 1)}`);
    const subject = parseResourceName(operand);
    if (!subject.ok) return notParsed(`RESOURCE/NAME must be ${subject.problem}, not ${JSON.stringify(operand)}`);
    return parsed({ ...values, subject: { ...subject.value, namespace: namespace ?? 'default' } });
  },
  run: runExplain,
});
