import { describe, expect, it } from '@jest/globals';
import { mintAuthority } from '@dep-ctrl/admission-server';
import { workspacePath, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { VERSION } from '../command-line/version.js';
import type { DoctorFacts } from '../doctor/precondition.js';
import type { Findings } from '../doctor/preconditions.js';
import {
  binding,
  clusterNamed,
  facts,
  HOME,
  installation,
  NOW_MS,
  read,
  ready,
  server,
  shard,
} from '../doctor/spec-support/whole-facts.js';
import type { InstallationFacts, WebhookFacts } from '../installation/facts.js';
import type { SeenCertificate } from '../installation/peek.js';
import type { Provider } from '../installation/providers.js';
import type { Unread } from '../installation/reading.js';
import type { RuleView } from '../installation/rule-views.js';
import { homeProtection } from '../own-objects/home-protection.js';
import { VERSION_ANNOTATION } from '../own-objects/lease-view.js';
import { statusView } from './status-view.js';

const HOUR_MS = 3_600_000;
const NOTHING: Findings = { broken: [], notLookedAt: [] };
const unread: Unread = { state: 'unread', what: 'it', because: 'refused', why: 'of no matter here' };
const at = (ms: number) => new Date(ms).toISOString();

function viewOf(there: InstallationFacts, given: Partial<DoctorFacts> = {}, findings = NOTHING) {
  return statusView({ ...facts({ installation: there }), ...given }, there, findings);
}

const withHome = (home: Partial<InstallationFacts['home']>) => viewOf(installation({ home }));

describe(statusView, () => {
  it('given an installation where all is well, then each of its parts is in the view', () => {
    expect(viewOf(installation())).toStrictEqual({
      well: true,
      at: '2026-11-23T12:00:00.000Z',
      versions: { depCtrl: VERSION, kcp: 'v1.33.3+kcp-v0.32.3' },
      home: { path: 'root:dep-ctrl', cluster: 'home', protected: 'no' },
      controller: { state: 'not-elected' },
      webhooks: [],
      endpoints: [{ url: shard().url, state: 'read', kcp: 'v1.33.3+kcp-v0.32.3', bindings: 1, rules: 1 }],
      workspaces: [{ path: 'root:providers:compute', cluster: 'compute', configuration: 'none', guards: [], heldByRules: 0 }],
      rules: [expect.objectContaining({ workspace: 'root:providers:compute', name: 'vm-dependencies', ready: 'True' })],
      ages: [],
      problems: [],
      notLookedAt: [],
    });
  });

  it('given findings, then they are in the view, and it is not well', () => {
    const broken = [{ id: 'clock', where: 'kcp', says: 'is late', run: 'date' }];
    const notLookedAt = [{ id: 'clock', where: 'kcp', because: 'refused', why: 'so' }] as const;

    expect(viewOf(installation(), {}, { broken, notLookedAt })).toMatchObject({ well: false, problems: broken, notLookedAt });
  });

  it('given a kcp that does not say its version, then there is none', () => {
    expect(viewOf(installation(), { server: server({ version: unread }) }).versions).toStrictEqual({ depCtrl: VERSION });
  });
});

describe('the workspace of dep-ctrl', () => {
  const whole = new Map(homeProtection(HOME).map((object) => [object.kind ?? '', object]));
  const half = new Map([...whole].slice(1));

  it.each<{ given: string; home: Partial<InstallationFacts['home']>; expected: object }>([
    {
      given: 'that is not there',
      home: { presence: { state: 'missing', what: 'workspace', text: 'none' }, protection: read(whole) },
      expected: { path: 'root:dep-ctrl', protected: 'unknown' },
    },
    { given: 'whose protection may not be read', home: { protection: unread }, expected: { cluster: 'home', protected: 'unknown' } },
    { given: 'that is protected', home: { protection: read(whole) }, expected: { cluster: 'home', protected: 'yes' } },
    { given: 'that is protected by half', home: { protection: read(half) }, expected: { cluster: 'home', protected: 'no' } },
  ])('given one $given, then that is told', ({ home, expected }) => {
    expect(withHome(home).home).toStrictEqual({ path: 'root:dep-ctrl', ...expected });
  });
});

describe('the controller', () => {
  const lease = (spec: object, annotations = {}) =>
    read({ metadata: { name: 'dep-ctrl', annotations }, spec: { leaseDurationSeconds: 15, ...spec } });
  const [now, before] = [at(NOW_MS - 5_000), at(NOW_MS - 60_000)];

  it.each<{ given: string; lease: InstallationFacts['home']['lease']; expected: object }>([
    { given: 'that may not be read', lease: unread, expected: { state: 'unknown' } },
    { given: 'that is not there', lease: read(undefined), expected: { state: 'not-elected' } },
    {
      given: 'that was renewed just now',
      lease: lease({ holderIdentity: 'a', renewTime: now }, { [VERSION_ANNOTATION]: '0.1.0' }),
      expected: { state: 'leads', holder: 'a', version: '0.1.0', renewedAt: now },
    },
    {
      given: 'that was renewed long ago',
      lease: lease({ holderIdentity: 'a', renewTime: before }),
      expected: { state: 'gone', holder: 'a', renewedAt: before },
    },
    {
      given: 'that nobody holds',
      lease: lease({ holderIdentity: '', renewTime: now }),
      expected: { state: 'gone', renewedAt: now },
    },
  ])('given a Lease $given, then that is told', ({ lease: given, expected }) => {
    expect(withHome({ lease: given }).controller).toStrictEqual(expected);
  });
});

describe('the ordered teardown', () => {
  const type = read({ metadata: { name: 'dep-ctrl' } });
  const dying = (path?: WorkspacePath) => ({
    cluster: clusterNamed('c'),
    since: '2026-11-23T11:00:00Z',
    ...(path === undefined ? {} : { path }),
  });
  const teardown = (home: Partial<InstallationFacts['home']>) => withHome(home).teardown;

  it.each<{ given: string; home: Partial<InstallationFacts['home']>; expected: object | undefined }>([
    { given: 'no type', home: { dying: read([dying(workspacePath('root:a'))]) }, expected: undefined },
    {
      given: 'a type that may not be read',
      home: { teardownType: unread, dying: read([dying(workspacePath('root:a'))]) },
      expected: undefined,
    },
    { given: 'workspaces that may not be read', home: { teardownType: type, dying: unread }, expected: undefined },
    { given: 'no workspace that waits', home: { teardownType: type }, expected: { waiting: 0 } },
    {
      given: 'two that wait',
      home: { teardownType: type, dying: read([dying(workspacePath('root:a')), dying(workspacePath('root:b'))]) },
      expected: { waiting: 2, longest: { path: 'root:a', since: '2026-11-23T11:00:00Z' } },
    },
    {
      given: 'one without a path',
      home: { teardownType: type, dying: read([dying()]) },
      expected: { waiting: 1, longest: { path: 'c', since: '2026-11-23T11:00:00Z' } },
    },
  ])('given $given, then that is told, or nothing', ({ home, expected }) => {
    expect(teardown(home)).toStrictEqual(expected);
  });
});

describe('the webhook', () => {
  const { peek } = server();
  const seen = (changes: Partial<SeenCertificate>): WebhookFacts['peek'] =>
    peek.state === 'answered' ? { ...peek, certificate: { ...peek.certificate, ...changes } } : peek;
  const certificateUntil = at(NOW_MS + 90 * 86_400_000);
  const webhook = (changes: Partial<WebhookFacts>): WebhookFacts => ({
    origin: 'https://w',
    namedIn: [clusterNamed('compute'), HOME],
    peek,
    askedTokens: [],
    refusedTokens: [],
    ...changes,
  });
  const told = (changes: Partial<WebhookFacts>) => viewOf(installation({ webhooks: [webhook(changes)] })).webhooks[0];

  it('given one that answers, then its versions, the names of its workspaces and its dates are told', async () => {
    const { certificate } = await mintAuthority(NOW_MS);
    const other = await mintAuthority(NOW_MS + HOUR_MS);
    const unreadable = certificate.replace(/(?<=BEGIN CERTIFICATE-----)[^-]+/, '\nAAAA\n');

    expect(told({ versions: ['0.1.0'], caBundle: `${certificate}\n${unreadable}\n${other.certificate}` })).toStrictEqual({
      url: 'https://w',
      state: 'answers',
      versions: ['0.1.0'],
      namedIn: ['root:providers:compute', 'root:dep-ctrl'],
      certificateUntil,
      caUntil: [expect.stringMatching(/^20\d\d-/), expect.stringMatching(/^20\d\d-/)],
    });
  });

  it('given one without versions and bundle, then both lists are empty', () => {
    expect(told({})).toMatchObject({ versions: [], caUntil: [] });
  });

  it.each<{ given: string; peek: WebhookFacts['peek']; expected: object }>([
    { given: 'that is silent', peek: { state: 'silent', problem: 'no answer' }, expected: { state: 'fails', problem: 'no answer' } },
    { given: 'behind a proxy', peek: { state: 'proxied' }, expected: { state: 'answers' } },
    {
      given: 'with a certificate of another CA, for another host',
      peek: seen({ isTrusted: false, isForHost: false }),
      expected: { state: 'fails', problem: 'certificate signed by unknown authority', certificateUntil },
    },
    {
      given: 'with a certificate for another host',
      peek: seen({ isForHost: false, names: 'DNS:a' }),
      expected: { state: 'fails', problem: 'the certificate is for another host: DNS:a', certificateUntil },
    },
    {
      given: 'with a certificate that is not valid yet',
      peek: seen({ validFromMs: NOW_MS + 1 }),
      expected: { state: 'fails', problem: 'the certificate is not valid now', certificateUntil },
    },
    {
      given: 'with a certificate that was valid until now',
      peek: seen({ validToMs: NOW_MS - 1 }),
      expected: { state: 'fails', problem: 'the certificate is not valid now', certificateUntil: at(NOW_MS - 1) },
    },
    {
      given: 'with a certificate for this very moment',
      peek: seen({ validFromMs: NOW_MS, validToMs: NOW_MS }),
      expected: { state: 'answers', certificateUntil: at(NOW_MS) },
    },
  ])('given one $given, then its state is told', ({ peek: given, expected }) => {
    expect(told({ peek: given, namedIn: [] })).toStrictEqual({ url: 'https://w', versions: [], namedIn: [], caUntil: [], ...expected });
  });
});

describe('an endpoint', () => {
  const foreign = binding({ metadata: { name: 'other' } });
  const other = { ...foreign, spec: { reference: { export: { path: 'root:x', name: 'other' } } } };
  const endpoint = (changes: Parameters<typeof shard>[0]) => viewOf(installation({ shards: [shard(changes)] })).endpoints[0];

  it.each<{ given: string; changes: Parameters<typeof shard>[0]; expected: object }>([
    {
      given: 'that may not be read at all',
      changes: { bindings: unread, rules: unread, guards: unread, configurations: unread, server: server({ version: unread }) },
      expected: { url: shard().url, state: 'unread', bindings: 0, rules: 0 },
    },
    {
      given: 'of which the guards may not be read',
      changes: { guards: unread },
      expected: { url: shard().url, state: 'partly-read', kcp: 'v1.33.3+kcp-v0.32.3', bindings: 1, rules: 1 },
    },
    {
      given: 'with bindings to other exports',
      changes: { bindings: read([binding(), other]) },
      expected: { url: shard().url, state: 'read', kcp: 'v1.33.3+kcp-v0.32.3', bindings: 1, rules: 1 },
    },
  ])('given one $given, then that is told', ({ changes, expected }) => {
    expect(endpoint(changes)).toStrictEqual(expected);
  });
});

describe('a workspace', () => {
  const entry = (rule: string, resource: string): Provider['entries'][number] => ({
    cluster: clusterNamed('compute'),
    rule,
    resource,
    dependent: 'VM.x',
    enforcement: 'Deny',
  });
  const provider: Provider = {
    cluster: clusterNamed('network'),
    name: 'root:network',
    bindings: [],
    guard: undefined,
    configuration: undefined,
    configurationState: { state: 'equal' },
    entries: [entry('b', 'vpcs.x'), entry('a', 'vpcs.x'), entry('a', 'nets.x')],
  };
  const told = (changes: Partial<Provider>) => viewOf(installation(), { providers: [{ ...provider, ...changes }] }).workspaces[0];
  const whole = { path: 'root:network', cluster: 'network', configuration: 'equal', guards: ['nets.x', 'vpcs.x'], heldByRules: 2 };

  it('given rules of which one names two types, then each type and each rule counts once', () => {
    expect(told({})).toStrictEqual(whole);
  });

  it.each<{ given: string; guard: Provider['guard']; expected: object }>([
    {
      given: 'a guard that the controller has not looked at',
      guard: { metadata: {} },
      expected: { ready: false, reason: '', admits: 'everyone' },
    },
    {
      given: 'a guard that is ready and admits two',
      guard: {
        metadata: {},
        spec: { allowRulesFrom: ['root:a', 'root:b'] },
        status: { conditions: [{ ...ready('False', 'X'), type: 'Y' }, ready('True', 'Installed')] },
      },
      expected: { ready: true, reason: 'Installed', admits: 2 },
    },
    {
      given: 'a guard that is not ready and admits nobody',
      guard: { metadata: {}, spec: { allowRulesFrom: [] }, status: { conditions: [ready('False', 'Conflict')] } },
      expected: { ready: false, reason: 'Conflict', admits: 0 },
    },
  ])('given $given, then that is told', ({ guard, expected }) => {
    expect(told({ guard })).toStrictEqual({ ...whole, guard: expected });
  });
});

describe('a rule', () => {
  const rule: RuleView = {
    cluster: clusterNamed('compute'),
    workspace: 'root:compute',
    name: 'a',
    ready: ready('True', 'Installed'),
    isSeen: true,
    createdAt: '',
    inForce: 'yes',
    problems: [],
    targets: [],
    lost: [],
    guarded: [],
  };
  const told = (changes: Partial<RuleView>) => viewOf(installation(), { rules: [{ ...rule, ...changes }] }).rules[0];
  const named = { workspace: 'root:compute', name: 'a' };
  const doctor = 'dep-ctrl doctor';
  const target = (path: string, state: string) => ({ path, state }) as RuleView['targets'][number];

  it.each<{ given: string; changes: Partial<RuleView>; expected: object }>([
    { given: 'that is ready and in force', changes: {}, expected: { ready: 'True', inForce: 'yes', reason: 'Installed' } },
    {
      given: 'that was ready before it was changed',
      changes: { isSeen: false },
      expected: { ready: 'True', inForce: 'yes', reason: 'Installed', message: 'so it is', fix: doctor },
    },
    {
      given: 'that is ready and not in force',
      changes: { inForce: 'no' },
      expected: { ready: 'True', inForce: 'no', reason: 'Installed', fix: doctor },
    },
    {
      given: 'without a status',
      changes: { ready: undefined, inForce: 'unknown' },
      expected: { ready: 'none', inForce: 'unknown', fix: doctor },
    },
    {
      given: 'with targets of which one is not bound',
      changes: {
        ready: ready('False', 'NotBound'),
        inForce: 'no',
        targets: [target('root:there', 'Installed'), target('root:network', 'NotBound')],
      },
      expected: { ready: 'False', inForce: 'no', reason: 'NotBound', message: 'so it is', fix: 'dep-ctrl bind root:network' },
    },
  ])('given one $given, then its state and what helps are told', ({ changes, expected }) => {
    expect(told(changes)).toStrictEqual({ ...named, ...expected });
  });
});

describe('what gets old', () => {
  const secret = { name: 'a', type: 'Opaque', isFilled: true } as const;

  it('given Secrets, then each that is filled is told, with its dates as far as it says them', async () => {
    const { certificate } = await mintAuthority(NOW_MS);
    const secrets = read([
      { ...secret, name: 'empty', isFilled: false },
      secret,
      { ...secret, name: 'b', writtenAt: '2026-11-23T11:00:00Z', certificate: 'no certificate' },
      { ...secret, name: 'c', certificate },
    ]);

    expect(withHome({ secrets }).ages).toStrictEqual([
      { what: 'Secret a' },
      { what: 'Secret b', writtenAt: '2026-11-23T11:00:00Z' },
      { what: 'Secret c', validUntil: expect.stringMatching(/^20\d\d-/) },
    ]);
  });

  it('given Secrets that may not be read, then nothing is told', () => {
    expect(withHome({ secrets: unread }).ages).toStrictEqual([]);
  });
});
