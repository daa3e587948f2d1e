import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:tls';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { checkPair, isVerifiedBy, type ServingPair } from './serving-pair.js';
import { mintAuthority, mintServingPair } from './mint.js';
import { ownServingPair } from './own-serving-pair.js';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const DAY = 24 * 3_600_000;

describe(mintServingPair, () => {
  it('given a CA, then it verifies the pair, for names and addresses alike, and no other CA does', async () => {
    const [authority, other] = await Promise.all([mintAuthority(NOW), mintAuthority(NOW)]);

    const pair = await mintServingPair(authority, ['webhook.example.com', '127.0.0.1', '::1'], NOW);

    const leaf = new X509Certificate(pair.certificate);
    expect(checkPair(pair).ok).toBe(true);
    expect([isVerifiedBy(pair, authority.certificate), isVerifiedBy(pair, other.certificate)]).toEqual([true, false]);
    expect([leaf.checkHost('webhook.example.com'), leaf.checkIP('127.0.0.1'), leaf.checkIP('::1')]).not.toContain(undefined);
    expect(leaf.checkHost('other.example.com')).toBeUndefined();
  });

  it('given a CA that was made anew, then who trusts the former and the new one trusts what the new one signed', async () => {
    const [former, authority] = await Promise.all([mintAuthority(Date.now()), mintAuthority(Date.now())]);
    const pair = await mintServingPair(authority, ['localhost'], Date.now());

    expect(await isTrusted(pair, former.certificate + authority.certificate)).toBe(true);
    expect(await isTrusted(pair, former.certificate)).toBe(false);
  });
});

describe(ownServingPair, () => {
  it('given time goes by, then the pair stays for two thirds of its life and is a new one after that', async () => {
    const time = { now: NOW };
    const clock = { now: () => time.now, monotonic: () => time.now, sleep: () => Promise.resolve() };
    const authority = await mintAuthority(NOW);
    const read = ownServingPair({ authority: () => authority, hosts: ['localhost'], clock });
    const options = { signal: new AbortController().signal };

    const first = await read(options);
    time.now = NOW + 59 * DAY;
    const second = await read(options);
    time.now = NOW + 61 * DAY;
    const third = await read(options);

    expect(second).toBe(first);
    expect(new X509Certificate(third.certificate).validTo).not.toBe(new X509Certificate(first.certificate).validTo);
  });
});

/** Whether a client with these CAs finishes a TLS handshake with the pair. */
async function isTrusted({ certificate, key }: ServingPair, ca: string): Promise<boolean> {
  const server = createServer({ cert: certificate, key }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, servername: 'localhost', ca });
  try {
    await once(socket, 'secureConnect');
    return socket.authorized;
  } catch {
    return false;
  } finally {
    socket.destroy();
    server.close();
  }
}
