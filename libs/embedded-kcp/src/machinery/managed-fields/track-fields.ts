import type { KubeObject } from '@dep-ctrl/kcp-names';
import { withMetadata } from '../../json.js';
import type { WriteTarget } from '../write-target.js';

/** Who writes, and in which way. */
export interface FieldClaim {
  readonly operation: 'Update' | 'Apply';
  readonly manager: string;
}

/** The object with metadata.managedFields as they are after this write. */
export function claimFields(
  object: KubeObject,
  _previous: KubeObject | undefined,
  _claim: FieldClaim,
  _target: Pick<WriteTarget, 'definition' | 'version' | 'subresource'>,
  _nowMs: number,
): KubeObject {
  return withMetadata(object, { managedFields: undefined });
}
