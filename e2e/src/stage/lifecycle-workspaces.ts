// Workspaces of types that have terminators or initializers, and the virtual workspaces of those.
import { at, type Tree } from '../https/kube-body.js';
import type { Caller } from '../https/caller.js';
import { eventually, patience } from './eventually.js';
import { ACCESS, grant, user } from './identities.js';
import type { Stage, Workspace } from './stage.js';

/** Resource path of logical clusters. */
export const LOGICAL_CLUSTERS = '/apis/core.kcp.io/v1alpha1/logicalclusters';

/** Resource path of the workspaces below root. */
export const ROOT_WORKSPACES = '/clusters/root/apis/tenancy.kcp.io/v1alpha1/workspaces';

/** The two kinds of entries that hold a workspace. */
export type EntryKind = 'terminator' | 'initializer';

/** A WorkspaceType in a workspace of its own. */
export interface HoldingType {
  readonly home: Workspace;
  readonly name: string;
  /** `<cluster of the type>:<name>`: what stands in the status of a workspace. */
  readonly entry: string;
  /** The virtual workspace of that entry, to be followed by `/<cluster>` or `/*`. */
  readonly view: string;
}

/** Makes a type that extends universal, on the first shard. */
export async function holdingType(kcp: Stage, kind: EntryKind, spec: Tree = {}, name = 'held'): Promise<HoldingType> {
  const home = await kcp.workspace({ shard: 0 });
  return typeIn(kcp, home, name, { [kind]: true, extend: { with: [{ name: 'universal', path: 'root' }] }, ...spec }, kind);
}

/** Makes a type in a workspace that is there. */
export async function typeIn(kcp: Stage, home: Workspace, name: string, spec: Tree, kind: EntryKind): Promise<HoldingType> {
  const type = { apiVersion: 'tenancy.kcp.io/v1alpha1', kind: 'WorkspaceType', metadata: { name }, spec };
  (await kcp.admin.post(`${home.at}/apis/tenancy.kcp.io/v1alpha1/workspacetypes`, type)).expect(201);
  const entry = `${home.cluster}:${name}`;
  const service = kind === 'terminator' ? 'terminatingworkspaces' : 'initializingworkspaces';
  return { home, name, entry, view: `/services/${service}/${entry}/clusters` };
}

/** A workspace of that type below root. */
export async function workspaceOf(kcp: Stage, { home, name: typeName }: HoldingType, shard = 0): Promise<Workspace> {
  return kcp.workspace({ name: kcp.unique('held'), type: { name: typeName, path: home.path }, shard });
}

/** The same for a type with an initializer, which holds it: answers with the cluster, once only these initializers are left. */
export async function beginWorkspace(kcp: Stage, type: HoldingType, name: string, entries = [type.entry]): Promise<string> {
  const spec = { type: { name: type.name, path: type.home.path }, location: { selector: { matchLabels: { name: 'root' } } } };
  const object = { apiVersion: 'tenancy.kcp.io/v1alpha1', kind: 'Workspace', metadata: { name }, spec };
  await eventually('the type is known', async () => void (await kcp.admin.post(ROOT_WORKSPACES, object)).expect(201));
  return eventually('only these initializers are left', async () => {
    const { body } = (await kcp.admin.get(`${ROOT_WORKSPACES}/${name}`)).expect(200);
    const left = at(body, 'status', 'initializers');
    if (JSON.stringify(left) !== JSON.stringify(entries)) throw new Error(`left: ${JSON.stringify(left ?? null)}`);
    return String(at(body, 'spec', 'cluster'));
  });
}

/** The name in root of a workspace. */
export function nameInRoot({ path }: Workspace): string {
  return path.split(':')[1] ?? '';
}

/** Deletes a workspace below root and waits until the virtual workspace shows that it dies. */
export async function dies(kcp: Stage, workspace: Workspace, { view }: HoldingType, seenBy = kcp.shard().admin): Promise<void> {
  (await kcp.admin.delete(`${ROOT_WORKSPACES}/${nameInRoot(workspace)}`)).expect(200);
  await eventually('it is seen to die', async () => {
    const { body } = (await seenBy.get(`${view}/${workspace.cluster}${LOGICAL_CLUSTERS}/cluster`)).expect(200);
    if (body.metadata.deletionTimestamp === undefined) throw new Error('no deletionTimestamp');
  });
}

/** Takes the own entry off the list and leaves the others, at the shard of the workspace. */
export async function release(
  kcp: Stage,
  kind: EntryKind,
  { entry, view }: HoldingType,
  cluster: string,
  { admin } = kcp.shard(),
): Promise<void> {
  const object = `${view}/${cluster}${LOGICAL_CLUSTERS}/cluster`;
  await eventually(`the ${kind} is removed`, async () => {
    const list = at((await admin.get(object)).expect(200).body, 'status', `${kind}s`);
    const others = Array.isArray(list) ? list.filter((one) => one !== entry) : [];
    (await admin.patch('merge', `${object}/status`, { status: { [`${kind}s`]: others } })).expect(200);
  });
}

/** Waits until a workspace below root is gone. */
export async function gone(kcp: Stage, name: string): Promise<void> {
  await eventually(
    'the workspace is gone',
    async () => {
      const { status } = await kcp.admin.get(`${ROOT_WORKSPACES}/${name}`);
      if (status !== 404) throw new Error(`status ${status}`);
    },
    4 * patience.ms,
  );
}

/** A user whose only right is to end (or begin) workspaces of that type, at the first shard; the right is in force. */
export async function worker(kcp: Stage, kind: EntryKind, { home, name, view }: HoldingType): Promise<Caller & { readonly user: string }> {
  const who = kcp.unique('worker');
  const verb = kind === 'terminator' ? 'terminate' : 'initialize';
  const rule = { apiGroups: ['tenancy.kcp.io'], resources: ['workspacetypes'], resourceNames: [name], verbs: [verb] };
  await grant(kcp.admin, home.at, who, [rule, ACCESS], [user(who)]);
  const caller = await kcp.shard().user({ name: who });
  await eventually('the right is in force', async () => void (await caller.get(`${view}/*${LOGICAL_CLUSTERS}`)).expect(200));
  return Object.assign(caller, { user: who });
}
