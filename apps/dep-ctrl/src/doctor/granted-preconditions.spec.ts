import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { homeManifests, OWN_SECRETS, type Subject } from '../bootstrap/manifests.js';
import type { HomeFacts, SecretFacts } from '../installation/facts.js';
import { GRANTED_PRECONDITIONS, isBootstrapped } from './granted-preconditions.js';
import { broken, met, notChecked, type DoctorFacts } from './precondition.js';
import { SOON_MS } from './server-preconditions.js';
import { inHome, judge, kubectlIn, NOT_INSTALLED, NOTHING_READ, REFUSED, type Row } from './spec-support/judge.js';
import { facts, installation, read } from './spec-support/whole-facts.js';

const HERE = 'in root:dep-ctrl';
const BOOTSTRAP = 'dep-ctrl bootstrap';
const ROLES = [
  'ClusterRole dep-ctrl:bind',
  'ClusterRole dep-ctrl:controller',
  'ClusterRole dep-ctrl:webhook',
  'Role dep-ctrl:controller',
  'Role dep-ctrl:own-secrets',
];
const BINDINGS = ['ClusterRoleBinding dep-ctrl:controller', 'ClusterRoleBinding dep-ctrl:webhook', 'RoleBinding dep-ctrl:controller'];

/** A certificate, and when it ends. */
const CA = `-----BEGIN CERTIFICATE-----
MIIBgjCCASegAwIBAgIUWPUytRxrUXKlZIidONlIGD5BlrcwCgYIKoZIzj0EAwIw
FjEUMBIGA1UEAwwLZGVwLWN0cmwgQ0EwHhcNMjYxMTI3MTkwOTAzWhcNMzYxMTI0
MTkwOTAzWjAWMRQwEgYDVQQDDAtkZXAtY3RybCBDQTBZMBMGByqGSM49AgEGCCqG
SM49AwEHA0IABDG24jNpLHet6N445kQxIlGgb4u3pKK17FcFDVbZqMBSC7DBB7WV
aZFRC82orS/TMWNit+sXLqSYKeqe/7icOEajUzBRMB0GA1UdDgQWBBS1Dhh0CKOG
sGP83Ap58Hsx24NWbzAfBgNVHSMEGDAWgBS1Dhh0CKOGsGP83Ap58Hsx24NWbzAP
BgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0kAMEYCIQC6ODOgOPISDOkm7pug
OlBtafM7Ev47JYZGgDe18pCWwQIhAPPUi+DZ0B8Dn0zb8pnOhAPFc1+9uG7e4Y1H
QWKbGuS3
-----END CERTIFICATE-----
`;
const CA_UNTIL_MS = Date.parse('2036-11-24T19:09:03Z');

type Rights = HomeFacts['rights'];

const account = (name: string): Subject => ({ kind: 'ServiceAccount', name, namespace: 'default' });
const secret = (name: string, changes: Partial<SecretFacts> = {}): SecretFacts => ({ name, type: 'Opaque', isFilled: true, ...changes });
const rightsOf = (...objects: readonly KubeObject[]): Rights =>
  read(new Map(objects.map((object) => [[object.kind, object.metadata.name].join('/'), object])));

/** What bootstrap grants to an account for each role, the named accounts among it. */
function granted({ accounts = ['w', 'c'] }: { readonly accounts?: readonly string[] } = {}): Rights {
  const controller = [account('w'), account('c')];
  return rightsOf(
    ...homeManifests({ controller, webhook: [account('w'), { kind: 'User', name: 'operator' }], ownSecrets: [] }),
    ...accounts.map((name) => ({ kind: 'ServiceAccount', metadata: { name } })),
  );
}

/** What bootstrap grants, but for one object that is as `edit` makes it. */
function changed(key: string, edit: (object: KubeObject) => KubeObject | undefined): DoctorFacts {
  const { rights } = installation().home;
  const objects = rights.state === 'read' ? [...rights.value] : [];
  return inHome({ rights: rightsOf(...objects.flatMap(([each, object]) => (each === key ? (edit(object) ?? []) : object))) });
}

describe('each of them', () => {
  const judgements = (given: DoctorFacts) => GRANTED_PRECONDITIONS.flatMap((each) => each.judge(given));

  it.each<{ given: string; facts: DoctorFacts }>([
    { given: 'a kcp of which nothing was read', facts: NOTHING_READ },
    { given: 'no workspace of dep-ctrl', facts: inHome({ ...NOT_INSTALLED, rights: REFUSED, secrets: REFUSED }) },
    { given: 'a workspace that was not found, whatever was read', facts: inHome(NOT_INSTALLED) },
  ])('given $given, then nothing is judged', ({ facts: given }) => {
    expect(judgements(given)).toEqual([]);
  });

  it('given what bootstrap grants to a user, then roles, bindings and Secrets are met, and there is no account to judge', () => {
    expect(judgements(facts())).toEqual(
      [...ROLES, ...BINDINGS, ...OWN_SECRETS.map((name) => `Secret default/${name}`)].map((what) => met(`${what} ${HERE}`)),
    );
  });

  it('given rights that may not be read, then that is told once', () => {
    expect(judgements(inHome({ rights: REFUSED }))).toEqual([notChecked(`rights of the roles ${HERE}`, REFUSED)]);
  });

  it('given a workspace where bootstrap granted nothing, then that is told once', () => {
    expect(judgements(inHome({ rights: rightsOf() }))).toEqual([
      notChecked('rights of the roles', {
        because: 'not-asked',
        why: 'bootstrap has granted none here: the roles run with other credentials',
      }),
    ]);
  });
});

describe('roles-there', () => {
  const others = (name: string) => ROLES.filter((each) => each !== name).map((each) => met(`${each} ${HERE}`));

  it.each([
    { given: 'a ClusterRole that is missing', key: 'ClusterRole/dep-ctrl:webhook', object: undefined, says: 'is missing' },
    { given: 'a Role that is missing', key: 'Role/dep-ctrl:own-secrets', object: undefined, says: 'is missing' },
    { given: 'a ClusterRole without rules', key: 'ClusterRole/dep-ctrl:bind', object: { rules: [] }, says: 'grants something else' },
  ])('given $given, then it is named', ({ key, object, says }) => {
    const name = key.replace('/', ' ');

    const judgements = judge(
      'roles-there',
      changed(key, (before) => (object === undefined ? undefined : { ...before, ...object })),
    );

    expect(judgements).toEqual(expect.arrayContaining([...others(name), broken(`${name} ${HERE}`, says, BOOTSTRAP)]));
    expect(judgements).toHaveLength(ROLES.length);
  });
});

describe('roles-bound', () => {
  it.each([
    { given: 'a binding without subjects', key: 'ClusterRoleBinding/dep-ctrl:controller', object: { subjects: undefined } },
    { given: 'a binding of nobody', key: 'ClusterRoleBinding/dep-ctrl:webhook', object: { subjects: [] } },
    { given: 'no binding', key: 'RoleBinding/dep-ctrl:controller', object: undefined },
  ])('given $given, then it is named', ({ key, object }) => {
    const name = key.replace('/', ' ');
    const given = changed(key, (before) => (object === undefined ? undefined : { ...before, ...object }));

    expect(judge('roles-bound', given)).toEqual(
      BINDINGS.map((each) => (each === name ? broken(`${name} ${HERE}`, 'binds nobody', BOOTSTRAP) : met(`${each} ${HERE}`))),
    );
  });
});

describe('accounts-there', () => {
  const where = (name: string) => `ServiceAccount default/${name} ${HERE}`;

  it.each<Row>([
    { given: 'the accounts of the roles', facts: inHome({ rights: granted() }), judgements: [met(where('c')), met(where('w'))] },
    {
      given: 'one of them',
      facts: inHome({ rights: granted({ accounts: ['w'] }) }),
      judgements: [broken(where('c'), 'is missing', BOOTSTRAP), met(where('w'))],
    },
  ])('given $given, then each that a role is bound to is judged once, by name', ({ facts: given, judgements }) => {
    expect(judge('accounts-there', given)).toEqual(judgements);
  });
});

describe('account-tokens', () => {
  const where = (name: string) => `Secret default/${name}-token ${HERE}`;
  const missing = (name: string) => broken(where(name), 'is missing or has no token', 'dep-ctrl bootstrap --kubeconfig-dir identities');
  const tokens = (...secrets: readonly SecretFacts[]) => inHome({ rights: granted(), secrets: read(secrets) });

  it.each<Row>([
    { given: 'a token for each', facts: tokens(secret('w-token'), secret('c-token')), judgements: [met(where('c')), met(where('w'))] },
    { given: 'a Secret of another', facts: tokens(secret('other'), secret('w-token')), judgements: [missing('c'), met(where('w'))] },
    {
      given: 'a Secret without its token',
      facts: tokens(secret('w-token', { isFilled: false }), secret('c-token')),
      judgements: [met(where('c')), missing('w')],
    },
    {
      given: 'an account that is missing, which is told before',
      facts: inHome({ rights: granted({ accounts: ['w'] }), secrets: read([]) }),
      judgements: [missing('w')],
    },
    { given: 'Secrets that may not be read', facts: inHome({ rights: granted(), secrets: REFUSED }), judgements: [] },
  ])('given $given, then the tokens of the accounts are judged', ({ facts: given, judgements }) => {
    expect(judge('account-tokens', given)).toEqual(judgements);
  });
});

describe('own-secrets', () => {
  const [ca, token] = OWN_SECRETS.map((name) => `Secret default/${name} ${HERE}`);

  it.each<Row>([
    {
      given: 'one of the two',
      facts: inHome({ secrets: read([secret(OWN_SECRETS[0])]) }),
      judgements: [met(ca ?? ''), broken(token ?? '', 'is missing', BOOTSTRAP)],
    },
    { given: 'Secrets that may not be read', facts: inHome({ secrets: REFUSED }), judgements: [] },
  ])('given $given, then each is judged', ({ facts: given, judgements }) => {
    expect(judge('own-secrets', given)).toEqual(judgements);
  });
});

describe('own-ca-dates', () => {
  const [name] = OWN_SECRETS;
  const where = `Secret default/${name} ${HERE}`;
  const secrets = read([secret('c-token'), secret('other', { certificate: 'no PEM' }), secret(name, { certificate: CA })]);
  const at = (nowMs: number) => ({ ...inHome({ secrets }), nowMs });

  it.each<Row>([
    { given: 'a CA for more than seven days', facts: at(CA_UNTIL_MS - SOON_MS - 1), judgements: [met(where)] },
    {
      given: 'a CA for seven more days',
      facts: at(CA_UNTIL_MS - SOON_MS),
      judgements: [
        broken(
          where,
          'holds a CA that is valid until 2036-11-24T19:09:03.000Z',
          kubectlIn('root:dep-ctrl', `patch secret ${name} -n default --type merge -p '{"data":null}'`),
        ),
      ],
    },
    {
      given: 'Secrets that may not be read',
      facts: inHome({ secrets: REFUSED }),
      judgements: [notChecked(`ages of the CA and the tokens ${HERE}`, REFUSED)],
    },
  ])('given $given, then what can be read of it is judged', ({ facts: given, judgements }) => {
    expect(judge('own-ca-dates', given)).toEqual(judgements);
  });
});

describe(isBootstrapped, () => {
  it.each<{ given: string; rights: Rights; expected: boolean }>([
    {
      given: 'a right of dep-ctrl among others',
      rights: rightsOf(named('Role', 'a'), named('Role', 'dep-ctrl:controller')),
      expected: true,
    },
    { given: 'only rights of others', rights: rightsOf(named('Role', 'a'), named('ServiceAccount', 'dep-ctrl')), expected: false },
    { given: 'no right', rights: rightsOf(), expected: false },
    { given: 'rights that may not be read', rights: REFUSED, expected: false },
  ])('given $given, then it is $expected', ({ rights, expected }) => {
    expect(isBootstrapped({ rights })).toBe(expected);
  });
});

function named(kind: string, name: string): KubeObject {
  return { kind, metadata: { name } };
}
