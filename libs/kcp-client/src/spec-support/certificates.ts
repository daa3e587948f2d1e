import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import {
  BasicConstraintsExtension,
  cryptoProvider,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
  type X509Certificate,
} from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
cryptoProvider.set(webcrypto);

/** A key and its certificate, PEM encoded. */
export interface Pair {
  readonly cert: string;
  readonly key: string;
}

/** A certificate authority for a spec. */
export class SpecAuthority {
  readonly pem: string;
  readonly #cert: X509Certificate;
  readonly #keys: webcrypto.CryptoKeyPair;

  private constructor(cert: X509Certificate, keys: webcrypto.CryptoKeyPair) {
    this.#cert = cert;
    this.#keys = keys;
    this.pem = cert.toString('pem');
  }

  static async create(): Promise<SpecAuthority> {
    const keys = await generate();
    const cert = await X509CertificateGenerator.createSelfSigned({
      name: 'CN=spec authority',
      keys,
      signingAlgorithm: ALGORITHM,
      extensions: [new BasicConstraintsExtension(true, undefined, true)],
    });
    return new SpecAuthority(cert, keys);
  }

  /** A certificate for a host name or an address, or for a user. */
  async issue(name: string, { notAfter = new Date(Date.now() + 3_600_000) }: { readonly notAfter?: Date } = {}): Promise<Pair> {
    const keys = await generate();
    const type = /^\d+(?:\.\d+){3}$/u.test(name) ? 'ip' : 'dns';
    const cert = await X509CertificateGenerator.create({
      subject: `CN=${name}`,
      issuer: this.#cert.subject,
      notBefore: new Date(Date.now() - 7_200_000),
      notAfter,
      publicKey: keys.publicKey,
      signingKey: this.#keys.privateKey,
      signingAlgorithm: ALGORITHM,
      extensions: [new SubjectAlternativeNameExtension([{ type, value: name }])],
    });
    const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
    const key = `-----BEGIN PRIVATE KEY-----\n${der.toString('base64')}\n-----END PRIVATE KEY-----\n`;
    return { cert: cert.toString('pem'), key };
  }
}

function generate(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
}
