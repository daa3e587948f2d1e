// Claims with a label selector: objects that are written through the virtual workspace get its labels and may not contradict them.
import { ApiError } from '../http/api-status.js';
import { stringMapAt, withLabels } from '../json/json.js';
import { selectsLabels, type PermissionClaim } from '../kcp/kinds/permission-claims.js';
import type { KubeObject } from '@dep-ctrl/kcp-names';

/** The object with the labels of the selector filled in. Throws 403 if the object contradicts the selector. */
export function fitToSelector(object: KubeObject, claim: PermissionClaim): KubeObject {
  const wanted = stringMapAt(claim.selector, 'matchLabels');
  const labels = object.metadata.labels ?? {};
  for (const [key, value] of Object.entries(wanted)) {
    if ((labels[key] ?? value) !== value) throw refused(`protected label ${key} must have value ${value}`);
  }
  const fitted = Object.keys(wanted).length === 0 ? object : withLabels(object, wanted);
  if (!selectsLabels(claim, fitted.metadata.labels)) throw refused('object does not match required labels');
  return fitted;
}

function refused(message: string): ApiError {
  return new ApiError({ code: 403, reason: 'Forbidden', message, details: {} });
}
