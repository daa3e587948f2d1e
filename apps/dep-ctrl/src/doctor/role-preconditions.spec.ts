import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { GUARD_NAME } from '@dep-ctrl/rule-registry';
import { desiredAdmission } from '../controller/rule-admission/desired-admission.js';
import type { WebhookFacts } from '../installation/facts.js';
import type { SeenCertificate } from '../installation/peek.js';
import { OWNER_LABEL } from '../own-objects/configuration-labels.js';
import { broken, met, notChecked, type DoctorFacts } from './precondition.js';
import { inHome, judge, kubectlIn, NOT_INSTALLED, NOTHING_READ, SILENT, START_ROLES, type Row } from './spec-support/judge.js';
import { clusterNamed, facts, HOME, installation, NOW_MS, read, server, shard } from './spec-support/whole-facts.js';

const COMPUTE = clusterNamed('compute');
const DAY_MS = 86_400_000;
const ORIGIN = 'https://w.example.com:9443';
const START_WEBHOOK = `${START_ROLES} --webhook-url ${ORIGIN}`;
const READYZ = "curl -s 'http://HOST:8081/readyz?verbose'";

/** A Lease of 15 s. */
const lease = (holderIdentity: string, secondsAgo: number): KubeObject => ({
  metadata: {},
  spec: { holderIdentity, leaseDurationSeconds: 15, renewTime: new Date(NOW_MS - secondsAgo * 1_000).toISOString() },
});
const led = { lease: read(lease('c1', 15)) };

/** The configuration in the workspace of dep-ctrl. */
const admission = ({
  url = `${ORIGIN}/admit/token`,
  caBundle = 'Y2E=',
  labels = { [OWNER_LABEL]: HOME },
}: { url?: string; caBundle?: string; labels?: Readonly<Record<string, string>> } = {}): KubeObject => {
  const { labels: own, webhooks } = desiredAdmission({ webhookUrl: url, caBundle });
  const [first] = webhooks;
  const clientConfig = { url, ...(caBundle === '' ? {} : { caBundle }) };
  return {
    metadata: { name: 'dependency-admission', labels: { ...own, ...labels }, annotations: { 'kcp.io/cluster': HOME } },
    webhooks: [{ ...first, clientConfig }],
  };
};
const changed: KubeObject = { ...admission(), webhooks: [] };

const { peek } = server();
const certificateOf = (changes: Partial<SeenCertificate>): WebhookFacts['peek'] =>
  peek.state === 'answered' ? { ...peek, certificate: { ...peek.certificate, ...changes } } : peek;

const webhook = (changes: Partial<WebhookFacts> = {}): WebhookFacts => ({
  ...{ origin: ORIGIN, namedIn: [], peek, askedTokens: [], refusedTokens: [] },
  ...changes,
});
const silent = { state: 'silent', problem: 'nothing listens' } as const;
const withWebhooks = (...webhooks: readonly WebhookFacts[]): DoctorFacts => facts({ installation: installation({ webhooks }) });
const certified = (changes: Partial<SeenCertificate>, origin = ORIGIN): DoctorFacts =>
  withWebhooks(webhook({ origin, peek: certificateOf(changes) }));

describe('controller-leads', () => {
  const where = 'Lease default/dep-ctrl-controller in root:dep-ctrl';

  it.each<Row>([
    { given: 'a kcp of which nothing was read', facts: NOTHING_READ, judgements: [] },
    { given: 'a kcp without dep-ctrl', facts: inHome({ ...led, ...NOT_INSTALLED }), judgements: [] },
    { given: 'a Lease that could not be read', facts: inHome({ lease: SILENT }), judgements: [notChecked(where, SILENT)] },
    {
      given: 'no Lease',
      facts: inHome({ lease: read(undefined) }),
      judgements: [
        notChecked(where, {
          because: 'not-asked',
          why: 'there is none: the controller runs with --leader-elect=false, or has never run',
        }),
      ],
    },
    {
      given: 'a Lease that was released',
      facts: inHome({ lease: read(lease('', 1)) }),
      judgements: [broken(where, 'is held by nobody: no controller runs', START_ROLES)],
    },
    { given: 'a Lease that is renewed', facts: inHome(led), judgements: [met(where)] },
    {
      given: 'a Lease that was not renewed in time',
      facts: inHome({ lease: read(lease('c1', 16)) }),
      judgements: [broken(where, 'was renewed last 16 s ago by c1: no controller leads', START_ROLES)],
    },
  ])('given $given, then it is judged by who leads', ({ facts: given, judgements }) => {
    expect(judge('controller-leads', given)).toEqual(judgements);
  });
});

describe('admission-there', () => {
  const where = 'ValidatingWebhookConfiguration dependency-admission in root:dep-ctrl';
  const remove = kubectlIn('root:dep-ctrl', 'delete validatingwebhookconfiguration dependency-admission');
  const missing = [broken(where, 'is missing: the controller writes it when it runs', START_ROLES)];
  const foreign = [
    broken(
      where,
      'does not say that it is of this installation, so no controller touches it: one that runs makes it anew once it is gone',
      remove,
    ),
  ];
  const REPLACED = 'is not what this version of dep-ctrl writes: the controller replaces it when it runs';
  const replaced = broken(where, REPLACED, START_ROLES);

  it.each<Row>([
    { given: 'a kcp of which nothing was read', facts: NOTHING_READ, judgements: [] },
    { given: 'a kcp without dep-ctrl', facts: inHome({ ...NOT_INSTALLED, admission: read(undefined) }), judgements: [] },
    { given: 'one that could not be read', facts: inHome({ admission: SILENT }), judgements: [notChecked(where, SILENT)] },
    {
      given: 'none while a controller leads',
      facts: inHome({ ...led, admission: read(undefined) }),
      judgements: [broken(where, 'is missing: c1 leads and writes it within seconds, once its webhook answers', 'dep-ctrl status')],
    },
    { given: 'none and no Lease', facts: inHome({ admission: read(undefined) }), judgements: missing },
    {
      given: 'none and a Lease that could not be read',
      facts: inHome({ lease: SILENT, admission: read(undefined) }),
      judgements: missing,
    },
    {
      given: 'none and a Lease that was released',
      facts: inHome({ lease: read(lease('', 1)), admission: read(undefined) }),
      judgements: missing,
    },
    {
      given: 'none and a Lease that was not renewed in time',
      facts: inHome({ lease: read(lease('c1', 16)), admission: read(undefined) }),
      judgements: missing,
    },
    { given: 'one as it is wanted', facts: inHome({ admission: read(admission()) }), judgements: [met(where)] },
    {
      given: 'one as it is wanted without a token and a CA',
      facts: inHome({ admission: read(admission({ url: `${ORIGIN}/admit`, caBundle: '' })) }),
      judgements: [met(where)],
    },
    {
      given: 'one of ours without entries',
      facts: inHome({ admission: read(changed) }),
      judgements: [replaced],
    },
    {
      given: 'one of ours with another path',
      facts: inHome({ admission: read(admission({ url: `${ORIGIN}/elsewhere/token` })) }),
      judgements: [broken(where, REPLACED, `${START_ROLES} --webhook-url ${ORIGIN}`)],
    },
    {
      given: 'one of ours that is changed while a controller leads',
      facts: inHome({ ...led, admission: read(changed) }),
      judgements: [
        broken(where, 'is not what this version of dep-ctrl writes: c1 leads and replaces it within seconds', 'dep-ctrl status'),
      ],
    },
    {
      given: 'one of another installation',
      facts: inHome({ ...led, admission: read(admission({ labels: { [OWNER_LABEL]: 'other' } })) }),
      judgements: foreign,
    },
    { given: 'one of nobody', facts: inHome({ admission: read(admission({ labels: {} })) }), judgements: foreign },
  ])('given $given, then it is judged by what is there and who leads', ({ facts: given, judgements }) => {
    expect(judge('admission-there', given)).toEqual(judgements);
  });
});

describe('webhook-answers', () => {
  it.each<Row>([
    { given: 'a kcp of which nothing was read', facts: NOTHING_READ, judgements: [] },
    { given: 'no webhook', facts: withWebhooks(), judgements: [] },
    { given: 'one that answers', facts: withWebhooks(webhook()), judgements: [met(ORIGIN)] },
    { given: 'one behind a proxy', facts: withWebhooks(webhook({ peek: { state: 'proxied' } })), judgements: [met(ORIGIN)] },
    {
      given: 'one that is silent with one of two CA bundles',
      facts: withWebhooks(webhook({ peek: silent }), webhook({ caBundle: 'another' })),
      judgements: [
        broken(
          ORIGIN,
          `does not answer from here: nothing listens. If it runs in another network, look from there: curl -k ${ORIGIN}/. If it does not run, start it`,
          START_WEBHOOK,
        ),
        met(ORIGIN),
      ],
    },
  ])('given $given, then each is judged by its answer', ({ facts: given, judgements }) => {
    expect(judge('webhook-answers', given)).toEqual(judgements);
  });
});

describe('the certificate of the webhook', () => {
  const look = (hostPort: string) => `openssl s_client -connect ${hostPort} -showcerts </dev/null | openssl x509 -noout -text`;
  const lookThere = look('w.example.com:9443');
  const dated = (says: string) => `shows a certificate that ${says}: see tls.crt in --tls-cert-dir of the webhook`;
  const ids = ['webhook-certificate-trusted', 'webhook-certificate-host', 'webhook-certificate-dates'];

  it.each(ids)('given one that is as it should be, then %s is met', (id) => {
    expect(judge(id, withWebhooks(webhook()))).toEqual([met(ORIGIN)]);
  });

  it.each(ids)('given a webhook that shows none, then nothing is said of %s', (id) => {
    expect(judge(id, withWebhooks(webhook({ peek: silent }), webhook({ peek: { state: 'proxied' } })))).toEqual([]);
  });

  it.each<Row & { readonly id: string }>([
    {
      given: 'one of a CA that is not in the bundle',
      id: 'webhook-certificate-trusted',
      facts: certified({ isTrusted: false }),
      judgements: [
        broken(
          ORIGIN,
          'shows a certificate of "CN=kcp", which the installed CA bundle does not verify: see --webhook-ca-bundle-path of the controller',
          lookThere,
        ),
      ],
    },
    {
      given: 'one for another host, at the usual port',
      id: 'webhook-certificate-host',
      facts: certified({ isForHost: false }, 'https://w.example.com'),
      judgements: [
        broken(
          'https://w.example.com',
          'shows a certificate for another host than kcp calls: it is for DNS:kcp.example.com',
          look('w.example.com:443'),
        ),
      ],
    },
    {
      given: 'one that is valid from now on, and for seven days',
      id: 'webhook-certificate-dates',
      facts: certified({ validFromMs: NOW_MS, validToMs: NOW_MS + 7 * DAY_MS }),
      judgements: [met(ORIGIN)],
    },
    {
      given: 'one that is not valid yet',
      id: 'webhook-certificate-dates',
      facts: certified({ validFromMs: NOW_MS + 1 }),
      judgements: [broken(ORIGIN, dated('is not valid before 2026-11-23T12:00:00.001Z, which is in 0 s'), lookThere)],
    },
    {
      given: 'one for less than seven days',
      id: 'webhook-certificate-dates',
      facts: certified({ validToMs: NOW_MS + 7 * DAY_MS - 1 }),
      judgements: [broken(ORIGIN, dated('expires in 7 d, at 2026-11-30T11:59:59.999Z'), lookThere)],
    },
  ])('given $given, then $id is judged so', ({ id, facts: given, judgements }) => {
    expect(judge(id, given)).toEqual(judgements);
  });
});

describe('webhook-token', () => {
  const named = { namedIn: [HOME, COMPUTE], askedTokens: [HOME, COMPUTE] };
  const [inHomes, inCompute] = [`${ORIGIN}, as named in root:dep-ctrl`, `${ORIGIN}, as named in root:providers:compute`];

  it.each<Row>([
    { given: 'a kcp of which nothing was read', facts: NOTHING_READ, judgements: [] },
    { given: 'a webhook that is silent', facts: withWebhooks(webhook({ ...named, peek: silent })), judgements: [] },
    { given: 'two URLs that it accepts', facts: withWebhooks(webhook(named)), judgements: [met(inHomes), met(inCompute)] },
    {
      given: 'one URL that it refuses',
      facts: withWebhooks(webhook({ ...named, refusedTokens: [COMPUTE] })),
      judgements: [
        met(inHomes),
        broken(
          inCompute,
          'does not accept the token in that URL: give both roles the same --url-token-file',
          'diff CONTROLLER_URL_TOKEN_FILE WEBHOOK_URL_TOKEN_FILE',
        ),
      ],
    },
    {
      given: 'more URLs than are tried',
      facts: withWebhooks(webhook({ ...named, askedTokens: [HOME] })),
      judgements: [met(inHomes), notChecked(inCompute, { because: 'not-asked', why: 'so many URLs are not tried' })],
    },
  ])('given $given, then each URL is judged by its answer', ({ facts: given, judgements }) => {
    expect(judge('webhook-token', given)).toEqual(judgements);
  });
});

describe('one-webhook', () => {
  /** A configuration of a guarded workspace. */
  const calling = (origin: string, cluster: string): KubeObject => ({
    metadata: { name: GUARD_NAME, annotations: { 'kcp.io/cluster': cluster } },
    webhooks: [{ clientConfig: { url: `${origin}/validate/${cluster}` } }],
  });
  const elsewhere = (...clusters: readonly string[]) => clusters.map((cluster) => calling('https://other.example.com', cluster));
  const withConfigurations = (...configurations: readonly KubeObject[]): DoctorFacts =>
    facts({
      installation: installation({
        home: { admission: read(admission()) },
        shards: [shard({ configurations: read(configurations) })],
      }),
    });
  const calls = (some: string) =>
    `${some} kcp call another address than ${ORIGIN}, which may be their author's, and was not called from here: the controller writes one only, so ask it why with ${READYZ}`;

  it.each<Row>([
    { given: 'a kcp of which nothing was read', facts: NOTHING_READ, judgements: [] },
    { given: 'a workspace of dep-ctrl whose configuration could not be read', facts: inHome({ admission: SILENT }), judgements: [] },
    { given: 'no configuration in the workspace of dep-ctrl', facts: inHome({ admission: read(undefined) }), judgements: [] },
    { given: 'no other configuration', facts: withConfigurations(), judgements: [met(ORIGIN)] },
    { given: 'others with that address', facts: withConfigurations(calling(ORIGIN, 'a'), calling(ORIGIN, 'b')), judgements: [met(ORIGIN)] },
    {
      given: 'one with another address',
      facts: withConfigurations(calling(ORIGIN, 'a'), ...elsewhere('b')),
      judgements: [broken('configuration in b', calls('has'), READYZ)],
    },
    {
      given: 'six with another address',
      facts: withConfigurations(...elsewhere('a', 'b', 'c', 'd', 'e', 'f')),
      judgements: [broken('6 configurations in a, b, c, d, e and 1 more', calls('have'), READYZ)],
    },
  ])('given $given, then they are judged by the address that they name', ({ facts: given, judgements }) => {
    expect(judge('one-webhook', given)).toEqual(judgements);
  });
});
