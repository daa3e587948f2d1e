// Makes or completes an APIBinding and waits until it is bound. kcp answers 403 both for "not allowed" and for "not replicated yet", so a refusal counts
// only after some time of trying again.
import { listAll, type Clock, type ClusterClient, type KcpError, type Waiting } from '@dep-ctrl/kcp-client';
import type { ExportRef, GroupVersionResource, KubeObject } from '@dep-ctrl/kcp-names';
import {
  API_BINDINGS,
  deleteIfExists,
  type Doubt,
  type Ensured,
  ensureObject,
  getIfExists,
  isNotThereYet,
  type Probed,
  until,
} from '@dep-ctrl/kcp-objects';
import { type ExportNow, formerCluster, repairLabel, refersTo } from './moved-export.js';
import { probeGone, servesFormer, uidsOf } from './moved-types.js';

// Binding a fresh schema took 5 to 9 s on kcp v0.32.3.
const BOUND_WITHIN_MS = 45_000;

const FORMER_TYPES = 'it still serves the types of the export that was there before, and what was written through them';

/** A permission claim that is accepted with the binding. */
export interface AcceptedClaim {
  readonly group: string;
  readonly resource: string;
  readonly verbs: readonly string[];
}

/** The export that a workspace binds. */
export interface WantedBinding {
  readonly export: ExportRef;
  readonly claims: readonly AcceptedClaim[];
}

/** The change that binding took. `rebound`: the export was made anew, so objects that were written through the binding before are lost. */
export type Bound = Ensured | 'rebound';

/** How to bind. */
export interface BindOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** If it could not be told whether the workspace of the export exists. */
  readonly doubt?: Doubt | undefined;
  /** Throws where a refusal to bind is one for want of a right; where it is not, kcp has not caught up with itself. */
  readonly checkRights?: (refusal: KcpError) => Promise<void>;
  /** What a binding that is being deleted waits for, where that is known. */
  readonly keptBy?: string;
  /** The export as it is now, where that is known, and what to do about a binding that stays with a former one. */
  readonly now?: (ExportNow & { readonly howToRebind: (former: string, name: string) => string }) | undefined;
  /** Types of the export whose objects may be written as soon as it is bound: none of a former export is served then. */
  readonly written?: readonly GroupVersionResource[];
}

/**
 * Binds the export in the client's workspace, under the export's name unless a binding to it is there already, and waits until it is bound. Where the
 * export was made anew it waits until the new one finds its binding and serves its types.
 */
export async function bindExport(client: ClusterClient, wanted: WantedBinding, options: BindOptions): Promise<Bound> {
  const { doubt, checkRights, keptBy, now, written = [] } = options;
  const { objects } = await listAll(client, API_BINDINGS, {}, options);
  const existing = objects.find((binding) => refersTo(binding, wanted.export));
  if (existing?.metadata.deletionTimestamp !== undefined) {
    const why = keptBy ?? whyNot(existing);
    throw new Error(
      `binding "${existing.metadata.name ?? ''}" is being deleted${why === undefined ? '' : `; ${why}`}; bind again once it is gone`,
    );
  }
  const isFormer = existing !== undefined && servesFormer(existing, now?.identity);
  const uids = isFormer ? await uidsOf(client, written, options) : new Set<string>();
  const desired = bindingManifest(existing?.metadata.name ?? wanted.export.name, wanted, existing);
  const what = `binding "${wanted.export.name}" of "${wanted.export.path}"`;
  const patience = { ...options, timeoutMs: BOUND_WITHIN_MS };
  const toWrite = { ...patience, timeoutMs: doubt?.withinMs ?? BOUND_WITHIN_MS };
  let isChecked = false;
  const ensured = await until<Ensured>(
    what,
    async (each) => {
      try {
        return { done: await ensureObject(client, API_BINDINGS, desired, each) };
      } catch (error) {
        if (!isNotThereYet(error)) throw error;
        if (error.code === 'forbidden' && !isChecked) await checkRights?.(error);
        isChecked = true;
        return { waitingFor: doubt === undefined ? error.message : `${doubt.text}: ${error.message}` };
      }
    },
    toWrite,
  );
  await until(what, (each) => probeBound(client, desired, wanted, { ...each, now }), patience);
  const isRepaired = await repairLabel(client, desired.metadata.name ?? '', options);
  await until(what, (each) => probeGone(client, written, { ...each, uids }), patience);
  return isRepaired || isFormer ? 'rebound' : ensured;
}

/** Removes the bindings to the export and waits until kcp has removed their objects. */
export async function unbindExport(client: ClusterClient, from: ExportRef, options: Waiting): Promise<void> {
  const { objects } = await listAll(client, API_BINDINGS, {}, options);
  for (const binding of objects.filter((each) => refersTo(each, from))) {
    await deleteIfExists(client, API_BINDINGS, binding.metadata, options);
    await until(
      `unbinding "${from.name}" of "${from.path}"`,
      async (each) => {
        const left = await getIfExists(client, API_BINDINGS, binding.metadata, each);
        return left === undefined ? { done: true } : { waitingFor: whyNot(left) ?? 'it is still being removed' };
      },
      { ...options, timeoutMs: BOUND_WITHIN_MS },
    );
  }
}

/** The desired binding. Claims that others added to an existing binding stay. */
export function bindingManifest(name: string, wanted: WantedBinding, existing?: KubeObject): KubeObject {
  const ours = wanted.claims.map((claim) => ({ ...claim, selector: { matchAll: true }, state: 'Accepted' }));
  const others = claimsOf(existing).filter(
    (claim) => !wanted.claims.some(({ group, resource }) => (claim.group ?? '') === group && claim.resource === resource),
  );
  const permissionClaims = [...others, ...ours];
  return {
    apiVersion: 'apis.kcp.io/v1alpha2',
    kind: 'APIBinding',
    metadata: { name },
    spec: {
      reference: { export: { path: wanted.export.path, name: wanted.export.name } },
      ...(permissionClaims.length === 0 ? {} : { permissionClaims }),
    },
  };
}

interface BindingShape {
  readonly spec?: {
    readonly permissionClaims?: readonly { readonly group?: string; readonly resource?: string }[];
  };
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message?: string }[];
    readonly appliedPermissionClaims?: readonly unknown[];
  };
}

function shapeOf(binding: KubeObject | undefined): BindingShape {
  // A view on an object that kcp validated against its own schema; every field stays optional.
  return (binding ?? {}) as unknown as BindingShape;
}

function claimsOf(binding: KubeObject | undefined) {
  return shapeOf(binding).spec?.permissionClaims ?? [];
}

async function probeBound(
  client: ClusterClient,
  desired: KubeObject,
  wanted: WantedBinding,
  { signal, now }: { readonly signal: AbortSignal; readonly now: BindOptions['now'] },
): Promise<Probed<true>> {
  const name = desired.metadata.name ?? '';
  const binding = await client.get(API_BINDINGS, { name }, { signal });
  const former = now && formerCluster(binding, now.cluster);
  if (now && former !== undefined) return { waitingFor: now.howToRebind(former, name) };
  const { status } = shapeOf(binding);
  const applied = (status?.appliedPermissionClaims?.length ?? 0) >= wanted.claims.length;
  if (servesFormer(binding, now?.identity)) return { waitingFor: FORMER_TYPES };
  if (status?.phase === 'Bound' && applied) return { done: true };
  return {
    waitingFor: whyNot(binding) ?? (status?.phase === 'Bound' ? 'its claims are not applied yet' : `its phase is "${status?.phase ?? ''}"`),
  };
}

function whyNot(binding: KubeObject): string | undefined {
  return shapeOf(binding).status?.conditions?.find((condition) => condition.status === 'False')?.message;
}
