// Checks whether kcp can accept the served certificate. A certificate for another host, or of a CA that kcp does not trust, starts like the right one, but
// then kcp refuses every guarded delete. So the check logs each problem, and logs again when another certificate, CA or date changes the result. Of what is
// served it only warns: a proxy in between may end TLS with a certificate of its own, and a rotation passes by itself.
import { X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { isDeepStrictEqual } from 'node:util';
import type { Clock, Logger, ReadinessCheck } from '@dep-ctrl/kcp-client';
import { hostOf } from './host-of.js';
import { isFor, isVerifiedBy, type ServingPair } from './serving-pair.js';

/** The host and the CA that kcp expects; absent: not known here. */
export interface Expected {
  /** The host of the URL that kcp calls. */
  readonly host?: string;
  /** The hosts by which reviews came. */
  readonly calledBy?: readonly string[];
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

/** The names of flags and the consequence, for messages. */
export interface CertificateWords {
  /** Where the certificate comes from: `--tls-cert-dir`. */
  readonly certificate: string;
  /** What says where kcp calls: `--webhook-url`. */
  readonly url: string;
  /** What says which CAs kcp trusts: `--webhook-ca-bundle-path`. */
  readonly caBundle: string;
  /** What kcp does as long as it does not accept the certificate: `kcp refuses every request`. */
  readonly consequence: string;
}

/** All reasons why kcp will not accept a certificate chain (PEM); none for a text that is no certificate. */
export function misfitsOf(
  certificate: string,
  { host, calledBy = [], caBundle, isToldNoCa = false }: Expected,
  { nowMs, words }: { readonly nowMs: number; readonly words: CertificateWords },
): readonly Misfit[] {
  const leaf = leafOf(certificate);
  if (leaf === undefined) return [];
  return [
    ...(host === undefined || isFor(leaf, host) ? [] : [otherHost(leaf, host, words)]),
    ...(calledBy.length === 0 || calledBy.some((each) => isFor(leaf, each)) ? [] : [otherCaller(leaf, calledBy, words)]),
    ...(caBundle === undefined || isVerifiedBy({ certificate, key: '' }, caBundle) ? [] : [otherAuthority(leaf, words)]),
    ...(isToldNoCa && !isOfPublicRoots(certificate) ? [noAuthority(leaf, words)] : []),
    ...(nowMs > Date.parse(leaf.validTo) ? [expired(leaf, words)] : []),
    ...(nowMs < Date.parse(leaf.validFrom) ? [early(leaf, words)] : []),
  ];
}

/** What {@link CertificateFit} needs. */
export interface CertificateFitDependencies {
  /** Without a host: the webhook is alone here, and goes by the hosts by which reviews come. */
  readonly expected: () => Expected;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
  readonly words: CertificateWords;
}

/** What a pair would replace, and the hosts by which kcp's configurations call. */
export interface Replacing {
  readonly served: ServingPair | undefined;
  readonly hosts: readonly string[];
}

/** Judges pairs, and warns when the reasons why kcp will not accept one have changed. */
export class CertificateFit {
  readonly #dependencies: CertificateFitDependencies;
  /** The latest last. */
  #calledBy: readonly string[] = [];
  #leaf: X509Certificate | undefined;
  #misfits: readonly Misfit[] = [];

  constructor(dependencies: CertificateFitDependencies) {
    this.#dependencies = dependencies;
  }

  /** For `readyz?verbose`. */
  readonly readiness: ReadinessCheck = {
    name: 'certificate',
    check: () =>
      this.#misfits.length === 0 ? { ready: true } : { ready: true, note: this.#misfits.map(({ message }) => message).join('; ') },
  };

  /**
   * Why kcp would not accept a pair, whatever its CA, although it accepts the one that is served: it is for another host, or another time. Where something in
   * between ends TLS, the one that is served is for no host that kcp calls either. Without the role that says where kcp calls, `hosts` are those of the
   * configurations that kcp has.
   */
  misfitOf(pair: ServingPair, { served, hosts }: Replacing): string | undefined {
    const { clock, words, expected } = this.#dependencies;
    const { host } = expected();
    const called = host === undefined ? { calledBy: hosts } : { host };
    const of = ({ certificate }: ServingPair) => misfitsOf(certificate, called, { nowMs: clock.now(), words });
    const alike = new Set((served === undefined ? [] : of(served)).map(({ message }) => message));
    const misfit = of(pair).find(({ message }) => !alike.has(message));
    if (misfit === undefined) return undefined;
    const { fix: _, ...found } = misfit.fields;
    return `${misfit.message} (${Object.entries(found)
      .map(([name, value]) => `${name}: ${value}`)
      .join('; ')})`;
  }

  /** Says what is new about a pair that is served, or is to be. */
  judge({ certificate }: ServingPair): void {
    const { clock, words } = this.#dependencies;
    this.#leaf = leafOf(certificate);
    this.#say(misfitsOf(certificate, this.#expected(), { nowMs: clock.now(), words }));
  }

  /**
   * Notes by which host (the header of that name) a review came. Not where the certificate is for another: then something in between ends TLS, and what
   * it goes by is not known here.
   */
  calledAs(header: string | undefined): void {
    const host = hostIn(header);
    if (host === undefined || this.#calledBy.includes(host) || this.#leaf === undefined || !isFor(this.#leaf, host)) return;
    this.#calledBy = [...this.#calledBy, host].slice(-MOST_HOSTS);
  }

  #expected(): Expected {
    const expected = this.#dependencies.expected();
    return expected.host === undefined ? { ...expected, calledBy: this.#calledBy } : expected;
  }

  #say(misfits: readonly Misfit[]): void {
    if (isDeepStrictEqual(misfits, this.#misfits)) return;
    const { logger, words } = this.#dependencies;
    this.#misfits = misfits;
    for (const { message, fields } of misfits) logger.warn(message, fields);
    if (misfits.length === 0) logger.info(`certificate in ${words.certificate} is what kcp expects again`);
  }
}

// An installation is called by one name, or by two while it moves.
const MOST_HOSTS = 4;

function hostIn(header = ''): string | undefined {
  const url = `https://${header}`;
  return URL.canParse(url) ? hostOf(url) : undefined;
}

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

function otherHost({ subjectAltName = 'no host' }: X509Certificate, host: string, words: CertificateWords): Misfit {
  return {
    message: `certificate in ${words.certificate} is not for the host that kcp calls`,
    fields: {
      host,
      isFor: subjectAltName,
      fix: `give ${words.url} a host that the certificate is for, or put one for "${host}" into ${words.certificate}: until then ${words.consequence}, unless something in between ends TLS`,
    },
  };
}

function otherCaller({ subjectAltName = 'no host' }: X509Certificate, hosts: readonly string[], words: CertificateWords): Misfit {
  const [host] = hosts.slice(-1);
  return {
    message: `certificate in ${words.certificate} is for no host that kcp calls`,
    fields: {
      host: hosts.join(', '),
      isFor: subjectAltName,
      fix: `put a certificate for "${host}" into ${words.certificate}: else ${words.consequence}, within minutes or when it connects again`,
    },
  };
}

// A CA may have no name; Node then gives undefined, whatever its types say.
function otherAuthority({ issuer = 'a CA without a name' }: { readonly issuer?: string }, words: CertificateWords): Misfit {
  return {
    message: `certificate in ${words.certificate} is not verified by ${words.caBundle}`,
    fields: {
      issuer: issuer.replaceAll('\n', ', '),
      fix: `put the CA that signed tls.crt into the file, and what is between them into tls.crt behind the certificate: until then ${words.consequence}, unless something in between ends TLS or this is a rotation, which passes by itself`,
    },
  };
}

function noAuthority({ issuer = 'a CA without a name' }: { readonly issuer?: string }, words: CertificateWords): Misfit {
  return {
    message: `certificate in ${words.certificate} is not of a public CA, and kcp is told of no other`,
    fields: {
      issuer: issuer.replaceAll('\n', ', '),
      fix: `give ${words.caBundle} FILE, with the CA that signed tls.crt, or tls.crt itself where it signed itself; and put what is between them into tls.crt behind the certificate: until then ${words.consequence}, unless its hosts trust this CA or something in between ends TLS`,
    },
  };
}

function expired({ validTo }: X509Certificate, words: CertificateWords): Misfit {
  return {
    message: `certificate in ${words.certificate} has expired`,
    fields: { expired: new Date(validTo).toISOString(), fix: `renew it: until then ${words.consequence}` },
  };
}

function early({ validFrom }: X509Certificate, words: CertificateWords): Misfit {
  return {
    message: `certificate in ${words.certificate} is not valid yet`,
    fields: {
      validFrom: new Date(validFrom).toISOString(),
      fix: `see to the clock of this machine, or renew it: until then ${words.consequence}`,
    },
  };
}
