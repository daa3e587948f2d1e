import { notParsed, parsed, recordAt, type GroupVersionResource, type KubeObject, type Parsed } from '@dep-ctrl/kcp-names';
import type { LeaseView } from './election-step.js';

/** The type of the leases. */
export const LEASES: GroupVersionResource = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' };

/** Reads a Lease. One without a holder counts as released. */
export function parseLease(lease: KubeObject): Parsed<LeaseView> {
  const { resourceVersion } = lease.metadata;
  if (resourceVersion === undefined) return notParsed('the lease has no resourceVersion');
  const { holderIdentity, leaseDurationSeconds, leaseTransitions, acquireTime, renewTime } = recordAt(lease, 'spec');
  return parsed({
    resourceVersion,
    holder: typeof holderIdentity === 'string' ? holderIdentity : '',
    durationMs: typeof leaseDurationSeconds === 'number' ? leaseDurationSeconds * 1000 : 0,
    transitions: typeof leaseTransitions === 'number' ? leaseTransitions : 0,
    ...(typeof acquireTime === 'string' ? { acquireTime } : {}),
    ...(typeof renewTime === 'string' ? { renewTime } : {}),
  });
}

/** The holder of a lease from now on. */
export interface LeaseClaim {
  readonly namespace: string;
  readonly name: string;
  readonly holder: string;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  readonly durationMs: number;
  /** Wall clock, for people; and it has to differ from the last one, or the write would change nothing. */
  readonly nowMs: number;
}

/** The Lease to write; `from` is the one to replace. */
export function leaseObject(claim: LeaseClaim, from: LeaseView | undefined): KubeObject {
  const { namespace, name, holder, annotations, durationMs, nowMs } = claim;
  const time = microTime(nowMs);
  const renewTime = time === from?.renewTime ? microTime(nowMs, 1) : time;
  const changesHands = from?.holder !== holder;
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: {
      namespace,
      name,
      ...(annotations === undefined ? {} : { annotations }),
      ...(from === undefined ? {} : { resourceVersion: from.resourceVersion }),
    },
    spec: {
      holderIdentity: holder,
      leaseDurationSeconds: Math.max(1, Math.ceil(durationMs / 1000)),
      acquireTime: changesHands ? renewTime : (from.acquireTime ?? renewTime),
      renewTime,
      leaseTransitions: from === undefined ? 0 : from.transitions + (changesHands && holder !== '' ? 1 : 0),
    },
  };
}

/** Kubernetes' MicroTime: six digits behind the second. */
function microTime(ms: number, micros = 0): string {
  return new Date(ms).toISOString().replace('Z', `${String(micros).padStart(3, '0')}Z`);
}
