import { notParsed, parsed, type GroupResource, type Parsed } from '@dep-ctrl/kcp-names';
import type { ReadAccess } from '../bootstrap/manifests.js';
import { runBootstrap, type BootstrapSettings } from '../bootstrap/run-bootstrap.js';
import { defineCommand } from '../command-line/command.js';
import { connectionSettings, logSettings, outputSettings } from '../command-line/common-settings.js';
import { parseChoice, parsePath, parseText } from '../command-line/parse-values.js';
import { optional, repeated, toggle, withDefault, type ValuesOf } from '../command-line/setting.js';

const bootstrapSettings = {
  ...connectionSettings,
  workspace: withDefault({ flag: '--workspace', value: 'PATH', about: 'workspace of dep-ctrl', parse: parsePath }, 'root:dep-ctrl'),
  shardKubeconfigs: repeated({
    flag: '--shard-kubeconfig',
    value: 'FILE',
    about: "admin kubeconfig of a shard, once per shard: rights in consumers' workspaces are written to its system:admin",
    parse: parseText,
  }),
  kubeconfigDir: optional({
    flag: '--kubeconfig-dir',
    value: 'DIR',
    about: 'write controller.kubeconfig, webhook.kubeconfig and all.kubeconfig here, and url-token, which stays once it is there',
    parse: parseText,
  }),
  controllerUser: optional({
    flag: '--controller-user',
    value: 'NAME',
    about: 'user that runs the controller; without it a ServiceAccount is made',
    parse: parseText,
  }),
  webhookUser: optional({
    flag: '--webhook-user',
    value: 'NAME',
    about: 'user that runs the webhook; without it a ServiceAccount is made',
    parse: parseText,
  }),
  readAccess: withDefault(
    {
      flag: '--read-access',
      value: 'HOW',
      about: "what the webhook may read in consumers' workspaces: everything, or the types given with --read-type",
      parse: parseChoice('wildcard', 'listed'),
    },
    'wildcard',
  ),
  readTypes: repeated({
    flag: '--read-type',
    value: 'TYPE',
    about: 'with --read-access listed: a dependent type such as virtualmachines.compute.example.com',
    parse: parseType,
  }),
  adopt: toggle('--adopt', 'take over objects of the same names that dep-ctrl did not make'),
  dryRun: toggle('--dry-run', 'write nothing, print the manifests'),
  ...outputSettings,
  ...logSettings,
};

/** `dep-ctrl bootstrap`. */
export const bootstrapCommand = defineCommand({
  name: 'bootstrap',
  about: 'Create or upgrade the workspace of dep-ctrl: its API, the identities of both roles and their rights. Safe to repeat.',
  settings: bootstrapSettings,
  examples: [
    'dep-ctrl bootstrap --kubeconfig admin.kubeconfig --shard-kubeconfig admin.kubeconfig --kubeconfig-dir identities',
    'dep-ctrl bootstrap --controller-user dep-ctrl-controller --webhook-user dep-ctrl-webhook --shard-kubeconfig shard-1.kubeconfig',
    'dep-ctrl bootstrap --dry-run -o yaml',
  ],
  check: checkBootstrap,
  run: runBootstrap,
});

/** The settings of `bootstrap`, or which flags do not go together. */
export function checkBootstrap({ readAccess, readTypes, ...rest }: ValuesOf<typeof bootstrapSettings>): Parsed<BootstrapSettings> {
  if (rest.workspace === 'root') return notParsed('--workspace must be a workspace below root, such as "root:dep-ctrl"');
  if (readAccess === 'wildcard' && readTypes.length > 0)
    return notParsed('--read-type needs --read-access listed: the wildcard includes every type');
  if (readAccess === 'listed' && readTypes.length === 0) {
    return notParsed(
      '--read-type is missing: with --read-access listed give every dependent type, such as virtualmachines.compute.example.com',
    );
  }
  const access: ReadAccess = readAccess === 'wildcard' ? { kind: 'wildcard' } : { kind: 'listed', types: readTypes };
  return parsed({ ...rest, readAccess: access });
}

function parseType(text: string): Parsed<GroupResource> {
  const match = /^([a-z][a-z0-9-]*)\.([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)$/.exec(text);
  if (match?.[1] === undefined || match[2] === undefined) return notParsed('a type such as "virtualmachines.compute.example.com"');
  return parsed({ resource: match[1], group: match[2] });
}
