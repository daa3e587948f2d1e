// The labels by which an APIExport's virtual workspace finds claimed objects, and the hashes in them.
import { createHash } from 'node:crypto';
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import { arrayAt, isRecord, stringAt, stringsAt, valueAt, type JsonRecord } from '../../json/json.js';
import { matchesLabels, readLabelSelector } from '../../machinery/resources/label-selector.js';

/** The prefix of labels on claimed objects. */
export const CLAIM_LABEL_PREFIX = 'claimed.internal.apis.kcp.io/';
/** The label on bindings that names their export. */
export const EXPORT_LABEL = 'internal.apis.kcp.io/export';
/** The type that a claim is for. */
export interface ClaimIdentity {
  readonly group: string;
  readonly resource: string;
  readonly identityHash: string;
}

/** A claim of an export or a binding. */
export interface PermissionClaim extends ClaimIdentity {
  readonly verbs: readonly string[];
  /** Of bindings only. */
  readonly accepted: boolean;
  readonly selector: JsonRecord;
}

/** The claims of an APIExport or APIBinding (v1alpha2). */
export function readClaims(object: unknown): readonly PermissionClaim[] {
  return arrayAt(object, 'spec', 'permissionClaims').map((claim) => {
    const selector = valueAt(claim, 'selector');
    return {
      group: stringAt(claim, 'group') ?? '',
      resource: stringAt(claim, 'resource') ?? '',
      identityHash: stringAt(claim, 'identityHash') ?? '',
      verbs: stringsAt(claim, 'verbs'),
      accepted: stringAt(claim, 'state') === 'Accepted',
      selector: isRecord(selector) ? selector : { matchAll: true },
    };
  });
}

/** Whether a claim's selector takes in an object with these labels. */
export function selectsLabels({ selector }: PermissionClaim, labels: Readonly<Record<string, string>> | undefined): boolean {
  return selector['matchAll'] === true || matchesLabels(readLabelSelector(selector), labels);
}

/** The hash of an export: the last part of claim labels and the value of the export label. */
export function exportHash(cluster: LogicalClusterName, name: string): string {
  return base62(createHash('sha224').update(`${cluster}:${name}`).digest());
}

/** The value of a claim label. Field order and the null are part of the hashed text. */
export function claimHash({ group, resource, identityHash }: ClaimIdentity): string {
  const claim = {
    ...(group === '' ? {} : { group }),
    resource,
    verbs: null,
    ...(identityHash === '' ? {} : { identityHash }),
  };
  return base62(createHash('sha224').update(JSON.stringify(claim)).digest());
}

/** The key of an export's claim labels. */
export function claimLabelKey(cluster: LogicalClusterName, exportName: string): string {
  return `${CLAIM_LABEL_PREFIX}${exportHash(cluster, exportName)}`;
}

// Not a hash: kcp marks bindings that did not claim themselves with a fixed pattern of bytes.
const REFLEXIVE_BYTES = Uint8Array.from({ length: 28 }, (_, index) => index % 10);

/** The claim label's value on a binding to the export itself, when no claim for bindings was accepted. */
export function reflexiveHash(): string {
  return base62(REFLEXIVE_BYTES);
}

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** A big-endian number in base 62, without padding. */
export function base62(bytes: Uint8Array): string {
  let value = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let digits = '';
  while (value > 0n) {
    digits = (DIGITS[Number(value % 62n)] ?? '') + digits;
    value /= 62n;
  }
  return digits === '' ? '0' : digits;
}
