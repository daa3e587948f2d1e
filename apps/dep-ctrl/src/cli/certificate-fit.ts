// Whether kcp can accept the certificate that is served. One for another host, or of a CA that kcp was not told of, starts just as well as the right
// one, and then kcp refuses every guarded delete. So it is said, and again whenever another certificate, CA or date changes the answer. Never more than
// said: something in between may end TLS with a certificate of its own, and a rotation passes by itself.
import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { rootCertificates } from 'node:tls';
import type { Clock, Logger } from '@dep-ctrl/kcp-client';
import { isVerifiedBy, type ReadServingPair } from '../webhook/serving-pair.js';

/** What kcp goes by; what is absent is not known here. */
export interface Expected {
  /** The host of the URL that kcp calls. */
  readonly host?: string;
  /** PEM of the CAs that kcp is told to trust. */
  readonly caBundle?: string;
  /** kcp is told of no CA, and so trusts the public ones of its hosts alone. */
  readonly isToldNoCa?: boolean;
}

/** Why kcp will not accept a certificate, as a log line: a constant message, and fields with what to do. */
export interface Misfit {
  readonly message: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** All reasons why kcp will not accept a certificate chain (PEM); none for a text that is no certificate. */
export function misfitsOf(certificate: string, { host, caBundle, isToldNoCa = false }: Expected, nowMs: number): readonly Misfit[] {
  const leaf = leafOf(certificate);
  if (leaf === undefined) return [];
  return [
    ...(host === undefined || isFor(leaf, host) ? [] : [otherHost(leaf, host)]),
    ...(caBundle === undefined || isVerifiedBy({ certificate, key: '' }, caBundle) ? [] : [otherAuthority(leaf)]),
    ...(isToldNoCa && !isOfPublicRoots(certificate) ? [noAuthority(leaf)] : []),
    ...(nowMs > Date.parse(leaf.validTo) ? [expired(leaf)] : []),
    ...(nowMs < Date.parse(leaf.validFrom) ? [early(leaf)] : []),
  ];
}

/** The same pairs, with a warning whenever the reasons why kcp will not accept them are others than at the last look. */
export function warnOfMisfits(
  read: ReadServingPair,
  { expected, clock, logger }: { readonly expected: () => Expected; readonly clock: Pick<Clock, 'now'>; readonly logger: Logger },
): ReadServingPair {
  let told = NOTHING;
  return async (options) => {
    const pair = await read(options);
    const misfits = misfitsOf(pair.certificate, expected(), clock.now());
    const found = JSON.stringify(misfits);
    if (found === told) return pair;
    told = found;
    for (const { message, fields } of misfits) logger.warn(message, fields);
    if (found === NOTHING) logger.info('certificate in --tls-cert-dir is what kcp expects again');
    return pair;
  };
}

const NOTHING = JSON.stringify([]);

// The hosts of kcp have about the roots that Node has. A certificate is looked at every other second, and to read all roots takes some 10 ms.
const isOfPublicRoots = rememberingTheLast((certificate: string) => isVerifiedBy({ certificate, key: '' }, rootCertificates.join('\n')));

function rememberingTheLast<T>(answer: (asked: string) => T): (asked: string) => T {
  let last: { readonly asked: string; readonly answered: T } | undefined;
  return (asked) => {
    if (last?.asked !== asked) last = { asked, answered: answer(asked) };
    return last.answered;
  };
}

function leafOf(certificate: string): X509Certificate | undefined {
  try {
    return new X509Certificate(certificate);
  } catch {
    return undefined;
  }
}

/** As kcp, which is written in Go, compares: the common name counts for nothing, and a wildcard is a whole label. */
function isFor(leaf: X509Certificate, host: string): boolean {
  if (isIP(host) !== 0) return leaf.checkIP(host) !== undefined;
  return leaf.checkHost(host, { subject: 'never', partialWildcards: false }) !== undefined;
}

function otherHost({ subjectAltName = 'no host' }: X509Certificate, host: string): Misfit {
  return {
    message: 'certificate in --tls-cert-dir is not for the host that kcp calls',
    fields: {
      host,
      isFor: subjectAltName,
      mend: `give --webhook-url a host that the certificate is for, or put one for "${host}" into --tls-cert-dir: until then kcp refuses every guarded delete, unless something in between ends TLS`,
    },
  };
}

// A CA may have no name; Node then gives undefined, whatever its types say.
function otherAuthority({ issuer = 'a CA without a name' }: { readonly issuer?: string }): Misfit {
  return {
    message: 'certificate in --tls-cert-dir is not verified by --webhook-ca-bundle-path',
    fields: {
      issuer: issuer.replaceAll('\n', ', '),
      mend: 'put the CA that signed tls.crt into the file, and what is between them into tls.crt behind the certificate: until then kcp refuses every guarded delete, unless something in between ends TLS or this is a rotation, which passes by itself',
    },
  };
}

function noAuthority({ issuer = 'a CA without a name' }: { readonly issuer?: string }): Misfit {
  return {
    message: 'certificate in --tls-cert-dir is not of a public CA, and kcp is told of no other',
    fields: {
      issuer: issuer.replaceAll('\n', ', '),
      mend: `give --webhook-ca-bundle-path FILE, with the CA that signed tls.crt, or tls.crt itself where it signed itself; and put what is between them into tls.crt behind the certificate: ${UNTIL_THEN}, unless its hosts trust this CA or something in between ends TLS`,
    },
  };
}

function expired({ validTo }: X509Certificate): Misfit {
  return {
    message: 'certificate in --tls-cert-dir has expired',
    fields: { expired: new Date(validTo).toISOString(), mend: `renew it: ${UNTIL_THEN}` },
  };
}

function early({ validFrom }: X509Certificate): Misfit {
  return {
    message: 'certificate in --tls-cert-dir is not valid yet',
    fields: { validFrom: new Date(validFrom).toISOString(), mend: `see to the clock of this machine, or renew it: ${UNTIL_THEN}` },
  };
}

const UNTIL_THEN = 'until then kcp refuses every guarded delete';
