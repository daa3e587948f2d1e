import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { describe, expect, it } from '@jest/globals';
import type { Logger } from '@dep-ctrl/kcp-client';
import { X509CertificateGenerator } from '@peculiar/x509';
import { mintAuthority, mintServingPair } from './mint.js';
import type { ServingPair } from './serving-pair.js';
import { CertificateFit, misfitsOf, type CertificateWords, type Expected } from './certificate-fit.js';

const words: CertificateWords = {
  certificate: '--tls-cert-dir',
  url: '--webhook-url',
  caBundle: '--webhook-ca-bundle-path',
  consequence: 'kcp refuses every guarded delete',
};

const NOW = Date.parse('2026-01-01T00:00:00Z');
const DAY = 24 * 3_600_000;
const HOST = 'certificate in --tls-cert-dir is not for the host that kcp calls';
const AUTHORITY = 'certificate in --tls-cert-dir is not verified by --webhook-ca-bundle-path';
const NO_CA = 'certificate in --tls-cert-dir is not of a public CA, and kcp is told of no other';
const CALLER = 'certificate in --tls-cert-dir is for no host that kcp calls';
const WELL = 'info certificate in --tls-cert-dir is what kcp expects again';
const HOSTS = ['webhook.example.com', '*.apps.example.com', '10.0.0.7', '::1'];

const messages = (certificate: string, expected: Expected, nowMs = NOW) =>
  misfitsOf(certificate, expected, { nowMs, words }).map(({ message }) => message);

describe(misfitsOf, () => {
  it.each<{ given: string; expected: Expected; misfits: readonly string[] }>([
    { given: 'its name', expected: { host: 'webhook.example.com' }, misfits: [] },
    { given: 'its name in capitals', expected: { host: 'Webhook.Example.com' }, misfits: [] },
    { given: 'a name under its wildcard', expected: { host: 'hook.apps.example.com' }, misfits: [] },
    { given: 'its address', expected: { host: '10.0.0.7' }, misfits: [] },
    { given: 'its address of the newer kind', expected: { host: '::1' }, misfits: [] },
    { given: 'nothing that is known', expected: {}, misfits: [] },
    { given: 'another name', expected: { host: 'webhook.example.org' }, misfits: [HOST] },
    { given: 'the name above its wildcard', expected: { host: 'apps.example.com' }, misfits: [HOST] },
    { given: 'a name two labels under its wildcard', expected: { host: 'a.b.apps.example.com' }, misfits: [HOST] },
    { given: 'another address', expected: { host: '127.0.0.1' }, misfits: [HOST] },
  ])('given a certificate and $given, then kcp would say $misfits', async ({ expected, misfits }) => {
    const authority = await mintAuthority(NOW);
    const { certificate } = await mintServingPair(authority, HOSTS, NOW);

    expect(messages(certificate, expected)).toEqual(misfits);
    expect(messages(certificate, { ...expected, caBundle: authority.certificate })).toEqual(misfits);
  });

  it('given the name of the host only as common name, which kcp does not look at, then it is not for that host', async () => {
    const keys = await webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
    const certificate = await X509CertificateGenerator.createSelfSigned({
      name: 'CN=webhook.example.com',
      notBefore: new Date(NOW),
      notAfter: new Date(NOW + DAY),
      signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
      keys,
    });

    expect(messages(certificate.toString('pem'), { host: 'webhook.example.com' })).toEqual([HOST]);
  });

  it('given the CA of somebody else, then it is not verified; given both, as in a rotation, then it is', async () => {
    const [old, next] = await Promise.all([mintAuthority(NOW), mintAuthority(NOW)]);
    const { certificate } = await mintServingPair(next, HOSTS, NOW);

    expect(messages(certificate, { caBundle: old.certificate })).toEqual([AUTHORITY]);
    expect(messages(certificate, { caBundle: old.certificate + next.certificate })).toEqual([]);
  });

  it('given a certificate of no public CA and no --webhook-ca-bundle-path, then it is said that every guarded delete is refused, and which flag helps', async () => {
    const authority = await mintAuthority(NOW);
    const { certificate } = await mintServingPair(authority, HOSTS, NOW);

    expect(misfitsOf(certificate, { isToldNoCa: true }, { nowMs: NOW, words })).toEqual([
      {
        message: NO_CA,
        fields: {
          issuer: expect.stringMatching(/^CN=webhook CA /),
          fix: expect.stringMatching(/^give --webhook-ca-bundle-path FILE, .*every guarded delete/),
        },
      },
    ]);
    expect(messages(authority.certificate, { isToldNoCa: true })).toEqual([NO_CA]);
    expect(messages(certificate, { isToldNoCa: false })).toEqual([]);
  });

  it('given a certificate that a public CA verifies and no --webhook-ca-bundle-path, then kcp accepts it', () => {
    const [root = ''] = rootCertificates;

    expect(messages(root, { isToldNoCa: true })).not.toContain(NO_CA);
  });

  it('given a date before or after its time, then that is said', async () => {
    const { certificate } = await mintServingPair(await mintAuthority(NOW), HOSTS, NOW);

    expect(messages(certificate, {}, NOW - DAY)).toEqual(['certificate in --tls-cert-dir is not valid yet']);
    expect(messages(certificate, {}, NOW + 91 * DAY)).toEqual(['certificate in --tls-cert-dir has expired']);
  });

  it('given a CA without a name that is not trusted, then that is said, and the certificate can still be served', async () => {
    const keys = await webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
    const certificate = await X509CertificateGenerator.createSelfSigned({
      name: '',
      notBefore: new Date(NOW),
      notAfter: new Date(NOW + DAY),
      signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
      keys,
    });
    const { certificate: caBundle } = await mintAuthority(NOW);

    expect(misfitsOf(certificate.toString('pem'), { caBundle }, { nowMs: NOW, words })).toMatchObject([
      { message: AUTHORITY, fields: { issuer: 'a CA without a name' } },
    ]);
  });

  it('given a text that is no certificate, then somebody else says so', () => {
    expect(misfitsOf('', { host: 'h', caBundle: '' }, { nowMs: NOW, words })).toEqual([]);
  });

  it('given everything wrong, then each line names what it found and what to do', async () => {
    const [authority, other] = await Promise.all([mintAuthority(NOW), mintAuthority(NOW)]);
    const { certificate } = await mintServingPair(authority, ['a.example.com', 'b.example.com'], NOW);

    expect(
      misfitsOf(certificate, { host: 'h.example.com', caBundle: other.certificate }, { nowMs: NOW, words }).map(({ fields }) => fields),
    ).toEqual([
      {
        host: 'h.example.com',
        isFor: 'DNS:a.example.com, DNS:b.example.com',
        fix: expect.stringMatching(
          /^give --webhook-url a host that the certificate is for, or put one for "h.example.com" into --tls-cert-dir: /,
        ),
      },
      {
        issuer: expect.stringMatching(/^CN=webhook CA /),
        fix: expect.stringMatching(/^put the CA that signed tls.crt into the file, /),
      },
    ]);
  });
});

describe(CertificateFit, () => {
  it('given a pair and a CA that change one after the other, then each answer is told once, and that it is well again; meanwhile readiness says so', async () => {
    const [old, next] = await Promise.all([mintAuthority(NOW), mintAuthority(NOW)]);
    const [first, second] = await Promise.all([old, next].map((authority) => mintServingPair(authority, HOSTS, NOW)));
    const stage = new Stage(first!, () => ({ host: '10.0.0.7', caBundle: authority.certificate }));
    let authority = old;
    stage.look();
    stage.look();
    expect([stage.said, stage.fit.readiness.check()]).toEqual([[], { ready: true }]);

    stage.pair = second!;
    stage.look();
    stage.look();
    const inBetween = stage.fit.readiness.check();
    authority = next;
    stage.look();
    stage.look();

    expect(stage.said).toEqual([`warn ${AUTHORITY}`, WELL]);
    expect(inBetween).toEqual({ ready: true, note: AUTHORITY });
    expect(stage.fit.readiness.check()).toEqual({ ready: true });
  });

  it('given a webhook alone and reviews by some host, when a certificate comes that is for no such host, then that is told with both, and that it is well again', async () => {
    const [first, second] = await pairsFor(['webhook.example.com', '127.0.0.1'], ['other.example.com']);
    const stage = new Stage(first);
    stage.look();
    stage.fit.calledAs('webhook.example.com:9443');
    stage.fit.calledAs('127.0.0.1:9443');
    stage.look();
    expect(stage.said).toEqual([]);

    stage.pair = second;
    stage.look();
    stage.look();
    const inBetween = stage.fit.readiness.check();
    stage.pair = first;
    stage.look();

    expect(stage.said).toEqual([`warn ${CALLER}`, WELL]);
    expect(stage.fields).toEqual([
      {
        host: 'webhook.example.com, 127.0.0.1',
        isFor: 'DNS:other.example.com',
        fix: expect.stringMatching(/^put a certificate for "127.0.0.1" into --tls-cert-dir: /),
      },
    ]);
    expect(inBetween).toEqual({ ready: true, note: CALLER });
  });

  it('given a pair that kcp would not accept whatever its CA, then that is one line; of its CA nothing is said, as that may follow', async () => {
    const [fitting, other] = await pairsFor(['webhook.example.com'], ['other.example.com']);
    const stage = new Stage(fitting, () => ({ caBundle: 'none' }));
    const hosts = ['webhook.example.com'];

    expect(stage.fit.misfitOf(other, { served: fitting, hosts })).toBe(
      `${CALLER} (host: webhook.example.com; isFor: DNS:other.example.com)`,
    );
    expect(stage.fit.misfitOf(fitting, { served: fitting, hosts })).toBeUndefined();
    expect(stage.fit.misfitOf(other, { served: undefined, hosts: [] })).toBeUndefined();
    expect(new Stage(fitting, () => ({ host: '10.0.0.7' })).fit.misfitOf(fitting, { served: undefined, hosts: [] })).toMatch(
      / is not for the host that kcp calls \(host: 10.0.0.7; /,
    );
  });

  it('given that what is served is for no host that kcp calls either, as behind something that ends TLS, then a new pair like it is no misfit', async () => {
    const [served, next] = await pairsFor(['webhook.svc'], ['webhook.svc']);
    const named = new Stage(served, () => ({ host: 'webhook.example.com' }));
    const alone = new Stage(served);

    expect(named.fit.misfitOf(next, { served, hosts: [] })).toBeUndefined();
    expect(alone.fit.misfitOf(next, { served, hosts: ['webhook.example.com'] })).toBeUndefined();
  });

  it('given a webhook that moves from one host to another, then a certificate for the new one fits once a configuration calls it', async () => {
    const [served, next] = await pairsFor(['old.example.com'], ['new.example.com']);
    const { fit } = new Stage(served);
    fit.calledAs('old.example.com');

    expect(fit.misfitOf(next, { served, hosts: ['old.example.com'] })).toContain('new.example.com');
    expect(fit.misfitOf(next, { served, hosts: ['old.example.com', 'new.example.com'] })).toBeUndefined();
    expect(fit.misfitOf(next, { served, hosts: ['new.example.com'] })).toBeUndefined();
  });

  it('given reviews by a host that the certificate in use is not for, as behind something that ends TLS, then nothing is told', async () => {
    const [first, second] = await pairsFor(['webhook.svc'], ['webhook.svc']);
    const stage = new Stage(first);
    stage.look();
    stage.fit.calledAs('webhook.example.com');
    stage.fit.calledAs('no host at all');

    stage.pair = second;
    stage.look();

    expect(stage.said).toEqual([]);
  });

  it('given reviews that move from one host to another with the certificate, then both are known, and that is well', async () => {
    const [old, young, foreign] = await pairsFor(['old.example.com'], ['new.example.com'], ['other.example.com']);
    const stage = new Stage(old);
    stage.look();
    stage.fit.calledAs('old.example.com');
    stage.pair = young;
    stage.look();
    stage.fit.calledAs('new.example.com');
    stage.look();
    expect(stage.said).toEqual([`warn ${CALLER}`, WELL]);

    stage.pair = foreign;
    stage.look();

    expect(stage.fields.at(-1)).toMatchObject({ host: 'old.example.com, new.example.com' });
  });

  it('given reviews by very many hosts, then the latest few are remembered', async () => {
    const [wild, foreign] = await pairsFor(['*.example.com'], ['other.example.org']);
    const stage = new Stage(wild);
    stage.look();
    for (let at = 0; at < 100; at += 1) stage.fit.calledAs(`host-${String(at)}.example.com`);

    stage.pair = foreign;
    stage.look();

    expect(stage.fields).toMatchObject([{ host: 'host-96.example.com, host-97.example.com, host-98.example.com, host-99.example.com' }]);
  });

  it('given both roles, where the URL says which host kcp calls, then reviews by another one change nothing', async () => {
    const [both, one] = await pairsFor(['webhook.example.com', 'localhost'], ['webhook.example.com']);
    const stage = new Stage(both, () => ({ host: 'webhook.example.com' }));
    stage.look();
    stage.fit.calledAs('localhost');

    stage.pair = one;
    stage.look();

    expect(stage.said).toEqual([]);
  });
});

/** Pairs of one CA, each for the hosts given. */
async function pairsFor<T extends readonly (readonly string[])[]>(...hosts: T): Promise<{ readonly [K in keyof T]: ServingPair }> {
  const authority = await mintAuthority(NOW);
  const pairs: readonly ServingPair[] = await Promise.all(hosts.map((each) => mintServingPair(authority, each, NOW)));
  return pairs as { readonly [K in keyof T]: ServingPair }; // one for each, in their order
}

/** A source of pairs that a spec changes. */
class Stage {
  readonly said: string[] = [];
  readonly fields: unknown[] = [];
  readonly fit: CertificateFit;
  pair: ServingPair;

  constructor(pair: ServingPair, expected: () => Expected = () => ({})) {
    this.pair = pair;
    const saying =
      (level: string) =>
      (message: string, fields?: unknown): void => {
        this.said.push(`${level} ${message}`);
        if (level === 'warn') this.fields.push(fields);
      };
    const logger: Logger = { debug: saying('debug'), info: saying('info'), warn: saying('warn'), error: saying('error') };
    this.fit = new CertificateFit({ expected, clock: { now: () => NOW }, logger, words });
  }

  look(): void {
    this.fit.judge(this.pair);
  }
}
