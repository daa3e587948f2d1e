import type { Stoppable } from '@dep-ctrl/kcp-client';
import { X509Certificate, createPrivateKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { notParsed, parsed, type Parsed } from '@dep-ctrl/kcp-names';

/** What the server proves itself with: a certificate chain and its key, both PEM. */
export interface ServingPair {
  readonly certificate: string;
  readonly key: string;
}

/** Where the pair comes from; asked again and again, so that a renewed one is noticed. Rejects with a reason for people. */
export type ReadServingPair = (options: Stoppable) => Promise<ServingPair>;

/** A pair that belongs together, with what an operator wants to know of it. */
export interface CheckedPair extends ServingPair {
  readonly expiresAtMs: number;
  readonly fingerprint: string;
}

/** Reads `tls.crt` and `tls.key` of a directory, the way Kubernetes mounts a TLS Secret. */
export function pairFromDirectory(directory: string): ReadServingPair {
  return async ({ signal }) => {
    const read = async (file: string): Promise<string> => {
      const path = join(directory, file);
      try {
        return await readFile(path, { encoding: 'utf8', signal });
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException; // what readFile throws
        throw new Error(`cannot read ${path}: ${code === 'ENOENT' ? 'no such file' : String(code)}`, { cause: error });
      }
    };
    return { certificate: await read('tls.crt'), key: await read('tls.key') };
  };
}

/** Whether certificate and key belong together. */
export function checkPair({ certificate, key }: ServingPair): Parsed<CheckedPair> {
  let leaf: X509Certificate;
  try {
    leaf = new X509Certificate(certificate);
  } catch {
    return notParsed('the certificate is not a PEM certificate');
  }
  try {
    if (!leaf.checkPrivateKey(createPrivateKey(key))) return notParsed('the key does not belong to the certificate');
  } catch {
    return notParsed('the key is not an unencrypted PEM private key');
  }
  return parsed({ certificate, key, expiresAtMs: Date.parse(leaf.validTo), fingerprint: leaf.fingerprint256 });
}

/** As kcp, which is written in Go, compares: the common name counts for nothing, and a wildcard is a whole label. */
export function isFor(leaf: X509Certificate, host: string): boolean {
  if (isIP(host) !== 0) return leaf.checkIP(host) !== undefined;
  return leaf.checkHost(host, { subject: 'never', partialWildcards: false }) !== undefined;
}

/** Whether a client that trusts a CA bundle (PEM) accepts the pair: one of its CAs signed the leaf, directly or by the chain's intermediates. */
export function isVerifiedBy({ certificate }: ServingPair, bundle: string): boolean {
  const [leaf, ...intermediates] = certificatesIn(certificate);
  if (leaf === undefined) return false;
  const trusted = certificatesIn(bundle);
  const reaches = (child: X509Certificate, candidates: readonly X509Certificate[]): boolean =>
    trusted.some((ca) => ca.raw.equals(child.raw) || isSignedBy(child, ca)) ||
    candidates.some(
      (each) =>
        isSignedBy(child, each) &&
        reaches(
          each,
          candidates.filter((other) => other !== each),
        ),
    );
  return reaches(leaf, intermediates);
}

function isSignedBy(child: X509Certificate, issuer: X509Certificate): boolean {
  return child.checkIssued(issuer) && child.verify(issuer.publicKey);
}

function certificatesIn(pem: string): readonly X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return blocks.flatMap((block) => {
    try {
      return [new X509Certificate(block)];
    } catch {
      return [];
    }
  });
}
