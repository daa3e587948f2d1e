// Exports, bindings and what hangs on them, as the cases set them up: by plain requests of kcp-admin.
import type { Answer } from '../https/answer.js';
import { at, type KubeBody, type Tree } from '../https/kube-body.js';
import { eventually } from './eventually.js';
import { NETWORK, NETWORK_TYPES, type TypeToServe } from './example-types.js';
import type { Stage, Workspace } from './stage.js';

/** Path of the kcp API group apis.kcp.io in the version that new code writes. */
export const APIS = '/apis/apis.kcp.io/v1alpha2';

/** Path of the types that exist in v1alpha1 only. */
export const APIS_V1ALPHA1 = '/apis/apis.kcp.io/v1alpha1';

/** Resource path of webhook configurations. */
export const WEBHOOK_CONFIGURATIONS = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';

/** A permission claim on webhook configurations, as an export declares it. */
export function webhookClaim(verbs: readonly string[] = ['*']): Tree {
  return { group: 'admissionregistration.k8s.io', resource: 'validatingwebhookconfigurations', verbs };
}

/** The same claim as a binding accepts or rejects it. */
export function answeredClaim(
  claim: Tree,
  answer: { state?: 'Accepted' | 'Rejected'; selector?: Tree; verbs?: readonly string[] } = {},
): Tree {
  const { state = 'Accepted', selector = { matchAll: true }, verbs } = answer;
  return { ...claim, ...(verbs === undefined ? {} : { verbs }), state, selector };
}

/** An export in its workspace. */
export interface Export {
  readonly workspace: Workspace;
  readonly name: string;
  /** Hash of its identity. */
  readonly identity: string;
}

/** What to export. */
export interface ExportWish {
  readonly name?: string;
  readonly group?: string;
  readonly types?: readonly TypeToServe[];
  readonly claims?: readonly Tree[];
  readonly workspace?: Workspace;
  readonly spec?: Tree;
}

/** The APIResourceSchema of a type. */
export function schemaOf(type: TypeToServe, group: string, prefix = 'v1'): Tree {
  const { plural, kind, scope, versions, shortNames = [] } = type;
  const names = { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List`, shortNames };
  const conversion = versions.length > 1 ? { conversion: { strategy: 'None' } } : {};
  return {
    apiVersion: 'apis.kcp.io/v1alpha1',
    kind: 'APIResourceSchema',
    metadata: { name: `${prefix}.${plural}.${group}` },
    spec: { group, names, scope, versions, ...conversion },
  };
}

/** The client that sets things up: kcp-admin of a stage, or a tenant in its own workspaces. */
export type Maker = Pick<Stage, 'admin'>;

/** Makes an export with its schemas and waits for its identity. */
export async function makeExport(kcp: Maker & Pick<Stage, 'workspace'>, wish: ExportWish = {}): Promise<Export> {
  const { name = NETWORK, group = NETWORK, types = NETWORK_TYPES, claims = [], spec = {} } = wish;
  const workspace = wish.workspace ?? (await kcp.workspace());
  for (const type of types) (await kcp.admin.post(`${workspace.at}${APIS_V1ALPHA1}/apiresourceschemas`, schemaOf(type, group))).expect(201);
  const resources = types.map(({ plural }) => ({ group, name: plural, schema: `v1.${plural}.${group}`, storage: { crd: {} } }));
  const object = {
    apiVersion: 'apis.kcp.io/v1alpha2',
    kind: 'APIExport',
    metadata: { name },
    spec: { resources, permissionClaims: claims, ...spec },
  };
  (await kcp.admin.post(`${workspace.at}${APIS}/apiexports`, object)).expect(201);
  const identity = await eventually(`export ${name} has an identity`, async () => {
    const hash = at((await kcp.admin.get(`${workspace.at}${APIS}/apiexports/${name}`)).expect(200).body, 'status', 'identityHash');
    if (typeof hash !== 'string' || hash === '') throw new Error('no identityHash');
    return hash;
  });
  return { workspace, name, identity };
}

/** An APIBinding to an export. */
export function bindingTo(target: Export, options: { readonly name?: string; readonly claims?: readonly Tree[] } = {}): Tree {
  const { name = target.name, claims = [] } = options;
  return {
    apiVersion: 'apis.kcp.io/v1alpha2',
    kind: 'APIBinding',
    metadata: { name },
    spec: { reference: { export: { path: target.workspace.path, name: target.name } }, permissionClaims: claims },
  };
}

/** Binds a workspace to an export and waits until it is Bound; kcp may not know a fresh export for a moment. */
export async function bind(
  kcp: Maker,
  workspace: Workspace,
  target: Export,
  options: { readonly name?: string; readonly claims?: readonly Tree[] } = {},
): Promise<KubeBody> {
  const binding = bindingTo(target, options);
  await eventually(`binding to ${target.name} is admitted`, async () => {
    (await kcp.admin.post(`${workspace.at}${APIS}/apibindings`, binding)).expect(201);
  });
  return bound(kcp, workspace, options.name ?? target.name);
}

/** Waits until a binding is Bound. */
export async function bound(kcp: Maker, workspace: Workspace, name: string): Promise<KubeBody> {
  return eventually(`binding ${name} is Bound`, async () => {
    const { body } = (await kcp.admin.get(`${workspace.at}${APIS}/apibindings/${name}`)).expect(200);
    if (at(body, 'status', 'phase') !== 'Bound') throw new Error(JSON.stringify(at(body, 'status', 'conditions') ?? null));
    return body;
  });
}

/**
 * Waits until kcp has worked off a change of claims: their number in `status.appliedPermissionClaims`. It labels objects by the
 * difference between that and the spec, so a claim that is turned round faster than this follows can be missed.
 */
export async function claimsApplied(kcp: Stage, workspace: Workspace, name: string, count: number): Promise<void> {
  await eventually(`${count} claims are applied`, async () => {
    const { body } = (await kcp.admin.get(`${workspace.at}${APIS}/apibindings/${name}`)).expect(200);
    const applied = at(body, 'status', 'appliedPermissionClaims');
    if ((Array.isArray(applied) ? applied.length : 0) !== count) throw new Error(JSON.stringify(at(body, 'status') ?? null));
  });
}

/** Waits until a type can be listed: a bound type is served a moment after its binding says Bound. */
export async function served(kcp: Maker, path: string): Promise<Answer> {
  return eventually(`${path} is served`, async () => (await kcp.admin.get(path)).expect(200));
}

/** A workspace that has bound an export, all of whose types are served there. */
export async function consumerOf(
  kcp: Stage,
  target: Export,
  options: { readonly shard?: number; readonly types?: readonly TypeToServe[] } = {},
): Promise<Workspace> {
  const { types = NETWORK_TYPES, ...wish } = options;
  const workspace = await kcp.workspace(wish);
  await bind(kcp, workspace, target);
  for (const { plural } of types) await served(kcp, `${workspace.at}/apis/${NETWORK}/v1/${plural}`);
  return workspace;
}

/** The example provider that cases share as long as they leave its workspace alone. */
export async function network(kcp: Stage): Promise<Export> {
  return kcp.shared('network', () => makeExport(kcp));
}

/** A consumer of the shared example provider. */
export async function consumer(kcp: Stage, options: { readonly shard?: number } = {}): Promise<Workspace> {
  return consumerOf(kcp, await network(kcp), options);
}

/** Resource paths in a workspace, the namespaced ones in one namespace. */
export type Paths = Readonly<Record<'vpcs' | 'vms' | 'zones' | 'configMaps' | 'namespaces' | 'bindings' | 'webhooks', string>>;

/** A namespace of its own in a consumer that many cases share: workspaces cost a real kcp a second of CPU each. */
export interface Corner extends Paths {
  readonly workspace: Workspace;
  readonly namespace: string;
}

/** A workspace that many cases share; what they make there has names of its own. */
export async function anyWorkspace(kcp: Stage): Promise<Workspace> {
  return kcp.shared('any workspace', () => kcp.workspace({ shard: 0 }));
}

/** A consumer of the shared example provider that many cases share. */
export async function anyConsumer(kcp: Stage): Promise<Workspace> {
  return kcp.shared('any consumer', () => consumer(kcp));
}

/** Makes a corner. For deleting, binding or listing across the workspace use `consumer` instead. */
export async function corner(kcp: Stage): Promise<Corner> {
  const workspace = await anyConsumer(kcp);
  const namespace = kcp.unique('n');
  (await kcp.admin.post(`${workspace.at}/api/v1/namespaces`, { metadata: { name: namespace } })).expect(201);
  return { ...paths(workspace, namespace), workspace, namespace };
}

/** Resource paths in a workspace. */
export function paths(workspace: Workspace, namespace = 'default'): Paths {
  const { at: base } = workspace;
  return {
    vpcs: `${base}/apis/${NETWORK}/v1/namespaces/${namespace}/vpcs`,
    vms: `${base}/apis/${NETWORK}/v1/namespaces/${namespace}/vms`,
    zones: `${base}/apis/${NETWORK}/v1/zones`,
    configMaps: `${base}/api/v1/namespaces/${namespace}/configmaps`,
    namespaces: `${base}/api/v1/namespaces`,
    bindings: `${base}${APIS}/apibindings`,
    webhooks: `${base}${WEBHOOK_CONFIGURATIONS}`,
  };
}
