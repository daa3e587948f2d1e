import { ApiError } from '../../http/api-status.js';

/** 405 of a method that the resource does not have at this place. */
export function methodNotAllowed(): ApiError {
  return new ApiError({
    code: 405,
    reason: 'MethodNotAllowed',
    message: 'the server does not allow this method on the requested resource',
    details: {},
  });
}
