import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { DEV_PATHS } from '../dev/dev-paths.js';
import { factsAboutRule, parseNamedRule } from './one-rule.js';
import { examine, findingsOf } from './preconditions.js';
import type { Facts, InstallationFacts } from '../installation/facts.js';
import type { Unread } from '../installation/reading.js';
import { doctorFacts, type DoctorFacts } from './precondition.js';
import { NO_PROBES } from './probes/probes.js';
import { binding, clusterNamed, facts, HOME, installation, NOW_MS, read, ready, rule, server, shard } from './spec-support/whole-facts.js';

const { compute, network } = DEV_PATHS;
const NETWORK = clusterNamed('network');
const COMPUTE = clusterNamed('compute');
const unread: Unread = { state: 'unread', what: 'it', because: 'silent', why: 'no answer' };
const inWorkspace = (object: KubeObject, cluster: string, path: string): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, annotations: { 'kcp.io/cluster': cluster, 'kcp.io/path': path } },
});

/** Two rules that are not ready, of two authors, and a guarded workspace that waits for its configuration. */
function troubled(): DoctorFacts {
  const unready = rule({ status: { conditions: [ready('False', 'FieldNotFound')] } });
  const rejected = { ...binding(), spec: { ...(binding()['spec'] as object), permissionClaims: [] } };
  const shards = [
    shard({
      bindings: read([binding(), inWorkspace(binding(), NETWORK, network), inWorkspace(rejected, 'storage', 'root:storage')]),
      rules: read([unready, inWorkspace(unready, 'storage', 'root:storage')]),
    }),
  ];
  const rights = [compute, 'root:storage'].map((workspace) => ({
    ...({ role: 'webhook', of: 'dependents', workspace, action: 'list virtualmachines.compute.example.com' } as const),
    grant: read('missing' as const),
  }));
  return facts({
    installation: installation({
      shards,
      paths: new Map([
        [network, NETWORK],
        [compute, clusterNamed('compute')],
      ]),
    }),
    probes: { ...NO_PROBES, rights },
  });
}

const installationOf = ({ installation: found }: DoctorFacts): InstallationFacts => found ?? installation();

const about = (given: DoctorFacts, text: string) => {
  const named = parseNamedRule(text);
  if (!named.ok) throw new Error(named.problem);
  const found = factsAboutRule(given, named.value);
  return found.ok ? findingsOf(examine(found.value)).broken.map(({ id, where }) => `${id} ${where}`) : found.problem;
};

describe(factsAboutRule, () => {
  it.each([`${compute}/vm-dependencies`, 'compute/vm-dependencies'])(
    'given trouble of two authors and the rule %s, then that rule, its rights and the workspace that it guards are told, and nothing of the other author',
    (named) => {
      expect(about(troubled(), named)).toEqual([
        `configuration-there configuration in ${network}`,
        `rule-ready rule ${compute}/vm-dependencies`,
        `webhook-reads-dependents webhook in ${compute}`,
      ]);
    },
  );

  it('given trouble of the installation, then it is told: it concerns every rule', () => {
    const given = facts({ server: server({ version: read('v1.32.0+kcp-v0.29.1') }) });

    expect(about(given, `${compute}/vm-dependencies`)).toEqual(['kcp-version https://kcp.example.com:6443']);
  });

  it.each([
    {
      named: `${compute}/vm-dependancies`,
      says: `there is no rule "vm-dependancies" in workspace "${compute}"; there is ${compute}/vm-dependencies`,
    },
    {
      named: 'root:nowhere/other',
      says: 'nothing is seen of a rule "other" in workspace "root:nowhere", as no binding of dep-ctrl is seen there: rules count where their workspace binds dep-ctrl',
    },
    {
      named: 'root:nowhere/vm-dependencies',
      says: `nothing is seen of a rule "vm-dependencies" in workspace "root:nowhere", as no binding of dep-ctrl is seen there: rules count where their workspace binds dep-ctrl; there is ${compute}/vm-dependencies`,
    },
    {
      named: 'compute/other',
      says: `there is no rule "other" in workspace "compute"; there is ${compute}/vm-dependencies`,
    },
  ])('given $named, which there is not, then what there is near it is named', ({ named, says }) => {
    expect(about(facts(), named)).toBe(says);
  });

  it.each<{ given: string; facts: Partial<Facts>; says: string }>([
    { given: 'a kcp that does not answer', facts: { server: server({ version: unread }) }, says: 'no answer' },
    { given: 'a kcp that cannot be looked into', facts: {}, says: 'kcp does not answer' },
    {
      given: 'no workspace of dep-ctrl',
      facts: { installation: installation({ home: { presence: { state: 'missing', what: 'workspace', text: 'it is gone' } } }) },
      says: 'it is gone',
    },
    {
      given: 'a shard whose rules could not be read',
      facts: { installation: installation({ shards: [shard(), shard({ rules: unread })] }) },
      says: 'nothing is seen of a rule "other" in workspace "root:nowhere", as no binding of dep-ctrl is seen there: rules count where their workspace binds dep-ctrl; not every rule could be read',
    },
  ])(
    'given $given, then a rule that is not found is told with that',
    ({ facts: { server: asked = server(), installation: found }, says }) => {
      const given = { nowMs: NOW_MS, server: asked, ...(found === undefined ? {} : { installation: found }) };

      expect(about(doctorFacts(given, facts().access, NO_PROBES), 'root:nowhere/other')).toBe(says);
    },
  );

  it('given several workspaces that bind dep-ctrl, then one of them is known to, whichever it is', () => {
    for (const cluster of ['compute', 'storage']) {
      expect(about(troubled(), `${cluster}/other`)).toMatch(new RegExp(`^there is no rule "other" in workspace "${cluster}"; `));
    }
  });

  it.each([
    { count: 5, more: '' },
    { count: 7, more: ' and 2 more' },
  ])('given $count rules near it, then five are named$more', ({ count, more }) => {
    const rules = Array.from({ length: count }, (_, at) => ({ ...rule(), metadata: { ...rule().metadata, name: `r${String(at)}` } }));
    const given = facts({ installation: installation({ shards: [shard({ rules: read(rules) })] }) });
    const five = [0, 1, 2, 3, 4].map((at) => `${compute}/r${String(at)}`).join(', ');

    expect(about(given, `${compute}/other`)).toBe(`there is no rule "other" in workspace "${compute}"; there is ${five}${more}`);
  });

  it('given webhooks and probes, then what concerns the rule and the whole installation is left of them', () => {
    const elsewhere = clusterNamed('elsewhere');
    const given = troubled();
    const webhook = { origin: 'https://w', peek: { state: 'proxied' }, askedTokens: [], refusedTokens: [] } as const;
    const webhooks = [
      { ...webhook, namedIn: [HOME, elsewhere] },
      { ...webhook, namedIn: [NETWORK] },
      { ...webhook, namedIn: [elsewhere] },
    ];
    const right = { role: 'webhook', action: 'list', grant: read('missing' as const) } as const;
    const probes = {
      rights: [
        { ...right, of: 'consumers', workspace: 'root:other' },
        { ...right, of: 'dependents', workspace: 'root:other' },
        { ...right, of: 'dependents', workspace: compute },
      ],
      policies: [compute, 'root:other'].map((workspace) => ({ workspace, exportName: 'e', isHidden: read(true) })),
      shardAdmins: [
        {
          file: 'a',
          rights: unread,
          orphans: ['gone'],
          configurations: read([COMPUTE, NETWORK, elsewhere].map((cluster) => ({ cluster, owner: HOME }))),
        },
        { file: 'b', rights: unread, orphans: ['gone'], configurations: unread },
      ],
    } as const;
    const all = facts({ installation: { ...installationOf(given), webhooks } });

    const found = factsAboutRule({ ...all, probes }, { workspace: compute, name: 'vm-dependencies' });
    const bare = factsAboutRule({ ...all, probes: {} }, { workspace: compute, name: 'vm-dependencies' });

    if (!found.ok || !bare.ok) throw new Error('the rule of this spec is there');
    expect(found.value.installation?.webhooks).toEqual([
      { ...webhook, namedIn: [HOME] },
      { ...webhook, namedIn: [NETWORK] },
    ]);
    expect(found.value.providers.map(({ cluster }) => cluster)).toEqual([COMPUTE, NETWORK]);
    expect(found.value.probes).toEqual({
      rights: [probes.rights[0], probes.rights[2]],
      policies: [probes.policies[0]],
      shardAdmins: [
        { ...probes.shardAdmins[0], orphans: [], configurations: read([COMPUTE, NETWORK].map((cluster) => ({ cluster, owner: HOME }))) },
        { ...probes.shardAdmins[1], orphans: [] },
      ],
    });
    expect(bare.value.probes).toEqual({});
  });

  it('given no workspace of dep-ctrl and a rule that is found all the same, then no webhook is named for it', () => {
    const given = facts();
    const webhooks = [{ origin: 'https://w', peek: { state: 'proxied' }, askedTokens: [], refusedTokens: [], namedIn: [HOME] } as const];
    const lost = installation({ webhooks, home: { presence: { state: 'in-doubt', text: '' } } });

    const found = factsAboutRule({ ...given, installation: lost }, { workspace: compute, name: 'vm-dependencies' });

    expect(found.ok && found.value.installation?.webhooks).toEqual([]);
  });
});

describe(parseNamedRule, () => {
  it('given a workspace and a name, then it is that rule', () => {
    expect(parseNamedRule('root:providers:compute/vm-dependencies')).toEqual({
      ok: true,
      value: { workspace: 'root:providers:compute', name: 'vm-dependencies' },
    });
  });

  it.each(['vms', 'a/b/c', '/vms', 'root:a/', ''])('given %j, then it is no rule', (text) => {
    expect(parseNamedRule(text)).toEqual({
      ok: false,
      problem: expect.stringContaining('such as "root:providers:compute/vm-dependencies"'),
    });
  });
});
