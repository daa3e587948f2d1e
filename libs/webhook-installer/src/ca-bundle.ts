/*
 * The certificate authorities that API servers should trust. After a rotation the old ones stay for a while beside the new ones, because some replicas still
 * serve a certificate of the old CA. If a file only loses certificates, that is no rotation: an operator distrusts them, and they are dropped at once.
 * Pure: time is an argument.
 */
import { notParsed, parsed, type Parsed } from '@dep-ctrl/kcp-names';

/** The certificates of now, and those on their way out. */
export interface CaBundle {
  readonly current: readonly string[];
  readonly fading: readonly FadingCertificate[];
  /** Those that are not to be trusted any more, wherever they turn up. */
  readonly dropped: readonly string[];
}

/** A certificate that is trusted until a moment (milliseconds since the epoch). */
export interface FadingCertificate {
  readonly pem: string;
  readonly untilMs: number;
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----\s*([A-Za-z0-9+/=][A-Za-z0-9+/=\s]*)-----END CERTIFICATE-----/g;

/** The certificates of a PEM text, each in one spelling. Other blocks (keys) are a problem: they do not belong into a bundle. */
export function parseCertificates(pem: string): Parsed<readonly string[]> {
  if (/-----BEGIN (?!CERTIFICATE-----)/.test(pem))
    return notParsed('holds a PEM block that is not a certificate: only certificates belong there');
  const certificates = [...pem.matchAll(CERTIFICATE)].map(([, body]) => oneSpelling(body ?? ''));
  return certificates.length === 0 ? notParsed('holds no PEM certificate') : parsed([...new Set(certificates)]);
}

/** A bundle that nothing fades from. */
export function startCaBundle(certificates: readonly string[]): CaBundle {
  return { current: certificates, fading: [], dropped: [] };
}

/**
 * The bundle after its file held `certificates`: what the file no longer holds fades, or is dropped if nothing came instead; what is back is
 * trusted as before.
 */
export function followCaBundle(bundle: CaBundle, certificates: readonly string[], now: number, overlapMs: number): CaBundle {
  const isRotation = certificates.some((pem) => !bundle.current.includes(pem));
  const dropped = [...bundle.dropped, ...(isRotation ? [] : bundle.current)].filter((pem) => !certificates.includes(pem));
  return fadeInto({ ...bundle, current: certificates, dropped }, bundle.current, now, overlapMs);
}

/** The bundle with further certificates on their way out, found installed by an earlier process for example. */
export function fadeInto(bundle: CaBundle, certificates: readonly string[], now: number, overlapMs: number): CaBundle {
  const kept = bundle.fading.filter(({ pem, untilMs }) => untilMs > now && !bundle.current.includes(pem));
  const known = new Set([...bundle.current, ...bundle.dropped, ...kept.map(({ pem }) => pem)]);
  const added = [...new Set(certificates)].filter((pem) => !known.has(pem)).map((pem) => ({ pem, untilMs: now + overlapMs }));
  return { ...bundle, fading: [...kept, ...added] };
}

/** The PEM text to install now. Sorted: the same certificates give the same text. */
export function caBundleText(bundle: CaBundle, now: number): string {
  const trusted = [...bundle.current, ...bundle.fading.filter(({ untilMs }) => untilMs > now).map(({ pem }) => pem)];
  return [...new Set(trusted)].sort().join('');
}

/** When the text changes by itself next, or undefined when it does not. */
export function nextFadeMs(bundle: CaBundle, now: number): number | undefined {
  const moments = bundle.fading.map(({ untilMs }) => untilMs).filter((untilMs) => untilMs > now);
  return moments.length === 0 ? undefined : Math.min(...moments);
}

function oneSpelling(body: string): string {
  const lines = body.replace(/\s/g, '').replace(/.{64}(?=.)/g, '$&\n');
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}
