// A webhook as specs have it: how it refuses what others refer to, and the annotation that it heeds.
import type { KcpError } from '@dep-ctrl/kcp-client';

export const SKIP_ANNOTATION = 'example.com/skip';

export function isReferenced({ statusBody }: KcpError): boolean {
  return statusBody?.details?.causes?.some(({ reason }) => reason === 'StillReferenced') === true;
}
