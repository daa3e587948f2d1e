import { parseKubeObject, type KubeObject } from '@dep-ctrl/kcp-names';
import { asStatus, statusFailure, type Asked } from '../errors/failure.js';
import { KcpError } from '../errors/kcp-error.js';
import type { RawResponse } from '../http/requester.js';

/** Throws `invalid-response` unless the answer says that it is JSON. */
export function expectJson(asked: Asked, { headers }: Pick<RawResponse, 'headers'>): void {
  const type = headers['content-type'];
  if (type !== undefined && /^application\/(?:[\w.-]+\+)?json\b/iu.test(type)) return;
  const came = type === undefined ? 'no content type' : `content type ${JSON.stringify(type)}`;
  throw invalidResponse(asked, `the answer has ${came} instead of application/json; is this address a kcp server?`);
}

/** Parses JSON that came from a server. */
export function parseJson(asked: Asked, bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (cause) {
    throw invalidResponse(asked, `the answer of ${bytes.length} bytes is not valid JSON`, cause);
  }
}

/** Reads one object from an answer. */
export function objectFrom(asked: Asked, response: RawResponse): KubeObject {
  expectJson(asked, response);
  const value = parseJson(asked, response.body);
  const status = asStatus(value);
  if (status?.status === 'Failure') throw statusFailure(asked, status);
  const object = parseKubeObject(value);
  if (!object.ok) throw invalidResponse(asked, `the answer is no Kubernetes object: ${object.problem}`);
  return object.value;
}

/** The error for an answer that is not what was asked for. */
export function invalidResponse({ asked, at }: Asked, problem: string, cause?: unknown): KcpError {
  return new KcpError({ code: 'invalid-response', asked, at, problem, ...(cause === undefined ? {} : { cause }) });
}
