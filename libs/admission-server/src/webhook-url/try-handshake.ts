// Checks with a TLS handshake whether an address has a certificate for its host that a CA bundle verifies. Sends no request.
import type { Stoppable } from '@dep-ctrl/kcp-client';
import { once } from 'node:events';
import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { isFor } from '../certificates/serving-pair.js';
import { connectionProblem } from './connection-problem.js';

/** What a handshake is made with. */
export interface TlsAddress {
  /** A name or an address, without brackets. */
  readonly host: string;
  readonly port: number;
  /** PEM; absent: the CAs that Node trusts by itself. */
  readonly ca?: string;
}

/** Why a handshake failed, in words for people. */
export interface HandshakeFailure {
  readonly of: 'connection' | 'certificate';
  readonly problem: string;
  /** What to look at. */
  readonly cause: 'host' | 'dates' | 'authority' | 'network';
}

// A webhook that takes longer than this for a handshake has no time left for a review.
const WITHIN_MS = 5_000;

/** Shakes hands and hangs up. Undefined: all is well; also when the signal aborts first. Never rejects. */
export async function tryHandshake(address: TlsAddress, { signal }: Stoppable): Promise<HandshakeFailure | undefined> {
  try {
    await shakeHands(address, signal);
    return undefined;
  } catch (error) {
    return signal.aborted ? undefined : failureOf(error);
  }
}

async function shakeHands({ host, port, ca }: TlsAddress, signal: AbortSignal): Promise<void> {
  const socket = connect({
    host,
    port,
    ...(ca === undefined ? {} : { ca }),
    ...(isIP(host) === 0 ? { servername: host } : {}),
    allowPartialTrustChain: true, // kcp, which is written in Go, trusts whatever the bundle holds, a root or not
    checkServerIdentity: (_name, { raw }) => otherHost(new X509Certificate(raw), host),
    timeout: WITHIN_MS,
  });
  socket.on('error', () => undefined); // one that comes after the answer
  socket.once('timeout', () => socket.destroy(new Error(`no answer within ${WITHIN_MS / 1_000} s`)));
  try {
    await once(socket, 'secureConnect', { signal });
  } finally {
    socket.destroy();
  }
}

function otherHost(leaf: X509Certificate, host: string): Error | undefined {
  if (isFor(leaf, host)) return undefined;
  const { subjectAltName = 'no host' } = leaf;
  return Object.assign(new Error(`the certificate names another host: it is for ${subjectAltName}`), { code: OTHER_HOST });
}

function failureOf(error: unknown): HandshakeFailure {
  const { code, message } = decisive(error);
  if (code === OTHER_HOST) {
    return { of: 'certificate', problem: message, cause: 'host' };
  }
  const dates = DATES[code];
  if (dates !== undefined) return { of: 'certificate', problem: dates, cause: 'dates' };
  if (UNKNOWN_AUTHORITY.has(code)) return { of: 'certificate', problem: 'certificate signed by unknown authority', cause: 'authority' };
  return { of: 'connection', problem: code === 'ECONNRESET' ? CLOSED : (connectionProblem(code) ?? message), cause: 'network' };
}

/** Of several addresses of one host the failure of the first. */
function decisive(error: unknown): { readonly code: string; readonly message: string } {
  const { errors: [first] = [] } = error as { readonly errors?: readonly unknown[] }; // what Node's sockets fail with
  const { code = '', message } = (first ?? error) as NodeJS.ErrnoException;
  return { code, message };
}

const OTHER_HOST = 'ERR_TLS_CERT_ALTNAME_INVALID'; // as Node's own check calls it

const CLOSED = 'the connection was closed during the TLS handshake';

const DATES: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
};

const UNKNOWN_AUTHORITY: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_SIGNATURE_FAILURE',
]);
