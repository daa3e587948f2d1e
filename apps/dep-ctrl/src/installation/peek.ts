// Reads what an HTTPS address shows without credentials: whether it answers, its certificate, and its clock. Accepts any certificate, so that a wrong one
// can be described. Sends no credentials.
import { request } from 'node:https';
import { isIP } from 'node:net';
import { TLSSocket } from 'node:tls';
import { connectionProblem, isFor } from '@dep-ctrl/admission-server';

/** What was seen. `proxied`: a proxy leads there, and nothing can be seen from here. */
export type Peek =
  | {
      readonly state: 'answered';
      readonly status: number;
      /** How far its clock is ahead of the one here. */
      readonly skewMs?: number;
      readonly certificate: SeenCertificate;
    }
  | { readonly state: 'silent'; readonly problem: string }
  | { readonly state: 'proxied' };

/** A certificate, judged by what its client trusts. */
export interface SeenCertificate {
  readonly names: string;
  readonly issuer: string;
  readonly validFromMs: number;
  readonly validToMs: number;
  readonly isForHost: boolean;
  readonly isTrusted: boolean;
}

/** The address, and the CAs that its clients trust. */
export interface PeekTarget {
  readonly url: string;
  /** PEM; absent: the CAs that Node trusts by itself. */
  readonly ca?: string | undefined;
  /** The name to expect in the certificate, where it is not the host. */
  readonly serverName?: string | undefined;
}

/** The time of one look. */
export const PEEK_MS = 4_000;

/** Looks once. Never rejects, unless the signal aborts. */
export function peek(target: PeekTarget, { now, signal }: { readonly now: () => number; readonly signal: AbortSignal }): Promise<Peek> {
  const { url, ca, serverName } = target;
  const { hostname } = new URL(url);
  const host = serverName ?? hostname.replace(/^\[(.*)\]$/, '$1');
  return new Promise((resolve, reject) => {
    const limit = AbortSignal.timeout(PEEK_MS);
    const begunMs = now();
    const asked = request(
      url,
      {
        agent: false,
        rejectUnauthorized: false,
        ...(ca === undefined ? {} : { ca }),
        allowPartialTrustChain: true, // as kcp, which is written in Go
        signal: AbortSignal.any([signal, limit]),
        ...(isIP(host) === 0 ? { servername: host } : {}),
      },
      (answer) => {
        const certificate = answer.socket instanceof TLSSocket ? seen(answer.socket, host) : undefined;
        const dateMs = Date.parse(answer.headers.date ?? '');
        answer.destroy();
        if (certificate === undefined) {
          resolve({ state: 'silent', problem: 'it shows no certificate' });
          return;
        }
        // The header has no fractions of a second.
        const skewMs = Number.isNaN(dateMs) ? {} : { skewMs: dateMs + 500 - (begunMs + now()) / 2 };
        resolve({ state: 'answered', status: answer.statusCode ?? 0, ...skewMs, certificate });
      },
    );
    asked.on('error', (error: NodeJS.ErrnoException) => {
      if (signal.aborted) reject(error);
      else
        resolve({
          state: 'silent',
          problem: limit.aborted ? `no answer within ${PEEK_MS / 1_000} s` : (connectionProblem(error.code ?? '') ?? error.message),
        });
    });
    asked.end();
  });
}

function seen(socket: TLSSocket, host: string): SeenCertificate | undefined {
  const leaf = socket.getPeerX509Certificate();
  if (leaf === undefined) return undefined;
  return {
    names: leaf.subjectAltName ?? 'no host',
    issuer: leaf.issuer.replaceAll('\n', ', '),
    validFromMs: Date.parse(leaf.validFrom),
    validToMs: Date.parse(leaf.validTo),
    isForHost: isFor(leaf, host),
    isTrusted: isTrusted(socket),
  };
}

/** Whether the chain is trusted; names and dates are judged by themselves. Node says which check failed as a code, whatever its types say. */
function isTrusted({ authorized, authorizationError }: TLSSocket): boolean {
  const failed = authorizationError as unknown;
  const code = typeof failed === 'string' ? failed : ((failed as NodeJS.ErrnoException | null)?.code ?? '');
  return authorized || NOT_OF_TRUST.has(code);
}

const NOT_OF_TRUST: ReadonlySet<string> = new Set(['ERR_TLS_CERT_ALTNAME_INVALID', 'CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID']);
