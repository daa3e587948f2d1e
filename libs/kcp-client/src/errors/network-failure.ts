import { KcpError } from './kcp-error.js';
import type { Asked } from './failure.js';

/** What Node says when it does not believe the server's certificate, and what a person can do about it. */
const CERTIFICATE_PROBLEMS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'the certificate of the server has expired',
  CERT_NOT_YET_VALID: 'the certificate of the server is not valid yet; compare the clocks',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the server has a self-signed certificate; put it into certificate-authority-data',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate of the server is not signed by the configured certificate authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate of the server is not signed by the configured certificate authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate of the server is not signed by the configured certificate authority',
  CERT_SIGNATURE_FAILURE: 'the certificate of the server is not signed by the configured certificate authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate of the server is for another name; fix the address or set tls-server-name',
  UND_ERR_PRX_TLS: 'the certificate of the server is for another name; fix the address or set tls-server-name',
};

const NETWORK_PROBLEMS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused; is the server running there?',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name could not be looked up',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the network',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was reset',
  UND_ERR_SOCKET: 'the connection was closed in the middle of the exchange',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  ETIMEDOUT: 'no connection in time',
  UND_ERR_BODY_TIMEOUT: 'the server fell silent in the middle of its answer',
  UND_ERR_HEADERS_TIMEOUT: 'no answer in time',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server does not speak TLS there; check scheme and port of the address',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'the server does not speak TLS there; check scheme and port of the address',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the answer ended early',
};

const TIMEOUTS: ReadonlySet<string> = new Set(['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT']);

/** Whether a failure says that the server's certificate was not believed (so nothing was sent), and other credentials may help. */
export function isCertificateFailure(failure: KcpError): boolean {
  const code = failure.code === 'unreachable' ? codeOf(failure.cause) : undefined;
  return code !== undefined && code in CERTIFICATE_PROBLEMS;
}

/** The error for an exchange that ended without a whole answer. */
export function networkFailure(asked: Asked, cause: unknown): KcpError {
  const code = codeOf(cause);
  const known = code === undefined ? undefined : (CERTIFICATE_PROBLEMS[code] ?? NETWORK_PROBLEMS[code]);
  return new KcpError({
    ...asked,
    code: code !== undefined && TIMEOUTS.has(code) ? 'timeout' : 'unreachable',
    problem: known === undefined ? (proxyProblem(cause) ?? messageOf(cause) ?? String(cause)) : `${known} (${String(code)})`,
    cause,
  });
}

/** What undici says of a proxy that opens no tunnel has no code of its own. */
function proxyProblem(cause: unknown): string | undefined {
  const [, status] = /^Proxy response \((\d{3})\)/u.exec(messageOf(cause) ?? '') ?? [];
  return status === undefined ? undefined : `the proxy refused to connect (${status})`;
}

function codeOf(cause: unknown): string | undefined {
  if (typeof cause !== 'object' || cause === null) return undefined;
  if ('errors' in cause && Array.isArray(cause.errors) && cause.errors.length > 0) return codeOf(cause.errors[0]); // one per address of the host
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
}

// Not instanceof: errors of Node's own may come from another realm.
function messageOf(cause: unknown): string | undefined {
  if (typeof cause !== 'object' || cause === null || !('message' in cause)) return undefined;
  return typeof cause.message === 'string' && cause.message !== '' ? cause.message : undefined;
}
