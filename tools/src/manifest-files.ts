import type { KubeObject } from '@dep-ctrl/kcp-names';
import { apiExport, apiResourceSchemas } from '@dep-ctrl/rule-registry';
// eslint-disable-next-line @nx/enforce-module-boundaries -- the app exports nothing, and its bootstrap is the one source of these objects
import {
  homeManifests,
  readerManifests,
  resolverManifests,
  teardownManifests,
  type RoleSubjects,
} from '../../apps/dep-ctrl/src/bootstrap/manifests.js';
// eslint-disable-next-line @nx/enforce-module-boundaries -- the same
import { teardownType } from '../../apps/dep-ctrl/src/teardown-type/teardown-type.js';
// eslint-disable-next-line @nx/enforce-module-boundaries -- the same: the story of the app is told with these providers
import {
  computeProvider,
  networkProvider,
  virtualMachine,
  vpc,
  type ProviderManifests,
} from '../../apps/dep-ctrl/src/dev/provider-manifests.js';
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
const TYPES_OF_EXAMPLES = [VM_RULE, FULL_RULE].map((rule) => rule.spec.dependent);
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
      objects: readerManifests(SUBJECTS, { kind: 'listed', types: TYPES_OF_EXAMPLES }),
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
      name: 'ordered-teardown.yaml',
      about: [
        'The WorkspaceType whose workspaces end with dependents before what they refer to, and the rights about it. Needs kcp 0.32.',
        'Write the types that your providers export, and extend the list when they export more (dep-ctrl bind and bootstrap do both).',
        'Apply in the dep-ctrl workspace. The users are those of client certificates; a ServiceAccount of this workspace may follow the type, too.',
      ],
      objects: [teardownType({ kind: 'listed', types: TYPES_OF_EXAMPLES }), ...teardownManifests(SUBJECTS)],
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
    {
      name: 'examples/network-provider.yaml',
      about: ['A provider to try dep-ctrl with: VPCs. Apply in root:providers:network.'],
      objects: exportedBy(networkProvider()),
    },
    {
      name: 'examples/compute-provider.yaml',
      about: ['Another provider: virtual machines, each of which refers to a VPC. Apply in root:providers:compute.'],
      objects: exportedBy(computeProvider()),
    },
    {
      name: 'examples/consumer.yaml',
      about: ['Binds both providers. Apply in a workspace that uses them, such as root:teams:team-a.'],
      objects: [boundBy('root:providers:network', networkProvider()), boundBy('root:providers:compute', computeProvider())],
    },
    {
      name: 'examples/vpc-and-vm.yaml',
      about: ['A VPC and a virtual machine that refers to it. Apply in the workspace of the consumer.'],
      objects: [vpc('my-vpc'), virtualMachine('my-vm', 'my-vpc')],
    },
    { name: 'examples/rule-full.yaml', about: ['Everything that a rule can say.'], objects: [FULL_RULE] },
    {
      name: 'examples/guard.yaml',
      about: ['Who may guard the resources of a workspace. Apply in that workspace; without it, everyone may.'],
      objects: [GUARD],
    },
  ];
}

function exportedBy({ schema, apiExport }: ProviderManifests): readonly KubeObject[] {
  return [schema, apiExport];
}

function boundBy(path: string, { exportName: name }: ProviderManifests): KubeObject {
  return { apiVersion: 'apis.kcp.io/v1alpha2', kind: 'APIBinding', metadata: { name }, spec: { reference: { export: { path, name } } } };
}
