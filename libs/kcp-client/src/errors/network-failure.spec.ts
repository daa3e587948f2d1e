import { describe, expect, it } from '@jest/globals';
import { isCertificateFailure, networkFailure } from './network-failure.js';
import { KcpError } from './kcp-error.js';

const AT = { asked: 'get it', at: 'https://kcp' };
const withCode = (code: string) => Object.assign(new Error(`says ${code}`), { code });

const UNTRUSTED = 'the certificate of the server is not signed by the configured certificate authority';
const OTHER_NAME = 'the certificate of the server is for another name; fix the address or set tls-server-name';
const CERTIFICATES = [
  ['CERT_HAS_EXPIRED', 'the certificate of the server has expired'],
  ['CERT_NOT_YET_VALID', 'the certificate of the server is not valid yet; compare the clocks'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'the server has a self-signed certificate; put it into certificate-authority-data'],
  ['SELF_SIGNED_CERT_IN_CHAIN', UNTRUSTED],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', UNTRUSTED],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', UNTRUSTED],
  ['CERT_SIGNATURE_FAILURE', UNTRUSTED],
  ['ERR_TLS_CERT_ALTNAME_INVALID', OTHER_NAME],
  ['UND_ERR_PRX_TLS', OTHER_NAME],
] as const;
const NO_TLS = 'the server does not speak TLS there; check scheme and port of the address';
const UNREACHABLE = [
  ['ECONNREFUSED', 'connection refused; is the server running there?'],
  ['ENOTFOUND', 'the host name is unknown'],
  ['EAI_AGAIN', 'the host name could not be looked up'],
  ['EHOSTUNREACH', 'no route to the host'],
  ['ENETUNREACH', 'no route to the network'],
  ['ECONNRESET', 'the connection was reset'],
  ['EPIPE', 'the connection was reset'],
  ['UND_ERR_SOCKET', 'the connection was closed in the middle of the exchange'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', NO_TLS],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', NO_TLS],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'the answer ended early'],
] as const;
const TIMEOUTS = [
  ['UND_ERR_CONNECT_TIMEOUT', 'no connection in time'],
  ['ETIMEDOUT', 'no connection in time'],
  ['UND_ERR_BODY_TIMEOUT', 'the server fell silent in the middle of its answer'],
  ['UND_ERR_HEADERS_TIMEOUT', 'no answer in time'],
] as const;

describe(networkFailure, () => {
  it.each([
    ...[...CERTIFICATES, ...UNREACHABLE].map(([code, says]) => ({ code, says, expected: 'unreachable' })),
    ...TIMEOUTS.map(([code, says]) => ({ code, says, expected: 'timeout' })),
  ])('given $code, then it is $expected and says what can be done', ({ code, says, expected }) => {
    const cause = withCode(code);

    const failure = networkFailure(AT, cause);

    expect([failure.code, failure.message, failure.cause]).toEqual([expected, `cannot get it at https://kcp: ${says} (${code})`, cause]);
  });

  it.each<{ given: string; cause: unknown; says: string }>([
    { given: 'a code that nobody knows', cause: withCode('EODD'), says: 'says EODD' },
    { given: 'an error without a code', cause: new Error('odd'), says: 'odd' },
    { given: 'a code that is no text', cause: Object.assign(new Error('odd'), { code: 7 }), says: 'odd' },
    { given: 'an error of another realm', cause: { message: 'odd' }, says: 'odd' },
    { given: 'an error without a message', cause: new TypeError(''), says: 'TypeError' },
    { given: 'a message that is no text', cause: { message: 7, toString: () => 'odd' }, says: 'odd' },
    { given: 'a text', cause: 'odd', says: 'odd' },
    { given: 'nothing', cause: null, says: 'null' },
    {
      given: 'the first of an error for each address of the host',
      cause: Object.assign(new Error(''), { errors: [withCode('ECONNREFUSED'), withCode('ENETUNREACH')] }),
      says: 'connection refused; is the server running there? (ECONNREFUSED)',
    },
    {
      given: 'an error for no address, with a code of its own',
      cause: Object.assign(withCode('EPIPE'), { errors: [] }),
      says: 'the connection was reset (EPIPE)',
    },
    {
      given: 'errors that are no list',
      cause: Object.assign(withCode('EPIPE'), { errors: 'x' }),
      says: 'the connection was reset (EPIPE)',
    },
    { given: 'a proxy that refuses', cause: new Error('Proxy response (403) !== 200'), says: 'the proxy refused to connect (403)' },
    { given: 'what only speaks of a proxy', cause: new Error('no Proxy response (403)'), says: 'no Proxy response (403)' },
  ])('given $given, then it is unreachable and says so', ({ cause, says }) => {
    const failure = networkFailure(AT, cause);

    expect([failure.code, failure.message]).toEqual(['unreachable', `cannot get it at https://kcp: ${says}`]);
  });
});

describe(isCertificateFailure, () => {
  it.each([
    ...CERTIFICATES.map(([code]) => ({ given: code, failure: networkFailure(AT, withCode(code)), expected: true })),
    { given: 'a refused connection', failure: networkFailure(AT, withCode('ECONNREFUSED')), expected: false },
    { given: 'a failure without a code', failure: networkFailure(AT, new Error('odd')), expected: false },
    {
      given: 'a refusal of kcp that a bad certificate caused elsewhere',
      failure: new KcpError({ ...AT, code: 'forbidden', problem: 'no', cause: withCode('CERT_HAS_EXPIRED') }),
      expected: false,
    },
  ])('given $given, then it is $expected', ({ failure, expected }) => {
    expect(isCertificateFailure(failure)).toBe(expected);
  });
});
