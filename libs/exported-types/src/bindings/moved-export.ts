// Bindings of an export that was deleted and made anew at the same path. kcp moves such a binding to the new export, but leaves the old value of the label by
// which the export's virtual workspace finds its bindings. kcp computes that label when the binding is made, and again when the label is changed.
import { createHash } from 'node:crypto';
import { isKcpError, type ClusterClient, type Connection, type Stoppable } from '@dep-ctrl/kcp-client';
import { clusterOf, type ExportRef, type KubeObject, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import { API_BINDINGS, API_EXPORTS } from '@dep-ctrl/kcp-objects';
import { exporterIn, exportReferenceOf } from './api-binding.js';

const EXPORT_LABEL = 'internal.apis.kcp.io/export';
// Another writer may write in between each time.
const ATTEMPTS = 5;

/** An export as it is now: its logical cluster, and the identity by which kcp keeps what is written through it, once it has one. */
export interface ExportNow {
  readonly cluster: LogicalClusterName;
  readonly identity: string | undefined;
}

/** The export as it is now; undefined where these credentials cannot read it. */
export async function readExport(connection: Connection, { path, name }: ExportRef, options: Stoppable): Promise<ExportNow | undefined> {
  try {
    const found = await connection.cluster(path).get(API_EXPORTS, { name }, options);
    const cluster = clusterOf(found);
    const { identityHash } = (found['status'] ?? {}) as { readonly identityHash?: string };
    return cluster.ok ? { cluster: cluster.value, identity: identityHash } : undefined;
  } catch (error) {
    if (isKcpError(error)) return undefined;
    throw error;
  }
}

/** Where a binding still points when kcp has not moved it to the export as it is now; undefined when it has, or was never bound. Pure. */
export function formerCluster(binding: KubeObject, now: LogicalClusterName): string | undefined {
  const bound = exporterIn(binding);
  return bound === now ? undefined : bound;
}

/** Repairs the label, so that the export finds its binding; whether that took a write. */
export async function repairLabel(client: ClusterClient, name: string, options: Stoppable): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    const binding = await client.get(API_BINDINGS, { name }, options);
    if (!isLabelledForAnother(binding)) return attempt > 1;
    if (attempt > ATTEMPTS)
      throw new Error(`binding "${name}" keeps the label of an export that is gone: delete the binding and bind again`);
    try {
      await client.replace(API_BINDINGS, withoutLabel(binding), options);
    } catch (error) {
      if (!isKcpError(error, 'conflict')) throw error;
    }
  }
}

/** Whether the label names another export than the one that the binding is bound to. Pure. */
export function isLabelledForAnother(binding: KubeObject): boolean {
  const cluster = exporterIn(binding);
  const { name } = exportReferenceOf(binding);
  const label = binding.metadata.labels?.[EXPORT_LABEL];
  return cluster !== undefined && name !== undefined && label !== undefined && label !== labelOf(cluster, name);
}

/** The binding without the label, so that kcp gives it the right one. Pure. */
export function withoutLabel(binding: KubeObject): KubeObject {
  const labels = Object.fromEntries(Object.entries(binding.metadata.labels ?? {}).filter(([key]) => key !== EXPORT_LABEL));
  return { ...binding, metadata: { ...binding.metadata, labels } };
}

/** Whether a binding is one to that export. Pure. */
export function refersTo(binding: KubeObject, { path, name }: ExportRef): boolean {
  const found = exportReferenceOf(binding);
  return found.name === name && found.path === path;
}

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** As kcp computes it: a hash as a number in base 62. */
function labelOf(cluster: string, name: string): string {
  let digits = '';
  for (let rest = BigInt(`0x${createHash('sha224').update(`${cluster}:${name}`).digest('hex')}`); rest > 0n; rest /= 62n) {
    digits = `${DIGITS.charAt(Number(rest % 62n))}${digits}`;
  }
  return digits;
}
