// Makes what a test declares, by requests of kcp's admin as anybody would send them, and waits until all of it is served.
import { parseWorkspacePath, splitWorkspacePath, type KubeObject } from '@dep-ctrl/kcp-names';
import { arrayAt, isRecord, recordAt, stringAt } from '../json/json.js';
import { SHARD_NAME } from '../kcp/kinds/workspace-marks.js';
import { eventually } from './eventually.js';
import { exportedTypes, parseObjects } from './exported-types.js';
import { make, read, served, type Maker } from './maker.js';
import type { BindingSetup, ClaimSetup, ExportSetup, KcpSetup, RightsRule, UserSetup, WorkspaceSetup } from './kcp-setup.js';

/** A workspace that was made. */
export interface TestWorkspace {
  readonly path: string;
  /** The name of its logical cluster. */
  readonly cluster: string;
  /** The name of its shard. */
  readonly shard: string;
}

const APIS = 'apis.kcp.io/v1alpha2';
const APIS_V1ALPHA1 = 'apis.kcp.io/v1alpha1';
const TENANCY = 'tenancy.kcp.io/v1alpha1';
const RBAC = 'rbac.authorization.k8s.io/v1';
/** Makes everything and answers with the workspaces. */
export async function setUp(maker: Maker, { workspaces = {}, users = {} }: KcpSetup): Promise<readonly TestWorkspace[]> {
  const made: TestWorkspace[] = [];
  for (const [path, setup] of Object.entries(workspaces)) made.push(await makeWorkspace(maker, path, setup));
  for (const [path, { exports = {} }] of Object.entries(workspaces))
    for (const [name, setup] of Object.entries(exports)) await makeExport(maker, path, name, setup);
  for (const [user, setup] of Object.entries(users)) await grant(maker, user, setup);
  for (const workspace of made) for (const binding of workspaces[workspace.path]?.binds ?? []) await bind(maker, workspace, binding);
  for (const [path, { namespaces = [], objects = [] }] of Object.entries(workspaces)) {
    for (const name of namespaces) await make(maker, path, 'v1', 'namespaces', { metadata: { name } });
    for (const object of objects.flatMap((one) => (typeof one === 'string' ? parseObjects(one) : [one])))
      await makeObject(maker, path, object);
  }
  return made;
}

/** The path and the name in `root:owner:widgets.example.com`. */
export function splitExport(text: string): { readonly path: string; readonly name: string } {
  const colon = text.lastIndexOf(':');
  if (colon < 1)
    throw new TypeError(`"${text}" is no export: write its workspace's path, a colon and its name, such as root:owner:widgets.example.com`);
  return { path: text.slice(0, colon), name: text.slice(colon + 1) };
}

async function makeWorkspace(maker: Maker, path: string, { shard, type = 'root:universal' }: WorkspaceSetup): Promise<TestWorkspace> {
  const parsed = parseWorkspacePath(path);
  const split = parsed.ok ? splitWorkspacePath(parsed.value) : undefined;
  if (split === undefined) throw new TypeError(parsed.ok ? `"${path}" has no parent: workspaces are made below root` : parsed.problem);
  const { path: typePath, name: typeName } = splitExport(type);
  const location = shard === undefined ? {} : { location: { selector: { matchLabels: { name: shard } } } };
  const spec = { type: { path: typePath, name: typeName }, ...location };
  const workspace = { kind: 'Workspace', metadata: { name: split.name }, spec };
  // Its type may have been made a moment ago.
  await eventually(`workspace ${path} may be made`, () => make(maker, split.parent, TENANCY, 'workspaces', workspace));
  const ready = await eventually(`workspace ${path} is Ready`, async () => {
    const { body } = served(await read(maker, split.parent, TENANCY, `workspaces/${split.name}`));
    if (body.status?.['phase'] !== 'Ready') throw new Error(`it is ${String(body.status?.['phase'])}, shard ${shard ?? 'any'}`);
    return body;
  });
  // Its shard says Ready; the front-proxy learns of it a moment later.
  await eventually(
    `workspace ${path} is served`,
    async () => void served(await read(maker, path, 'core.kcp.io/v1alpha1', 'logicalclusters/cluster')),
  );
  return { path, cluster: stringAt(ready, 'spec', 'cluster') ?? '', shard: ready.metadata.annotations?.[SHARD_NAME] ?? 'root' };
}

async function makeExport(maker: Maker, path: string, name: string, { types = [], claims = [] }: ExportSetup): Promise<void> {
  const { schemas, resources } = exportedTypes(name, types);
  for (const schema of schemas) await make(maker, path, APIS_V1ALPHA1, 'apiresourceschemas', schema);
  const permissionClaims: object[] = [];
  for (const claim of claims) permissionClaims.push(await claimOf(maker, claim));
  await make(maker, path, APIS, 'apiexports', { kind: 'APIExport', metadata: { name }, spec: { resources, permissionClaims } });
  await identityOf(maker, path, name);
}

async function claimOf(maker: Maker, { group = '', resource, verbs = ['*'], of }: ClaimSetup): Promise<object> {
  if (of === undefined) return { group, resource, verbs };
  const { path, name } = splitExport(of);
  return { group, resource, verbs, identityHash: await identityOf(maker, path, name) };
}

function identityOf(maker: Maker, path: string, name: string): Promise<string> {
  return eventually(`export ${path}:${name} has an identity`, async () => {
    const hash = stringAt(served(await read(maker, path, APIS, `apiexports/${name}`)).body, 'status', 'identityHash');
    if (hash === undefined) throw new Error('it has none');
    return hash;
  });
}

async function grant(maker: Maker, user: string, { rights = {} }: UserSetup): Promise<void> {
  for (const [path, what] of Object.entries(rights)) {
    const metadata = { name: `test-user-${user}` };
    const rules: readonly object[] =
      what === 'admin'
        ? [
            { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
            { nonResourceURLs: ['*'], verbs: ['*'] },
          ]
        : [...(what satisfies readonly RightsRule[]), { nonResourceURLs: ['/'], verbs: ['access'] }];
    await make(maker, path, RBAC, 'clusterroles', { kind: 'ClusterRole', metadata, rules });
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: metadata.name };
    const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }];
    await make(maker, path, RBAC, 'clusterrolebindings', { kind: 'ClusterRoleBinding', metadata, roleRef, subjects });
  }
}

async function bind(maker: Maker, { path, cluster, shard }: TestWorkspace, setup: string | BindingSetup): Promise<void> {
  const { export: target, name: given, claims = 'Accepted' } = typeof setup === 'string' ? { export: setup } : setup;
  const exported = splitExport(target);
  const name = given ?? exported.name;
  const claimed = arrayAt(served(await read(maker, exported.path, APIS, `apiexports/${exported.name}`)).body, 'spec', 'permissionClaims');
  const answers = claimed.map((claim) => ({ ...recordAt(claim), selector: { matchAll: true }, state: claims }));
  const spec = { reference: { export: exported }, permissionClaims: claims === 'unanswered' ? [] : answers };
  const binding = { kind: 'APIBinding', metadata: { name }, spec };
  // The export may be on another shard, which hears of it a moment later.
  await eventually(`${path} may bind ${target}`, () => make(maker, path, APIS, 'apibindings', binding));
  const bound = await eventually(`${path} has bound ${target}`, async () => {
    const { body } = served(await read(maker, path, APIS, `apibindings/${name}`));
    if (body.status?.['phase'] !== 'Bound') throw new Error(`its conditions are ${JSON.stringify(body.status?.['conditions'])}`);
    return body;
  });
  for (const type of arrayAt(bound, 'status', 'boundResources')) {
    const [group = '', resource = '', version = ''] = [
      stringAt(type, 'group'),
      stringAt(type, 'resource'),
      arrayAt(type, 'storageVersions')[0],
    ];
    await eventually(
      `${resource} are served in ${path}`,
      async () => void served(await read(maker, path, `${group}/${String(version)}`, resource)),
    );
  }
  await eventually(`the virtual workspace of ${target} shows ${path}`, async () => {
    const urls = await endpointsOf(maker, target);
    const own = await Promise.all(
      urls.map((url) => maker.admin.send('GET', `${url}/clusters/${cluster}/apis/${APIS}/apibindings/${name}`)),
    );
    if (!own.some(({ status }) => status === 200)) throw new Error(`no endpoint of shard ${shard} serves it yet`);
  });
}

/** Where an export's owner reaches the workspaces that bind it, one URL for each shard. */
export async function endpointsOf(maker: Maker, target: string): Promise<readonly string[]> {
  const { path, name } = splitExport(target);
  const { body } = served(await read(maker, path, APIS_V1ALPHA1, `apiexportendpointslices/${name}`));
  return arrayAt(body, 'status', 'endpoints').flatMap((endpoint) => stringAt(endpoint, 'url') ?? []);
}

async function makeObject(maker: Maker, path: string, object: KubeObject): Promise<void> {
  const { apiVersion = '', kind = '', metadata } = object;
  const type = await eventually(`the kind ${kind} is served in ${path}`, async () => {
    const { body } = served(await read(maker, path, apiVersion, ''));
    const found = arrayAt(body, 'resources').find((one) => isRecord(one) && one['kind'] === kind && !String(one['name']).includes('/'));
    if (found === undefined) throw new Error(`${apiVersion} has no such kind`);
    return recordAt(found);
  });
  const namespace = type['namespaced'] === true ? `namespaces/${metadata.namespace ?? 'default'}/` : '';
  await make(maker, path, apiVersion, `${namespace}${String(type['name'])}`, object);
}
