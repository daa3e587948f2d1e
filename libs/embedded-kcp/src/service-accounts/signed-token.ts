import { createHash, createPublicKey, generateKeyPairSync, sign, verify, type KeyObject } from 'node:crypto';
import { isRecord, stringAt, type JsonRecord } from '../json/json.js';

/** Signs and verifies JSON web tokens with one key, as all shards of an installation share it. ES256: a new key costs a millisecond. */
export class TokenSigner {
  readonly #key: KeyObject;
  readonly #public: KeyObject;
  readonly #keyId: string;

  /** Makes a new key. */
  constructor() {
    this.#key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    this.#public = createPublicKey(this.#key);
    const der = this.#public.export({ type: 'spki', format: 'der' });
    this.#keyId = createHash('sha256').update(der).digest('base64url');
  }

  /** The key that tokens are verified with, as a JSON web key. */
  get publicKey(): JsonRecord {
    const { kty, crv, x, y } = this.#public.export({ format: 'jwk' });
    return { use: 'sig', kty, kid: this.#keyId, crv, alg: 'ES256', x, y };
  }

  /** A token that carries these claims. */
  sign(claims: JsonRecord): string {
    const signed = `${encode({ alg: 'ES256', kid: this.#keyId })}.${encode(claims)}`;
    const signature = sign('sha256', Buffer.from(signed), { key: this.#key, dsaEncoding: 'ieee-p1363' });
    return `${signed}.${signature.toString('base64url')}`;
  }

  /** The claims of a token that was signed here; undefined for any other text. Whether they still hold is for the caller to say. */
  verify(token: string): JsonRecord | undefined {
    const [header, claims, signature, ...rest] = token.split('.');
    if (header === undefined || claims === undefined || signature === undefined || rest.length > 0) return undefined;
    if (stringAt(decode(header), 'alg') !== 'ES256') return undefined;
    const key = { key: this.#public, dsaEncoding: 'ieee-p1363' } as const;
    if (!verify('sha256', Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url'))) return undefined;
    const value = decode(claims);
    return isRecord(value) ? value : undefined;
  }
}

function encode(value: JsonRecord): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function decode(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString());
  } catch {
    return undefined;
  }
}
