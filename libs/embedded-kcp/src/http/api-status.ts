// The errors of the API, as metav1.Status bodies. Texts are those of a real kcp: clients and people match on them.
import { withoutUndefined } from '../json/json.js';
import { jsonReply, textReply, type ReplyHeaders, type WholeReply } from './reply.js';

/** Group and resource, for `details` and for texts. */
export interface ResourceNoun {
  readonly group: string;
  readonly resource: string;
}

/** One entry of `details.causes`. */
export interface StatusCause {
  readonly reason: string;
  readonly message: string;
  readonly field?: string;
}

/** The body of a refusal. */
export interface StatusBody {
  readonly code: number;
  readonly reason?: string | undefined;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  /** ListMeta of a Status: where an expired list may go on. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/** A refusal of the API server: thrown anywhere below the listener, answered there. */
export class ApiError extends Error {
  readonly body: StatusBody;
  readonly headers: ReplyHeaders;

  constructor(body: StatusBody, headers: ReplyHeaders = {}) {
    super(body.message);
    this.name = 'ApiError';
    this.body = body;
    this.headers = headers;
  }

  /** The HTTP status. */
  get code(): number {
    return this.body.code;
  }

  /** The response. */
  reply(): WholeReply {
    return jsonReply(this.body.code, statusObject(this.body), this.headers);
  }
}

/** A refusal in plain text, as Go's http.Error gives it where no API code is reached. */
export class PlainError extends Error {
  readonly code: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: number, text: string, headers: Readonly<Record<string, string>> = {}) {
    super(text);
    this.name = 'PlainError';
    this.code = code;
    this.headers = headers;
  }

  /** The response. */
  reply(): WholeReply {
    return textReply(this.code, this.message, this.headers);
  }
}

/** The Status object of a refusal. */
export function statusObject({ code, reason, message, details, metadata }: StatusBody): Readonly<Record<string, unknown>> {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: metadata ?? {},
    status: 'Failure',
    message,
    ...(reason === undefined ? {} : { reason }),
    ...(details === undefined ? {} : { details }),
    code,
  };
}

/** `vpcs.network.example.com`, as errors print a resource. */
export function printNoun({ group, resource }: ResourceNoun): string {
  return group === '' ? resource : `${resource}.${group}`;
}

function nounDetails({ group, resource }: ResourceNoun, name?: string): Record<string, unknown> {
  return { ...(name === undefined ? {} : { name }), ...(group === '' ? {} : { group }), kind: resource };
}

/** 404 of an object. */
export function notFound(noun: ResourceNoun, name: string): ApiError {
  return new ApiError({
    code: 404,
    reason: 'NotFound',
    message: `${printNoun(noun)} ${quote(name)} not found`,
    details: nounDetails(noun, name),
  });
}

/** 409 of a create. */
export function alreadyExists(noun: ResourceNoun, name: string): ApiError {
  return new ApiError({
    code: 409,
    reason: 'AlreadyExists',
    message: `${printNoun(noun)} ${quote(name)} already exists`,
    details: nounDetails(noun, name),
  });
}

/** 409 of a write or a precondition. */
export function conflict(noun: ResourceNoun, name: string, why: string): ApiError {
  return new ApiError({
    code: 409,
    reason: 'Conflict',
    message: `Operation cannot be fulfilled on ${printNoun(noun)} ${quote(name)}: ${why}`,
    details: nounDetails(noun, name),
  });
}

/** The usual reason of a conflict. */
export const OBJECT_MODIFIED = 'the object has been modified; please apply your changes to the latest version and try again';

/** 403 of admission and of authorizers that name a reason. */
export function forbidden(noun: ResourceNoun, name: string, why: string): ApiError {
  const subject = name === '' ? printNoun(noun) : `${printNoun(noun)} ${quote(name)}`;
  return new ApiError({
    code: 403,
    reason: 'Forbidden',
    message: `${subject} is forbidden: ${why}`,
    details: nounDetails(noun, name === '' ? undefined : name),
  });
}

/** 400 of a request that cannot be understood. */
export function badRequest(message: string): ApiError {
  return new ApiError({ code: 400, reason: 'BadRequest', message });
}

/** The 500 for a text that is no number, where kube-apiserver reads the text too late for a 400. */
export function unreadable(message: string): ApiError {
  return new ApiError({ code: 500, message });
}

/** 422: the object is understood but not valid. */
export function invalid(kind: { readonly group: string; readonly kind: string }, name: string, causes: readonly StatusCause[]): ApiError {
  const texts = [...new Set(causes.map(printProblem))];
  const list = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  const printed = kind.group === '' ? kind.kind : `${kind.kind}.${kind.group}`;
  return new ApiError({
    code: 422,
    reason: 'Invalid',
    message: `${printed} ${quote(name)} is invalid: ${list ?? ''}`,
    details: withoutUndefined({
      name: name || undefined,
      group: kind.group || undefined,
      kind: kind.kind || undefined,
      causes: causes.map(printCause),
    }),
  });
}

/** One problem as text: the field and the message. */
export function printProblem({ field, message }: StatusCause): string {
  return field === undefined ? message : `${field}: ${message}`;
}

function printCause({ reason, message, field }: StatusCause): Record<string, string> {
  return { reason, message, ...(field === undefined ? {} : { field }) };
}

/** 405: the resource exists but not for this verb. */
export function methodNotSupported(noun: ResourceNoun, action: string): ApiError {
  return new ApiError({
    code: 405,
    reason: 'MethodNotAllowed',
    message: `${action} is not supported on resources of kind ${quote(printNoun(noun))}`,
    details: nounDetails(noun),
  });
}

/** 406: none of the accepted forms can be produced. */
export function notAcceptable(accepted: readonly string[]): ApiError {
  return new ApiError({
    code: 406,
    reason: 'NotAcceptable',
    message: `only the following media types are accepted: ${accepted.join(', ')}`,
  });
}

/** 415: the body is in a form that is not read. */
export function unsupportedMediaType(accepted: readonly string[]): ApiError {
  return new ApiError({
    code: 415,
    reason: 'UnsupportedMediaType',
    message: `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  });
}

/** 410: the resource version or continue token is too old. */
export function expired(message: string): ApiError {
  return new ApiError({ code: 410, reason: 'Expired', message });
}

/** 404 of a resource that a virtual workspace does not serve. */
export function resourceNotServed(): ApiError {
  return new ApiError({ code: 404, reason: 'NotFound', message: 'the server could not find the requested resource', details: {} });
}

/** 500 as the API server words it. */
export function internalError(why: string): ApiError {
  return new ApiError({
    code: 500,
    reason: 'InternalError',
    message: `Internal error occurred: ${why}`,
    details: { causes: [{ message: why }] },
  });
}

/** 500 of the storage, in etcd's words. */
export function tooLargeToStore(): ApiError {
  return new ApiError({ code: 500, message: 'etcdserver: request is too large' });
}

/** The 501 for a feature that this server lacks. A real kcp never answers this. */
export function notEmulated(gap: string): ApiError {
  return new ApiError({ code: 501, reason: 'NotImplemented', message: `the embedded kcp does not cover ${gap}` });
}

/** 404 in plain text: no such path, no such group, no such resource. */
export function pageNotFound(): PlainError {
  return new PlainError(404, '404 page not found');
}

function quote(text: string): string {
  return JSON.stringify(text);
}
