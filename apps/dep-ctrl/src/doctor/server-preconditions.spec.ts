import { describe, expect, it } from '@jest/globals';
import type { ServerFacts } from '../installation/facts.js';
import type { Peek, SeenCertificate } from '../installation/peek.js';
import type { Unread } from '../installation/reading.js';
import { broken, met, notChecked, type DoctorFacts } from './precondition.js';
import { MOST_SKEW_MS, datesText, SOON_MS } from './server-preconditions.js';
import { judge, NOTHING_READ, REFUSED, SILENT, type Row } from './spec-support/judge.js';
import { facts, installation, NOW_MS, read, server, shard } from './spec-support/whole-facts.js';

const KCP = 'https://kcp.example.com:6443';
const SHARD = 'https://shard.example.com:6443';
const silent: Peek = { state: 'silent', problem: 'nothing listens' };
const proxied: Peek = { state: 'proxied' };

/** Facts of a kcp whose front-proxy is so, and that has no shard. */
const alone = (changes: Partial<ServerFacts>): DoctorFacts => ({ ...NOTHING_READ, server: server(changes) });
const peeked = (changes: {
  readonly skewMs?: number | undefined;
  readonly certificate?: Partial<SeenCertificate>;
}): Partial<ServerFacts> => {
  const { peek } = server();
  if (peek.state !== 'answered') throw new Error('a server answers as it should');
  const { skewMs, certificate, ...others } = { ...peek, ...changes };
  return { peek: { ...others, ...(skewMs === undefined ? {} : { skewMs }), certificate: { ...peek.certificate, ...certificate } } };
};

describe('kcp-answers', () => {
  it.each<Row>([
    { given: 'a kcp of which nothing else was read', facts: NOTHING_READ, judgements: [met(KCP)] },
    { given: 'a kcp and its shard, which answer', facts: facts(), judgements: [met(KCP), met(SHARD)] },
    {
      given: 'shards at an address that was looked at already',
      facts: facts({
        installation: installation({
          shards: [shard({ server: server() }), shard(), shard({ url: 'https://shard.example.com:6443/services/other' })],
        }),
      }),
      judgements: [met(KCP), met(SHARD)],
    },
    { given: 'a kcp behind a proxy', facts: alone({ peek: proxied }), judgements: [met(KCP)] },
    {
      given: 'a shard that is silent',
      facts: facts({ installation: installation({ shards: [shard({ server: server({ baseUrl: SHARD, peek: silent }) })] }) }),
      judgements: [met(KCP), broken(SHARD, 'does not answer: nothing listens', `curl -k ${SHARD}/version`)],
    },
  ])('given $given, then each address is judged once', ({ facts: given, judgements }) => {
    expect(judge('kcp-answers', given)).toEqual(judgements);
  });
});

describe('the certificate of kcp', () => {
  const ids = ['kcp-certificate-trusted', 'kcp-certificate-host', 'kcp-certificate-dates'];
  const openssl = 'openssl s_client -connect kcp.example.com:6443 -showcerts </dev/null | openssl x509 -noout -text';

  it.each(ids)('given one that is as it should be, then %s is met; behind a proxy it is not checked; and not judged in silence', (id) => {
    expect(judge(id, facts())).toEqual([met(KCP), met(SHARD)]);
    expect(judge(id, alone({ peek: proxied }))).toEqual([notChecked(KCP, { because: 'not-asked', why: 'a proxy leads there' })]);
    expect(judge(id, alone({ peek: silent }))).toEqual([]);
  });

  it.each<{ given: string; id: string; certificate: Partial<SeenCertificate>; says: string }>([
    {
      given: 'an issuer that nobody trusts',
      id: 'kcp-certificate-trusted',
      certificate: { isTrusted: false },
      says: 'shows a certificate of "CN=kcp", which the kubeconfig does not trust',
    },
    {
      given: 'another host',
      id: 'kcp-certificate-host',
      certificate: { isForHost: false },
      says: 'shows a certificate for another host: it is for DNS:kcp.example.com',
    },
    {
      given: 'days to come',
      id: 'kcp-certificate-dates',
      certificate: { validFromMs: NOW_MS + 1 },
      says: 'shows a certificate that is not valid before 2026-11-23T12:00:00.001Z, which is in 0 s',
    },
    {
      given: 'less than seven more days',
      id: 'kcp-certificate-dates',
      certificate: { validToMs: NOW_MS + SOON_MS - 1 },
      says: 'shows a certificate that expires in 7 d, at 2026-11-30T11:59:59.999Z',
    },
    {
      given: 'two days that are over',
      id: 'kcp-certificate-dates',
      certificate: { validToMs: NOW_MS - 2 * 86_400_000 },
      says: 'shows a certificate that expired 2 d ago, at 2026-11-21T12:00:00.000Z',
    },
  ])('given $given, then $id alone is broken', ({ id: wrong, certificate, says }) => {
    const given = alone(peeked({ certificate }));

    for (const id of ids) expect(judge(id, given)).toEqual([id === wrong ? broken(KCP, says, openssl) : met(KCP)]);
  });

  it.each([
    { given: 'the first moment', certificate: { validFromMs: NOW_MS } },
    { given: 'seven more days', certificate: { validToMs: NOW_MS + SOON_MS } },
  ])('given $given of its time, then its dates are met', ({ certificate }) => {
    expect(judge('kcp-certificate-dates', alone(peeked({ certificate })))).toEqual([met(KCP)]);
  });

  it('given an address without a port, then the command names that of HTTPS', () => {
    const given = alone({ baseUrl: 'https://kcp.example.com', ...peeked({ certificate: { isTrusted: false } }) });

    expect(judge('kcp-certificate-trusted', given)).toEqual([
      expect.objectContaining({ where: 'https://kcp.example.com', run: openssl.replace(':6443', ':443') }),
    ]);
  });
});

it.each([
  { at: 'its first moment', nowMs: 0, says: 'expires in 2 s, at 1970-01-01T00:00:02.000Z' },
  { at: 'its last moment', nowMs: 2_000, says: 'expires in 0 s, at 1970-01-01T00:00:02.000Z' },
])('given a certificate at $at, then it is valid still', ({ nowMs, says }) => {
  expect(datesText({ validFromMs: 0, validToMs: 2_000 }, nowMs)).toBe(says);
});

describe('clock', () => {
  const wrong = (says: string) => [broken(KCP, `has a clock that is ${says} the one here`, 'timedatectl status')];

  it.each<Row>([
    { given: 'clocks that agree', facts: facts(), judgements: [met(KCP), met(SHARD)] },
    { given: 'a clock that is almost 30 s ahead', facts: alone(peeked({ skewMs: MOST_SKEW_MS - 1 })), judgements: [met(KCP)] },
    { given: 'a clock that is almost 30 s behind', facts: alone(peeked({ skewMs: 1 - MOST_SKEW_MS })), judgements: [met(KCP)] },
    { given: 'a clock that is 30 s ahead', facts: alone(peeked({ skewMs: MOST_SKEW_MS })), judgements: wrong('30 s ahead of') },
    { given: 'a clock that is 30 s behind', facts: alone(peeked({ skewMs: -MOST_SKEW_MS })), judgements: wrong('30 s behind') },
    { given: 'a clock that is 61.6 s behind', facts: alone(peeked({ skewMs: -61_600 })), judgements: wrong('62 s behind') },
    { given: 'a kcp that does not say its time', facts: alone(peeked({ skewMs: undefined })), judgements: [] },
    { given: 'a kcp behind a proxy', facts: alone({ peek: proxied }), judgements: [] },
  ])('given $given, then 30 s are too much', ({ facts: given, judgements }) => {
    expect(judge('clock', given)).toEqual(judgements);
  });
});

describe('credentials', () => {
  const rejected: Unread = { ...REFUSED, because: 'rejected' };

  it.each<Row>([
    { given: 'a kcp that told its version', facts: facts(), judgements: [met(KCP)] },
    { given: 'a kcp that knows them and does not tell', facts: alone({ version: REFUSED }), judgements: [met(KCP)] },
    { given: 'a kcp that did not answer', facts: alone({ version: SILENT }), judgements: [] },
    {
      given: 'a kcp that does not know them',
      facts: alone({ version: rejected }),
      judgements: [broken(KCP, 'does not accept the credentials of the kubeconfig', 'kubectl auth whoami')],
    },
  ])('given $given, then the front-proxy is judged', ({ facts: given, judgements }) => {
    expect(judge('credentials', given)).toEqual(judgements);
  });

  it('given a context on the command line, then the command asks with it', () => {
    const given = alone({ version: rejected });
    const access = { ...given.access, flags: ['--context', 'c'] };

    expect(judge('credentials', { ...given, access })).toEqual([expect.objectContaining({ run: 'kubectl --context c auth whoami' })]);
  });
});

describe('kcp-version', () => {
  const old = (name: string) => [broken(KCP, `is kcp ${name}: 0.30 is the oldest that dep-ctrl was tried on`, 'kubectl version')];

  it.each<{ version: string; judgements: Row['judgements'] }>([
    { version: 'v1.33.3+kcp-v0.32.3', judgements: [met(KCP)] },
    { version: 'v1.32.3+kcp-v0.30.0', judgements: [met(KCP)] },
    { version: 'v1.33.3+kcp-v1.2.0', judgements: [met(KCP)] },
    { version: 'v1.33.3+kcp-v0.0.0-3f2a1bc', judgements: [met(KCP)] },
    { version: 'v1.32.3+kcp-v0.29.1-rc.1+dirty', judgements: old('v0.29.1-rc.1') },
    { version: 'v1.32.3+kcp-v0.3.1 of a fork', judgements: old('v0.3.1') },
    { version: 'v1.33.3+embedded', judgements: [met(KCP)] },
  ])('given $version, then 0.30 is the oldest', ({ version, judgements }) => {
    expect(judge('kcp-version', alone({ version: read(version) }))).toEqual(judgements);
  });

  it('given a shard that does not tell, then it is not judged', () => {
    const shards = [shard({ server: server({ baseUrl: SHARD, version: REFUSED }) })];

    expect(judge('kcp-version', facts({ installation: installation({ shards }) }))).toEqual([met(KCP)]);
  });
});
