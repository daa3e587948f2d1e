import 'reflect-metadata'; // before @peculiar/x509, whose container reads it
import { generateKeyPairSync, type webcrypto } from 'node:crypto';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';

/** A certificate and its private key, both as PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** Whom a client certificate stands for: CN and the O's, as Kubernetes reads them. */
export interface Subject {
  readonly name: string;
  readonly groups?: readonly string[];
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const DAY_MS = 86_400_000;

/** A certificate authority of this run: it signs what a kcp and its users present to each other. */
export class Authority {
  readonly #commonName: string;
  readonly #keys: webcrypto.CryptoKeyPair;
  /** The authority's own certificate and key. */
  readonly pair: KeyPair;

  private constructor(commonName: string, keys: webcrypto.CryptoKeyPair, pair: KeyPair) {
    this.#commonName = commonName;
    this.#keys = keys;
    this.pair = pair;
  }

  /** Makes a self-signed authority. */
  static async create(commonName: string): Promise<Authority> {
    const keys = await newKeys();
    const certificate = await X509CertificateGenerator.createSelfSigned({
      name: [{ CN: [commonName] }],
      keys,
      signingAlgorithm: ALGORITHM,
      ...validity(Date.now(), 365),
      extensions: [
        new BasicConstraintsExtension(true, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.digitalSignature, true),
      ],
    });
    return new Authority(commonName, keys, { cert: certificate.toString('pem'), key: await keyPem(keys.privateKey) });
  }

  /** The authority that another process made. */
  static async load(pair: KeyPair): Promise<Authority> {
    const certificate = new X509Certificate(pair.cert);
    const privateKey: webcrypto.CryptoKey = await crypto.subtle.importKey('pkcs8', derOf(pair.key), ALGORITHM, true, ['sign']);
    // the x509 types name the browser's CryptoKey, which Node's types do not have
    const publicKey = (await certificate.publicKey.export(ALGORITHM, ['verify'])) as webcrypto.CryptoKey;
    return new Authority(certificate.subjectName.getField('CN')[0] ?? '', { privateKey, publicKey }, pair);
  }

  /** A client certificate for a user; `expired` makes one whose time is over. */
  async client(subject: Subject, options: { readonly expired?: boolean } = {}): Promise<KeyPair> {
    const start = options.expired === true ? Date.now() - 10 * DAY_MS : Date.now();
    return this.#issue({
      name: [{ CN: [subject.name] }, ...(subject.groups ?? []).map((group) => ({ O: [group] }))],
      usage: ExtendedKeyUsage.clientAuth,
      ...validity(start, options.expired === true ? 5 : 365),
    });
  }

  /** A serving certificate for the loopback address and others; `endsInMs` makes one whose time is nearly over, or over. */
  async server(options: { readonly endsInMs?: number; readonly addresses?: readonly string[] } = {}): Promise<KeyPair> {
    const { endsInMs, addresses = [] } = options;
    const now = Date.now();
    const times = endsInMs === undefined ? validity(now, 365) : { notBefore: new Date(now - DAY_MS), notAfter: new Date(now + endsInMs) };
    return this.#issue({ name: [{ CN: ['localhost'] }], usage: ExtendedKeyUsage.serverAuth, addresses, ...times });
  }

  async #issue(request: {
    name: Record<string, string[]>[];
    usage: ExtendedKeyUsage;
    notBefore: Date;
    notAfter: Date;
    addresses?: readonly string[];
  }): Promise<KeyPair> {
    const keys = await newKeys();
    const certificate = await X509CertificateGenerator.create({
      subject: request.name,
      issuer: [{ CN: [this.#commonName] }],
      publicKey: keys.publicKey,
      signingKey: this.#keys.privateKey,
      signingAlgorithm: ALGORITHM,
      notBefore: request.notBefore,
      notAfter: request.notAfter,
      extensions: [
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
        new ExtendedKeyUsageExtension([request.usage]),
        new SubjectAlternativeNameExtension([
          { type: 'dns', value: 'localhost' },
          ...['127.0.0.1', ...(request.addresses ?? [])].map((value) => ({ type: 'ip' as const, value })),
        ]),
        await AuthorityKeyIdentifierExtension.create(this.#keys.publicKey),
      ],
    });
    return { cert: certificate.toString('pem'), key: await keyPem(keys.privateKey) };
  }
}

/** A key pair that signs ServiceAccount tokens; EC, as RSA 4096 costs kcp seconds at its first start. */
export function serviceAccountKeys(): { readonly publicKey: string; readonly privateKey: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    privateKey: privateKey.export({ type: 'sec1', format: 'pem' }).toString(),
  };
}

async function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

async function keyPem(key: webcrypto.CryptoKey): Promise<string> {
  const der = Buffer.from(await crypto.subtle.exportKey('pkcs8', key)).toString('base64');
  return `-----BEGIN PRIVATE KEY-----\n${(der.match(/.{1,64}/g) ?? []).join('\n')}\n-----END PRIVATE KEY-----\n`;
}

function derOf(pem: string): Buffer {
  return Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64');
}

// An hour of grace: a clock that is a little behind must not refuse a fresh certificate.
function validity(startMs: number, days: number): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(startMs - 3_600_000), notAfter: new Date(startMs + days * DAY_MS) };
}
