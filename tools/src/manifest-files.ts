import type { KubeObject } from '@dep-ctrl/kcp-names';
import { apiExport, apiResourceSchemas } from '@dep-ctrl/rule-registry';
// eslint-disable-next-line @nx/enforce-module-boundaries -- the app exports nothing, and its bootstrap is the one source of these objects
import { homeManifests, readerManifests, resolverManifests, type RoleSubjects } from '../../apps/dep-ctrl/src/bootstrap/manifests.js';
import { BINDING, FULL_RULE, GUARD, VM_RULE } from './example-objects.js';

/** One file below deploy/kcp: what it is for, and its objects. */
export interface ManifestFile {
  readonly name: string;
  /** Comment lines at its top. */
  readonly about: readonly string[];
  readonly objects: readonly KubeObject[];
}

const controller = { kind: 'User', name: 'dep-ctrl-controller' } as const;
const webhook = { kind: 'User', name: 'dep-ctrl-webhook' } as const;
const all = { kind: 'User', name: 'dep-ctrl-all' } as const;
const SUBJECTS: RoleSubjects = { controller: [controller, all], webhook: [webhook, all], ownSecrets: [all] };
const USERS = 'The users are those of client certificates; write your own names.';

/** Every file below deploy/kcp that is generated, in the order in which people apply them. */
export function manifestFiles(): readonly ManifestFile[] {
  return [
    {
      name: 'api.yaml',
      about: [
        'The kinds and the export that serves them. Apply in the dep-ctrl workspace.',
        'Schemas are immutable: a new version has a new name.',
      ],
      objects: [...apiResourceSchemas(), apiExport()],
    },
    {
      name: 'rbac-home.yaml',
      about: ['Rights of both roles in the dep-ctrl workspace, and the role that lets a provider bind the export. Apply there.', USERS],
      objects: homeManifests(SUBJECTS),
    },
    {
      name: 'rbac-resolver.yaml',
      about: [
        'Lets the controller resolve workspace paths, check what rules say, and ask whether the webhook may read dependents.',
        'Apply in system:admin of each shard.',
        USERS,
      ],
      objects: resolverManifests(SUBJECTS),
    },
    {
      name: 'rbac-reader-listed.yaml',
      about: [
        'Lets the webhook read the dependents of the listed types: write what your providers export, and extend the list when they',
        'export more (dep-ctrl bind does both). Apply in system:admin of each shard.',
        USERS,
      ],
      objects: readerManifests(SUBJECTS, { kind: 'listed', types: [VM_RULE, FULL_RULE].map((rule) => rule.spec.dependent) }),
    },
    {
      name: 'rbac-reader-wildcard.yaml',
      about: [
        'Lets the webhook read everything in every workspace, Secrets included: instead of rbac-reader-listed.yaml, for those who',
        'do not want to keep a list. Apply in system:admin of each shard.',
        USERS,
      ],
      objects: readerManifests(SUBJECTS, { kind: 'wildcard' }),
    },
    {
      name: 'examples/binding.yaml',
      about: ['Binds a provider workspace to dep-ctrl. Apply in each provider workspace.'],
      objects: [BINDING],
    },
    {
      name: 'examples/rule.yaml',
      about: ['Virtual machines refer to VPCs. Apply in the workspace that exports the virtual machines.'],
      objects: [VM_RULE],
    },
    { name: 'examples/rule-full.yaml', about: ['Everything that a rule can say.'], objects: [FULL_RULE] },
    {
      name: 'examples/guard.yaml',
      about: ['Who may guard the resources of a workspace. Apply in that workspace; without it, everyone may.'],
      objects: [GUARD],
    },
  ];
}
