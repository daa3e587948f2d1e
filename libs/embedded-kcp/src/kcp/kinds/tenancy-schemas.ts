// Schemas of tenancy.kcp.io, core.kcp.io and topology.kcp.io: the fields, defaults and rules that clients can notice.
import type { JsonRecord } from '../../json/json.js';
import {
  also,
  anyObject,
  conditions,
  flag,
  labelSelector,
  list,
  mapOf,
  object,
  oneOf,
  resource,
  rule,
  text,
} from '../../machinery/schema/schema-builder.js';

const typeReference = object({ 'name!': text, path: text });
const typeReferences = list(typeReference);
const typeSelector = object({ none: flag, types: typeReferences });
const policyRules = list(
  object({ 'verbs!': list(text), apiGroups: list(text), resources: list(text), resourceNames: list(text), nonResourceURLs: list(text) }),
);

const WORKSPACE_PHASES = ['Scheduling', 'Initializing', 'Ready', 'Unavailable', 'Inactive', 'Terminating', 'Deleting'] as const;

/** Workspace. */
export const workspaceSchema: JsonRecord = resource({
  spec: also(
    object({
      type: also(object({ 'name!': text, path: text }), {
        'x-kubernetes-validations': [
          { rule: 'self.name == oldSelf.name', message: 'name is immutable' },
          { rule: 'has(self.path) == has(oldSelf.path) && (!has(self.path) || self.path == oldSelf.path)', message: 'path is immutable' },
        ],
      }),
      location: object({ selector: labelSelector }),
      cluster: also(text, rule('self == oldSelf', 'cluster is immutable')),
      URL: text,
      mount: object({ 'ref!': object({ apiVersion: text, kind: text, name: text, namespace: text }) }),
    }),
    {
      default: {},
      ...rule('!has(oldSelf.cluster) || has(self.cluster)', 'cluster cannot be unset'),
    },
  ),
  status: also(
    object({
      phase: also(oneOf(...WORKSPACE_PHASES), { default: 'Scheduling' }),
      conditions,
      initializers: list(text),
      terminators: list(text),
    }),
    { default: {} },
  ),
});

/** WorkspaceType. */
export const workspaceTypeSchema: JsonRecord = resource({
  spec: object({
    initializer: flag,
    terminator: flag,
    extend: object({ with: typeReferences }),
    additionalWorkspaceLabels: mapOf(text),
    defaultChildWorkspaceType: typeReference,
    limitAllowedChildren: typeSelector,
    limitAllowedParents: typeSelector,
    defaultAPIBindings: list(object({ path: text, 'export!': text })),
    defaultAPIBindingLifecycle: oneOf('InitializeOnly', 'Maintain'),
    authenticationConfigurations: list(object({ name: text })),
    initializerPermissions: policyRules,
    terminatorPermissions: policyRules,
  }),
  status: object({ conditions, virtualWorkspaces: list(object({ 'url!': text, type: text })) }),
});

/** WorkspaceAuthenticationConfiguration. Its content is kept, not acted on. */
export const workspaceAuthenticationConfigurationSchema: JsonRecord = resource({ spec: anyObject });

/** LogicalCluster. */
export const logicalClusterSchema: JsonRecord = resource({
  spec: object({
    directlyDeletable: also(flag, { default: false }),
    owner: object({ 'apiVersion!': text, 'resource!': text, 'name!': text, namespace: text, 'cluster!': text, 'uid!': text }),
    createdBy: object({ username: text, groups: list(text), uid: text, extra: mapOf(list(text)) }),
    initializers: list(text),
    terminators: list(text),
  }),
  status: also(
    object({
      URL: text,
      phase: also(oneOf(...WORKSPACE_PHASES), { default: 'Scheduling' }),
      conditions,
      initializers: list(text),
      terminators: list(text),
    }),
    { default: {} },
  ),
});

/** Shard. */
export const shardSchema: JsonRecord = resource({
  spec: object({ 'baseURL!': text, externalURL: text, virtualWorkspaceURL: text }),
  status: object({ conditions }),
});

/** Partition. */
export const partitionSchema: JsonRecord = resource({ spec: object({ selector: labelSelector }) });

/** PartitionSet. */
export const partitionSetSchema: JsonRecord = resource({ spec: anyObject, status: anyObject });
