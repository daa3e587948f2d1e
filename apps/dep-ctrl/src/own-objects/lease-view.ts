import type { V1LeaseSpec } from '@kubernetes/client-node';
import type { Wire } from '@dep-ctrl/kcp-client/client-node';
import type { KubeObject } from '@dep-ctrl/kcp-names';

/** In the Lease: the version of dep-ctrl that its holder runs. */
export const VERSION_ANNOTATION = 'dependencies.opendefense.cloud/version';

/** The leader, as its lease says. */
export interface LeaseView {
  /** Empty: it was released. */
  readonly holder: string;
  readonly version: string | undefined;
  readonly renewedAt: string | undefined;
  readonly ageText: string;
  /** Whether the holder renewed it within its duration. */
  readonly isFresh: boolean;
}

/** Reads a Lease; undefined where there is none. Pure. */
export function leaseView(lease: KubeObject | undefined, nowMs: number): LeaseView | undefined {
  if (lease === undefined) return undefined;
  const { holderIdentity, renewTime, leaseDurationSeconds = 0 } = (lease['spec'] ?? {}) as Wire<V1LeaseSpec>;
  const ageMs = renewTime === undefined ? Number.POSITIVE_INFINITY : Math.max(0, nowMs - Date.parse(renewTime));
  const version = lease.metadata.annotations?.[VERSION_ANNOTATION];
  return {
    holder: holderIdentity ?? '',
    version,
    renewedAt: renewTime,
    ageText: ageText(ageMs),
    isFresh: ageMs <= leaseDurationSeconds * 1_000,
  };
}

/** An age as people say it: `40 s`, `12 min`, `5 h`, `90 d`. */
export function ageText(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (!Number.isFinite(seconds)) return 'unknown time';
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}
