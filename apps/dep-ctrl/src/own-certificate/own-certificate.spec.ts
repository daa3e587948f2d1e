import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { checkPair, isVerifiedBy } from '../webhook/serving-pair.js';
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
