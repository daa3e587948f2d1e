import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  Name,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
  type X509Certificate,
} from '@peculiar/x509';

/** A certificate and its private key, both PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const DAY_MS = 86_400_000;

/** A certificate authority that lives as long as the server does: it signs the listeners' and the users' certificates. */
export class CertificateAuthority {
  readonly #certificate: X509Certificate;
  readonly #keys: webcrypto.CryptoKeyPair;

  private constructor(certificate: X509Certificate, keys: webcrypto.CryptoKeyPair) {
    this.#certificate = certificate;
    this.#keys = keys;
  }

  /** Makes a new authority. */
  static async create(name: string): Promise<CertificateAuthority> {
    const keys = await newKeys();
    const certificate = await X509CertificateGenerator.createSelfSigned({
      name: `CN=${name}`,
      keys,
      signingAlgorithm: ALGORITHM,
      ...validity(),
      extensions: [
        new BasicConstraintsExtension(true, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign | KeyUsageFlags.digitalSignature, true),
      ],
    });
    return new CertificateAuthority(certificate, keys);
  }

  /** The authority's own certificate, PEM. */
  get pem(): string {
    return this.#certificate.toString('pem');
  }

  /** A serving certificate for these host names and addresses. */
  async serving(hosts: readonly string[]): Promise<KeyPair> {
    return this.#issue([{ CN: [hosts[0] ?? 'localhost'] }], ExtendedKeyUsage.serverAuth, [
      new SubjectAlternativeNameExtension(hosts.map((host) => ({ type: isAddress(host) ? 'ip' : 'dns', value: host }))),
    ]);
  }

  /** A client certificate: user as common name, groups as organizations. */
  async client(user: string, groups: readonly string[], lifetimeMs?: number): Promise<KeyPair> {
    return this.#issue([...groups.map((group) => ({ O: [group] })), { CN: [user] }], ExtendedKeyUsage.clientAuth, [], lifetimeMs);
  }

  async #issue(
    subject: Record<string, string[]>[],
    usage: ExtendedKeyUsage,
    extensions: Extension[],
    lifetimeMs?: number,
  ): Promise<KeyPair> {
    const keys = await newKeys();
    const certificate = await X509CertificateGenerator.create({
      subject: new Name(subject),
      issuer: this.#certificate.subject,
      publicKey: keys.publicKey,
      signingKey: this.#keys.privateKey,
      signingAlgorithm: ALGORITHM,
      ...validity(lifetimeMs),
      extensions: [
        new BasicConstraintsExtension(false, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
        new ExtendedKeyUsageExtension([usage]),
        ...extensions,
      ],
    });
    return { cert: certificate.toString('pem'), key: await privatePem(keys.privateKey) };
  }
}

async function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

async function privatePem(key: webcrypto.CryptoKey): Promise<string> {
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key)).toString('base64');
  return `-----BEGIN PRIVATE KEY-----\n${(der.match(/.{1,64}/g) ?? []).join('\n')}\n-----END PRIVATE KEY-----\n`;
}

// A negative lifetime makes an expired certificate, which tests of bad input want.
function validity(lifetimeMs = 3_650 * DAY_MS): { notBefore: Date; notAfter: Date } {
  const now = Date.now();
  return { notBefore: new Date(Math.min(now, now + lifetimeMs) - DAY_MS), notAfter: new Date(now + lifetimeMs) };
}

function isAddress(host: string): boolean {
  return /^[0-9.]+$/.test(host) || host.includes(':');
}
