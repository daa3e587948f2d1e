import { ApiError, printNoun } from '../http/api-status.js';
import type { AccessAttributes } from './rbac.js';
import type { UserInfo } from '../authentication/user.js';

/** The 403 of the authorization chain: the same text for a missing right and for a missing cluster. */
export function accessDenied(user: UserInfo, wanted: AccessAttributes, suffix = ': access denied'): ApiError {
  const who = JSON.stringify(user.username);
  if (wanted.kind === 'path') {
    return new ApiError({
      code: 403,
      reason: 'Forbidden',
      message: `forbidden: User ${who} cannot ${wanted.verb} path ${JSON.stringify(wanted.path)}${suffix}`,
      details: {},
    });
  }
  const { group, resource, subresource, namespace, name, verb } = wanted;
  const noun = printNoun({ group, resource });
  const full = subresource === undefined ? resource : `${resource}/${subresource}`;
  const subject = name === undefined || name === '' ? noun : `${noun} ${JSON.stringify(name)}`;
  const place = namespace === undefined || namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(namespace)}`;
  return new ApiError({
    code: 403,
    reason: 'Forbidden',
    message: `${subject} is forbidden: User ${who} cannot ${verb} resource ${JSON.stringify(full)} in API group ${JSON.stringify(group)} ${place}${suffix}`,
    details: { ...(name === undefined || name === '' ? {} : { name }), ...(group === '' ? {} : { group }), kind: resource },
  });
}
