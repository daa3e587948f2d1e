import type { KubeObject } from '@dep-ctrl/kcp-names';
import { arrayAt, recordAt, stringAt, stringMapAt, withLabels } from '../../json/json.js';
import type { ResourceColumn, ResourceDefinition } from '../resources/resource-definition.js';
import { AGE, printAge } from '../resources/table.js';
import { checkConfigMap, checkSecret } from './data-rules.js';
import { defineBuiltin } from './define-builtin.js';

const loose = { allowsUnconditionalUpdate: true } as const;

const namespaces = defineBuiltin({
  group: '',
  resource: 'namespaces',
  kind: 'Namespace',
  namespaced: false,
  shortNames: ['ns'],
  hasStatus: true,
  verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
  subresources: [{ name: 'finalize', kind: 'Namespace', verbs: ['update'] }],
  columns: [{ name: 'Status', type: 'string', description: 'The status of the namespace', value: '.status.phase' }, AGE],
  rules: {
    ...loose,
    names: 'label',
    onCreate: (namespace) => ({ ...named(namespace), spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } }),
    onUpdate: (namespace, previous) => ({ ...named(namespace), spec: previous['spec'] ?? {} }),
    onDelete: (namespace) => ({ ...namespace, status: { ...recordAt(namespace, 'status'), phase: 'Terminating' } }),
    isHeld: (namespace) => arrayAt(namespace, 'spec', 'finalizers').length > 0,
    checksPreconditions: true,
  },
});

function named(namespace: KubeObject): KubeObject {
  return withLabels(namespace, { 'kubernetes.io/metadata.name': namespace.metadata.name });
}

const configmaps = defineBuiltin({
  group: '',
  resource: 'configmaps',
  kind: 'ConfigMap',
  namespaced: true,
  shortNames: ['cm'],
  columns: [
    {
      name: 'Data',
      type: 'string',
      description: 'Data contains the configuration data.',
      value: (map) => Object.keys(recordAt(map, 'data')).length + Object.keys(recordAt(map, 'binaryData')).length,
    },
    AGE,
  ],
  rules: { ...loose, check: checkConfigMap },
});

const secrets = defineBuiltin({
  group: '',
  resource: 'secrets',
  kind: 'Secret',
  namespaced: true,
  columns: [
    { name: 'Type', type: 'string', description: 'Used to facilitate programmatic handling of secret data.', value: '.type' },
    {
      name: 'Data',
      type: 'string',
      description: 'Data contains the secret data.',
      value: (secret) => Object.keys(recordAt(secret, 'data')).length,
    },
    AGE,
  ],
  rules: { ...loose, onCreate: encoded, onUpdate: encoded, check: checkSecret },
});

// stringData is write-only: what it says is stored in data.
function encoded(secret: KubeObject): KubeObject {
  const { stringData: _stringData, ...rest } = secret;
  const added = Object.entries(stringMapAt(secret, 'stringData')).map(([key, value]) => [key, Buffer.from(value).toString('base64')]);
  const data = { ...recordAt(secret, 'data'), ...(Object.fromEntries(added) as Record<string, string>) };
  return { ...rest, ...(Object.keys(data).length === 0 ? {} : { data }), type: stringAt(secret, 'type') ?? 'Opaque' };
}

const serviceaccounts = defineBuiltin({
  group: '',
  resource: 'serviceaccounts',
  kind: 'ServiceAccount',
  namespaced: true,
  shortNames: ['sa'],
  subresources: [{ name: 'token', kind: 'TokenRequest', group: 'authentication.k8s.io', version: 'v1', verbs: ['create'] }],
  columns: [AGE],
  rules: loose,
});

const eventColumns: readonly ResourceColumn[] = [
  {
    name: 'Last Seen',
    type: 'string',
    description: 'The time at which the most recent occurrence was recorded.',
    value: (e, now) => printAge(lastSeen(e), now),
  },
  {
    name: 'Type',
    type: 'string',
    description: 'Type of this event (Normal, Warning), new types could be added in the future',
    value: '.type',
  },
  { name: 'Reason', type: 'string', description: 'The reason for the transition.', value: '.reason' },
  { name: 'Object', type: 'string', description: 'The object that this event is about.', value: aboutWhat },
  {
    name: 'Message',
    type: 'string',
    description: 'A human-readable description of the status of this operation.',
    value: (e) => stringAt(e, 'message') ?? stringAt(e, 'note') ?? '',
  },
  {
    name: 'Count',
    type: 'string',
    priority: 1,
    description: 'The number of times this event has occurred.',
    value: (e) => recordAt(e)['count'] ?? 1,
  },
  { name: 'Name', type: 'string', format: 'name', priority: 1, value: '.metadata.name' },
];

function lastSeen(event: KubeObject): string | undefined {
  return stringAt(event, 'lastTimestamp') ?? stringAt(event, 'eventTime') ?? event.metadata.creationTimestamp;
}

function aboutWhat(event: KubeObject): string {
  const about = { ...recordAt(event, 'involvedObject'), ...recordAt(event, 'regarding') };
  return `${stringAt(about, 'kind')?.toLowerCase() ?? ''}/${stringAt(about, 'name') ?? ''}`;
}

const events = defineBuiltin({
  group: '',
  resource: 'events',
  kind: 'Event',
  namespaced: true,
  shortNames: ['ev'],
  columns: eventColumns,
  rules: { ...loose, allowsCreateOnUpdate: true },
});

const resourcequotas = defineBuiltin({
  group: '',
  resource: 'resourcequotas',
  kind: 'ResourceQuota',
  namespaced: true,
  shortNames: ['quota'],
  hasStatus: true,
  columns: [AGE],
  rules: loose,
});

/** The core group. */
export const CORE_RESOURCES: readonly ResourceDefinition[] = [configmaps, events, namespaces, resourcequotas, secrets, serviceaccounts];

/** The row of a core resource that the server itself works with. */
export function coreResource(resource: string): ResourceDefinition {
  const found = CORE_RESOURCES.find((one) => one.resource === resource);
  if (found === undefined) throw new Error(`no core resource is called ${resource}`);
  return found;
}
