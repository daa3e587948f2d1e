// Every right that bootstrap grants is there for a request that a role makes. Each is taken away here, and just that request is refused then.
import { describe, expect, it } from '@jest/globals';
import { isKcpError, listAll, parseVirtualWorkspaceUrl, systemClock, type ClusterClient, type Connection } from '@dep-ctrl/kcp-client';
import { logicalCluster, type GroupVersionResource, type KubeObject } from '@dep-ctrl/kcp-names';
import { EXPORT_NAME, RULES } from '@dep-ctrl/rule-registry';
import { WEBHOOK_CONFIGURATIONS } from '@dep-ctrl/webhook-installer';
import {
  API_BINDINGS,
  API_EXPORT_ENDPOINT_SLICES,
  API_EXPORTS,
  API_RESOURCE_SCHEMAS,
  ensureWorkspace,
  LOGICAL_CLUSTERS,
  WORKSPACES,
} from '@dep-ctrl/kcp-objects';
import { bindDepCtrl } from '../bind/bind-dep-ctrl.js';
import { bootstrapCommand } from '../commands/bootstrap-command.js';
import { DEV_PARENTS, DEV_PATHS } from '../dev/dev-paths.js';
import { computeProvider, VIRTUAL_MACHINES, vmDependencies } from '../dev/provider-manifests.js';
import { SECRETS, URL_TOKEN_SECRET } from '../certificate/shared-secrets.js';
import { connectTo, onEmbeddedKcp, type EmbeddedWorld } from '../testing/embedded-world.js';
import { exportType } from '../testing/export-type.js';
import { runCli } from '../testing/run-cli.js';
import { readInstallation } from '../uninstall/find-removals.js';
import { ADMISSION_CONFIGURATION } from '../own-objects/admission-configuration.js';
import { HOME_NAMESPACE, LEASE_NAME, WEBHOOK_ROLE } from './manifests.js';

const LEASES: GroupVersionResource = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' };
const CONFIG_MAPS: GroupVersionResource = { group: '', version: 'v1', resource: 'configmaps' };
const RBAC = { group: 'rbac.authorization.k8s.io', version: 'v1' };
const REVIEWS: GroupVersionResource = { group: 'authorization.k8s.io', version: 'v1', resource: 'subjectaccessreviews' };
const options = () => ({ signal: AbortSignal.timeout(20_000), clock: systemClock });

/** What an identity can reach: the dep-ctrl workspace, a guarded one through the export and straight, and all through the export. */
interface Actor {
  readonly home: ClusterClient;
  readonly everywhere: Parameters<typeof listAll>[0];
  readonly guarded: ClusterClient;
  readonly provider: ClusterClient;
}

interface PolicyRule {
  readonly resources?: readonly string[];
  readonly verbs: readonly string[];
}

/** A right, where it is written, and a request that needs it. `name` is of the resource (`*` and `/` included), `verb` of the verb. */
interface Right {
  readonly role: string;
  readonly name: string;
  readonly verb: string;
  readonly request: (actor: Actor) => Promise<unknown>;
}

const named = (name: string, more: object = {}): KubeObject => ({ metadata: { name }, ...more });
const configuration = (name: string) =>
  named(name, { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration', webhooks: [] });
const lease = (name: string) =>
  named(name, { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name, namespace: 'default' }, spec: {} });
const unlessThere = (error: unknown) => {
  if (!isKcpError(error, 'already-exists', 'not-found', 'not-served', 'conflict')) throw error;
};
const review = (user: string): KubeObject =>
  ({
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    metadata: {},
    spec: { user, resourceAttributes: { group: VIRTUAL_MACHINES.group, resource: VIRTUAL_MACHINES.resource, verb: 'list' } },
  }) satisfies KubeObject;

const readings = (role: string): readonly Right[] => [
  { role, name: '/', verb: 'access', request: ({ home }) => listAll(home, API_EXPORT_ENDPOINT_SLICES, {}, options()) },
  { role, name: 'apiexportendpointslices', verb: 'list', request: ({ home }) => listAll(home, API_EXPORT_ENDPOINT_SLICES, {}, options()) },
  { role, name: 'apiexportendpointslices', verb: 'get', request: ({ home }) => readInstallation(home, options()) },
  { role, name: 'apiexportendpointslices', verb: 'watch', request: ({ home }) => openWatch(home, API_EXPORT_ENDPOINT_SLICES) },
  { role, name: 'apiexports/content', verb: 'list', request: ({ everywhere }) => listAll(everywhere, RULES, {}, options()) },
  { role, name: 'apiexports/content', verb: 'watch', request: ({ guarded }) => openWatch(guarded, RULES) },
  { role, name: 'apiexports/content', verb: 'get', request: ({ guarded }) => guarded.get(RULES, { name: 'vm-dependencies' }, options()) },
];

const CONTROLLER: readonly Right[] = [
  ...readings('dep-ctrl:controller'),
  {
    role: 'dep-ctrl:controller',
    name: 'apiexports/content',
    verb: 'create',
    request: ({ guarded }) => guarded.create(WEBHOOK_CONFIGURATIONS, configuration('made'), options()).catch(unlessThere),
  },
  {
    role: 'dep-ctrl:controller',
    name: 'apiexports/content',
    verb: 'update',
    request: async ({ guarded }) =>
      guarded.replace(WEBHOOK_CONFIGURATIONS, await guarded.get(WEBHOOK_CONFIGURATIONS, { name: 'kept' }, options()), options()),
  },
  {
    role: 'dep-ctrl:controller',
    name: 'apiexports/content',
    verb: 'delete',
    request: ({ guarded }) => guarded.delete(WEBHOOK_CONFIGURATIONS, { name: 'made' }, options()).catch(unlessThere),
  },
  {
    role: 'dep-ctrl:controller',
    name: 'clusterrolebindings',
    verb: 'get',
    request: ({ home }) => home.get({ ...RBAC, resource: 'clusterrolebindings' }, { name: WEBHOOK_ROLE }, options()),
  },
  {
    role: 'dep-ctrl:controller',
    name: 'validatingwebhookconfigurations',
    verb: 'create',
    request: ({ home }) => home.create(WEBHOOK_CONFIGURATIONS, configuration(ADMISSION_CONFIGURATION), options()).catch(unlessThere),
  },
  {
    role: 'dep-ctrl:controller',
    name: 'validatingwebhookconfigurations',
    verb: 'get',
    request: ({ home }) => home.get(WEBHOOK_CONFIGURATIONS, { name: ADMISSION_CONFIGURATION }, options()),
  },
  {
    role: 'dep-ctrl:controller',
    name: 'validatingwebhookconfigurations',
    verb: 'update',
    request: async ({ home }) =>
      home.replace(WEBHOOK_CONFIGURATIONS, await home.get(WEBHOOK_CONFIGURATIONS, { name: ADMISSION_CONFIGURATION }, options()), options()),
  },
  {
    role: 'dep-ctrl:controller',
    name: 'validatingwebhookconfigurations',
    verb: 'delete', // by `uninstall`, with the kubeconfig of the controller
    request: ({ home }) => home.delete(WEBHOOK_CONFIGURATIONS, { name: ADMISSION_CONFIGURATION }, options()).catch(unlessThere),
  },
  {
    role: 'dep-ctrl:controller',
    name: 'leases',
    verb: 'create',
    request: ({ home }) => home.create(LEASES, lease(LEASE_NAME), options()).catch(unlessThere),
  },
  {
    role: 'dep-ctrl:controller',
    name: 'leases',
    verb: 'get',
    request: ({ home }) => home.get(LEASES, { name: LEASE_NAME, namespace: 'default' }, options()),
  },
  {
    role: 'dep-ctrl:controller',
    name: 'leases',
    verb: 'update',
    request: async ({ home }) =>
      home.replace(LEASES, await home.get(LEASES, { name: LEASE_NAME, namespace: 'default' }, options()), options()),
  },
];

/** List and get of a type in a workspace that has nothing to do with dep-ctrl. */
function readingOf(role: string, type: GroupVersionResource): readonly Right[] {
  const name = type.resource;
  return [
    { role, name, verb: 'list', request: ({ provider }) => listAll(provider, type, {}, options()).catch(unlessThere) },
    { role, name, verb: 'get', request: ({ provider }) => provider.get(type, { name: 'any' }, options()).catch(unlessThere) },
  ];
}
const WEBHOOK: readonly Right[] = [
  ...readings('dep-ctrl:webhook'),
  {
    role: 'dep-ctrl:webhook',
    name: 'validatingwebhookconfigurations',
    verb: 'get',
    request: ({ home }) => home.get(WEBHOOK_CONFIGURATIONS, { name: ADMISSION_CONFIGURATION }, options()).catch(unlessThere),
  },
];

const RESOLVER: readonly Right[] = [
  {
    role: 'dep-ctrl:resolve-workspaces',
    name: '/',
    verb: 'access',
    request: ({ provider }) => listAll(provider, API_EXPORTS, {}, options()),
  },
  ...(['list', 'get', 'watch'] as const).map((verb) => ({
    role: 'dep-ctrl:resolve-workspaces',
    name: 'workspaces',
    verb,
    request: ({ provider }: Actor) =>
      verb === 'list'
        ? listAll(provider, WORKSPACES, {}, options())
        : verb === 'get'
          ? provider.get(WORKSPACES, { name: 'child' }, options()).catch(unlessThere)
          : openWatch(provider, WORKSPACES),
  })),
  {
    role: 'dep-ctrl:resolve-workspaces',
    name: 'logicalclusters',
    verb: 'get',
    request: ({ provider }) => provider.get(LOGICAL_CLUSTERS, { name: 'cluster' }, options()),
  },
  ...[API_EXPORTS, API_RESOURCE_SCHEMAS].flatMap((type) => readingOf('dep-ctrl:resolve-workspaces', type)),
  {
    role: 'dep-ctrl:resolve-workspaces',
    name: 'apibindings',
    verb: 'list',
    request: ({ provider }) => listAll(provider, API_BINDINGS, {}, options()),
  },
  {
    role: 'dep-ctrl:resolve-workspaces',
    name: 'subjectaccessreviews',
    verb: 'create',
    request: ({ provider }) => provider.create(REVIEWS, review('hook'), options()),
  },
];

const READER: readonly Right[] = [
  {
    role: 'dep-ctrl:read-dependents',
    name: '/',
    verb: 'access',
    request: ({ provider }) => listAll(provider, API_BINDINGS, {}, options()),
  },
  ...[API_BINDINGS, API_EXPORTS, API_RESOURCE_SCHEMAS, VIRTUAL_MACHINES].flatMap((type) => readingOf('dep-ctrl:read-dependents', type)),
  {
    role: 'dep-ctrl:read-dependents',
    name: 'logicalclusters',
    verb: 'get',
    request: ({ provider }) => provider.get(LOGICAL_CLUSTERS, { name: 'cluster' }, options()),
  },
];

const READER_OF_EVERYTHING: readonly Right[] = [
  {
    role: 'dep-ctrl:read-dependents',
    name: '/',
    verb: 'access',
    request: ({ provider }) => listAll(provider, API_BINDINGS, {}, options()),
  },
  { role: 'dep-ctrl:read-dependents', name: '*', verb: 'list', request: ({ provider }) => listAll(provider, CONFIG_MAPS, {}, options()) },
  {
    role: 'dep-ctrl:read-dependents',
    name: '*',
    verb: 'get',
    request: ({ provider }) => provider.get(API_RESOURCE_SCHEMAS, { name: 'any' }, options()).catch(unlessThere),
  },
];

const OWN_SECRETS: readonly Right[] = [
  {
    role: 'dep-ctrl:own-secrets',
    name: 'secrets',
    verb: 'get',
    request: ({ home }) => home.get(SECRETS, { name: URL_TOKEN_SECRET, namespace: HOME_NAMESPACE }, options()),
  },
  {
    role: 'dep-ctrl:own-secrets',
    name: 'secrets',
    verb: 'update',
    request: async ({ home }) =>
      home.replace(SECRETS, await home.get(SECRETS, { name: URL_TOKEN_SECRET, namespace: HOME_NAMESPACE }, options()), options()),
  },
];

const TWO_USERS = { controllerUser: 'ctl', webhookUser: 'hook' };
// What a shard grants holds in the dep-ctrl workspace too, so rights there are looked at without it.
const WITHIN_MS = 60_000;

describe('rights of the roles', () => {
  it.each([
    { given: 'the controller in the dep-ctrl workspace', user: 'ctl', rights: CONTROLLER, where: 'home' },
    { given: 'the controller on a shard', user: 'ctl', rights: RESOLVER, where: 'shard' },
    { given: 'the webhook in the dep-ctrl workspace', user: 'hook', rights: WEBHOOK, where: 'home' },
    { given: 'the webhook on a shard', user: 'hook', rights: READER, where: 'shard' },
    { given: 'a webhook that may read everything', user: 'hook', rights: READER_OF_EVERYTHING, where: 'shard', readAccess: 'wildcard' },
  ] as const)(
    'given $given, then it can do what it must, and without any one right just that is forbidden',
    ({ user, rights, where, ...more }) =>
      onBootstrapped({ ...TWO_USERS, where, ...more }, (setting) => expectEachNeeded(setting, user, rights, where)),
    WITHIN_MS,
  );

  it(
    'given one identity for both roles, then it keeps its Secrets, and without the right it cannot',
    () =>
      onBootstrapped({ controllerUser: 'both', webhookUser: 'both', where: 'home' }, (setting) =>
        expectEachNeeded(setting, 'both', OWN_SECRETS, 'home'),
      ),
    WITHIN_MS,
  );

  it('given the webhook with all its rights, then it may read neither what kcp serves itself nor what no provider exports', () =>
    onBootstrapped({ ...TWO_USERS, where: 'shard' }, async (setting) => {
      const { provider } = setting.actor('hook');
      const others = [CONFIG_MAPS, SECRETS, { ...RBAC, resource: 'clusterroles' }, { ...VIRTUAL_MACHINES, resource: 'others' }];

      const answers = await Promise.all(others.map((type) => listAll(provider, type, {}, options()).then(() => 'done', codeOf)));

      expect(answers).toEqual(others.map(() => 'forbidden'));
    }));

  it('given the controller with all its rights, then no other configuration in the dep-ctrl workspace is within its reach', () =>
    onBootstrapped({ ...TWO_USERS, where: 'shard' }, async (setting) => {
      const { home } = setting.actor('ctl');
      const others = await setting.admin.cluster(DEV_PATHS.depCtrl).create(WEBHOOK_CONFIGURATIONS, configuration('others'), options());
      const requests = [
        home.get(WEBHOOK_CONFIGURATIONS, { name: 'others' }, options()),
        home.replace(WEBHOOK_CONFIGURATIONS, others, options()),
        home.delete(WEBHOOK_CONFIGURATIONS, { name: 'others' }, options()),
        listAll(home, WEBHOOK_CONFIGURATIONS, {}, options()),
      ];

      const answers = await Promise.all(requests.map((request) => request.then(() => 'done', codeOf)));

      expect(answers).toEqual(['forbidden', 'forbidden', 'forbidden', 'forbidden']);
    }));

  it('given the webhook with all its rights, then it may write nothing anywhere', () =>
    onBootstrapped({ ...TWO_USERS, where: 'shard' }, async (setting) => {
      const { home, guarded, provider } = setting.actor('hook');
      const writes = [
        guarded.create(WEBHOOK_CONFIGURATIONS, configuration('mine'), options()),
        guarded.delete(WEBHOOK_CONFIGURATIONS, { name: 'kept' }, options()),
        provider.create(CONFIG_MAPS, named('mine', { metadata: { name: 'mine', namespace: 'default' } }), options()),
        home.create(LEASES, lease('mine'), options()),
      ];

      const answers = await Promise.all(writes.map((write) => write.then(() => 'done', codeOf)));

      expect(answers).toEqual(['forbidden', 'forbidden', 'forbidden', 'forbidden']);
    }));
});

interface Setting extends EmbeddedWorld {
  /** The logical cluster of the dep-ctrl workspace. */
  readonly installation: string;
  readonly actor: (user: string) => Actor;
}

/** A kcp with dep-ctrl bootstrapped for two users, and one provider with a rule and a configuration. */
function onBootstrapped(
  {
    controllerUser,
    webhookUser,
    where,
    readAccess = 'listed',
  }: {
    readonly controllerUser: string;
    readonly webhookUser: string;
    readonly where: 'home' | 'shard';
    readonly readAccess?: 'listed' | 'wildcard';
  },
  work: (setting: Setting) => Promise<void>,
): Promise<void> {
  return onEmbeddedKcp(async (world) => {
    const { admin, kcp, adminKubeconfig } = world;
    const users = ['--controller-user', controllerUser, '--webhook-user', webhookUser];
    const shard = where === 'shard' ? ['--shard-kubeconfig', adminKubeconfig, '--read-access', readAccess] : [];
    const bootstrap = async () => {
      const done = await runCli(bootstrapCommand, ['--kubeconfig', adminKubeconfig, ...users, ...shard]);
      if (done.code !== 0) throw new Error(done.stderr);
    };
    await bootstrap();
    for (const path of [...DEV_PARENTS, DEV_PATHS.network, DEV_PATHS.compute]) await ensureWorkspace(admin, path, options());
    const { cluster } = await ensureWorkspace(admin, DEV_PATHS.compute, options());
    const compute = admin.cluster(DEV_PATHS.compute);
    await bindDepCtrl(compute, { path: DEV_PATHS.depCtrl, name: EXPORT_NAME }, options());
    await exportType(compute, computeProvider(), { ...options(), timeoutMs: 20_000 });
    await bootstrap();
    await compute.create(RULES, vmDependencies(DEV_PATHS.network), options());
    await compute.create(WEBHOOK_CONFIGURATIONS, configuration('kept'), options());
    const { endpoints, owner } = await readInstallation(admin.cluster(DEV_PATHS.depCtrl), options());
    const endpoint = parseVirtualWorkspaceUrl(endpoints[0] ?? '');
    if (!endpoint.ok) throw new Error(endpoint.problem);

    const connections: Connection[] = [];
    const actor = (user: string): Actor => {
      const connection = connectTo(kcp.kubeconfig({ user }));
      connections.push(connection);
      const export_ = connection.virtualWorkspace(endpoint.value);
      return {
        home: connection.cluster(DEV_PATHS.depCtrl),
        everywhere: export_.wildcard(),
        guarded: export_.cluster(cluster),
        provider: connection.cluster(DEV_PATHS.compute),
      };
    };
    try {
      await work({ ...world, actor, installation: owner });
    } finally {
      await Promise.all(connections.map((connection) => connection.close()));
    }
  });
}

async function expectEachNeeded(setting: Setting, user: string, rights: readonly Right[], where: 'home' | 'shard'): Promise<void> {
  const actor = setting.actor(user);
  const seen: string[] = [];
  const wanted: string[] = [];
  for (const { role, name, verb, request } of rights) {
    const granted = await request(actor).then(() => 'done', codeOf);
    const giveBack = await takeAway(setting, where, { role, name, verb });
    const without = await request(actor).then(() => 'done', codeOf);
    await giveBack();
    seen.push(`${role}: ${verb} ${name}: ${granted}, without: ${without}`);
    wanted.push(`${role}: ${verb} ${name}: done, without: forbidden`);
  }
  expect(seen).toEqual(wanted);
}

/** Removes one verb of one resource from a role; the answer puts it back. */
async function takeAway(
  { admin, kcp, installation }: Setting,
  where: 'home' | 'shard',
  { role, name, verb }: Pick<Right, 'role' | 'name' | 'verb'>,
): Promise<() => Promise<void>> {
  const systemAdmin = logicalCluster('system:admin');
  const shardAdmin = connectTo(kcp.kubeconfig(), { context: 'shard-base' });
  const client = where === 'home' ? admin.cluster(DEV_PATHS.depCtrl) : shardAdmin.cluster(systemAdmin);
  const resource = ['leases', 'secrets'].includes(name) ? 'roles' : 'clusterroles';
  const ref = { name: where === 'home' ? role : `${role}:${installation}`, ...(resource === 'roles' ? { namespace: 'default' } : {}) };
  const write = async (change: (rules: readonly PolicyRule[]) => readonly PolicyRule[]) => {
    const observed = await client.get({ ...RBAC, resource }, ref, options());
    await client.replace({ ...RBAC, resource }, { ...observed, rules: change(observed['rules'] as readonly PolicyRule[]) }, options());
    return observed['rules'] as readonly PolicyRule[];
  };
  const before = await write((rules) => rules.flatMap((rule) => withoutVerb(rule, name, verb)).filter(({ verbs }) => verbs.length > 0));
  return async () => {
    await write(() => before);
    await shardAdmin.close();
  };
}

/** The same rights but for that verb of that resource; what the rule grants of others stays. */
function withoutVerb(rule: PolicyRule, name: string, verb: string): readonly PolicyRule[] {
  const less = { ...rule, verbs: rule.verbs.filter((each) => each !== verb) };
  if (rule.resources === undefined) return [name === '/' ? less : rule];
  if (!rule.resources.includes(name)) return [rule];
  const others = rule.resources.filter((each) => each !== name);
  return [...(others.length === 0 ? [] : [{ ...rule, resources: others }]), { ...less, resources: [name] }];
}

async function openWatch(client: ClusterClient, type: GroupVersionResource): Promise<void> {
  const stop = new AbortController();
  const chunks = await client.watch(type, { resourceVersion: '', timeoutSeconds: 1, silenceMs: 5_000 }, { signal: stop.signal });
  const first = chunks[Symbol.asyncIterator]().next();
  stop.abort();
  await first.catch(() => undefined);
}

function codeOf(error: unknown): string {
  return isKcpError(error) ? error.code : String(error);
}
