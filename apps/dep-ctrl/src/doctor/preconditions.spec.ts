import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { apiExport } from '@dep-ctrl/rule-registry';
import type { InstallationFacts } from '../installation/facts.js';
import type { Unread } from '../installation/reading.js';
import { teardownType } from '../teardown-type/teardown-type.js';
import { broken, met, notChecked, type DoctorFacts, type Precondition } from './precondition.js';
import { examine, findingsOf, isWell, PRECONDITIONS, summary, type Findings } from './preconditions.js';
import { NO_PROBES, type Probes } from './probes/probes.js';
import { binding, facts, installation, NOW_MS, read, ready, rule, server, shard } from './spec-support/whole-facts.js';

const findings = (given: DoctorFacts) => findingsOf(examine(given));
const brokenIn = (given: DoctorFacts) => [...new Set(findings(given).broken.map(({ id }) => id))];
const home = (changes: Parameters<typeof installation>[0] & object) => facts({ installation: installation(changes) });
const probed = (probes: Partial<Probes>) => facts({ probes: { ...NO_PROBES, ...probes } });
const refused: Unread = { state: 'unread', what: 'it', because: 'refused', why: 'role missing: some role' };
const { peek } = server();
const answered = peek.state === 'answered' ? peek : undefined;
const certificateUntil = (validToMs: number) =>
  answered === undefined ? peek : { ...answered, certificate: { ...answered.certificate, validToMs } };
const rightsOf = ({ home: { rights: found } }: InstallationFacts) => (found.state === 'read' ? [...found.value] : []);
const rights = { workspace: 'root:a', action: 'list apibindings.apis.kcp.io', grant: read('missing' as const) };

describe(examine, () => {
  it('given facts of an installation where all is well, then nothing is broken', () => {
    expect(findings(facts()).broken).toEqual([]);
  });

  it.each<{ given: string; id: string; facts: DoctorFacts }>([
    { given: 'kcp 0.29', id: 'kcp-version', facts: facts({ server: server({ version: read('v1.32.0+kcp-v0.29.1') }) }) },
    {
      given: 'a certificate of kcp for six more days',
      id: 'kcp-certificate-dates',
      facts: facts({ server: server({ peek: certificateUntil(NOW_MS + 6 * 86_400_000) }) }),
    },
    {
      given: 'a clock that is a minute ahead',
      id: 'clock',
      facts: facts({ server: server({ peek: answered === undefined ? peek : { ...answered, skewMs: 60_000 } }) }),
    },
    {
      given: 'a shard that is silent',
      id: 'kcp-answers',
      facts: home({ shards: [shard({ server: server({ baseUrl: 'https://s:1', peek: { state: 'silent', problem: 'no answer' } }) })] }),
    },
    { given: 'an export without identity', id: 'export-identity', facts: home({ home: { apiExport: read(apiExport()) } }) },
    { given: 'no schemas', id: 'schemas-there', facts: home({ home: { schemas: read(new Set()) } }) },
    { given: 'no endpoint slice', id: 'endpoint-slice', facts: home({ home: { slice: read(undefined) } }) },
    {
      given: 'a binding that waits',
      id: 'binding-bound',
      facts: home({ shards: [shard({ bindings: read([binding({ status: { phase: 'Binding' } })]) })] }),
    },
    {
      given: 'a binding that is being deleted',
      id: 'binding-bound',
      facts: home({ shards: [shard({ bindings: read([binding({ metadata: { deletionTimestamp: '2026-11-23T11:00:00Z' } })]) })] }),
    },
    {
      given: 'a rule without targets',
      id: 'rule-readable',
      facts: home({ shards: [shard({ rules: read([rule({ spec: { dependencies: [] } })]) })] }),
    },
    {
      given: 'a rule without status',
      id: 'rule-looked-at',
      facts: home({ shards: [shard({ rules: read([rule({ status: { observedGeneration: undefined, conditions: [] } })]) })] }),
    },
    {
      given: 'a rule with the status of before',
      id: 'rule-looked-at',
      facts: home({ shards: [shard({ rules: read([rule({ status: { observedGeneration: 1 } })]) })] }),
    },
    {
      given: 'a webhook that may not enter',
      id: 'webhook-enters',
      facts: probed({ rights: [{ ...rights, role: 'webhook', of: 'consumers' }] }),
    },
    {
      given: 'a controller that may not enter',
      id: 'controller-enters',
      facts: probed({ rights: [{ ...rights, role: 'controller', of: 'consumers' }] }),
    },
    {
      given: 'a token that reaches no other workspace',
      id: 'identity-reads',
      facts: probed({
        identities: [{ file: 'f', role: 'webhook', home: read(true), foreign: [{ workspace: 'root:a', listed: refused }] }],
      }),
    },
    { given: 'a reader without rights', id: 'may-look', facts: home({ shards: [shard({ rules: refused })] }) },
  ])('given $given, then exactly $id is broken', ({ id, facts: given }) => {
    expect(brokenIn(given)).toEqual([id]);
  });

  it('given a webhook that kcp does not reach and that answers from here, then the delete that was tried is named', () => {
    const deletes = [
      { shard: 'https://s', object: 'vpcs/a in root:a', outcome: { state: 'not-reached', problem: 'no route to host' } },
    ] as const;
    const webhooks = [{ origin: 'https://w', namedIn: [], peek, askedTokens: [], refusedTokens: [] }];

    const { broken: wrong } = findings(facts({ installation: installation({ webhooks }), probes: { ...NO_PROBES, deletes } }));

    expect(wrong.map(({ id, where, says }) => [id, where, says])).toEqual([
      ['delete-asks-webhook', 'kcp at https://s', 'does not reach the webhook about vpcs/a in root:a: no route to host'],
    ]);
  });

  it('given a rule that is not ready since the webhook may not read, then the right is named, and not the rule', () => {
    const shards = [shard({ rules: read([rule({ status: { conditions: [ready('False', 'GrantMissing')] } })]) })];
    const missing = { ...rights, role: 'webhook', of: 'dependents' } as const;
    const given = facts({ installation: installation({ shards }) });

    expect(brokenIn({ ...given, probes: { rights: [missing] } })).toEqual(['webhook-reads-dependents']);
    expect(brokenIn(given)).toEqual(['rule-ready']);
  });

  it('given a kcp without dep-ctrl, then bootstrap is proposed with the flags that the caller gave, and writes the kubeconfig that the next step needs', () => {
    const presence = { state: 'missing', what: 'workspace', text: 'there is none' } as const;
    const given = home({ home: { presence } });
    const access = { ...given.access, flags: ['--kubeconfig', 'admin.kubeconfig'] };
    const runOf = (more: object) => findings({ ...given, access: { ...access, ...more } }).broken[0]?.run;

    expect(runOf({})).toBe('dep-ctrl bootstrap --kubeconfig-dir identities --kubeconfig admin.kubeconfig');
    expect(runOf({ shardKubeconfigs: ['a', 'b'], kubeconfigDir: 'out' })).toBe(
      'dep-ctrl bootstrap --shard-kubeconfig a --shard-kubeconfig b --kubeconfig-dir out --kubeconfig admin.kubeconfig',
    );
  });

  it.each([
    { given: 'no shard', shardKubeconfigs: [], run: 'dep-ctrl bootstrap --shard-kubeconfig FILE --kubeconfig-dir out' },
    { given: 'a shard', shardKubeconfigs: ['a'], run: 'dep-ctrl bootstrap --shard-kubeconfig a --kubeconfig-dir out' },
  ])(
    'given a webhook that may not enter, and $given on the command line, then the command names what is known',
    ({ shardKubeconfigs, run }) => {
      const identities = [{ file: 'f', role: 'webhook', home: { state: 'read', value: true }, foreign: [] }] as const;
      const given = probed({ identities, rights: [{ ...rights, role: 'webhook', of: 'consumers' }] });
      const access = { ...given.access, shardKubeconfigs, kubeconfigDir: 'out' };

      expect(findings({ ...given, access }).broken.map((each) => each.run)).toEqual([run]);
    },
  );

  it('given a rule that was written a moment ago, then its missing status is no fault', () => {
    const young = rule({ status: { observedGeneration: undefined, conditions: [] } });
    const shards = [shard({ rules: read([{ ...young, metadata: { ...young.metadata, creationTimestamp: '2026-11-23T11:59:58Z' } }]) })];

    expect(findings(facts({ installation: installation({ shards }) })).broken).toEqual([]);
  });

  it('given something that may not be read, then it is not looked at, names the role that is missing, and nothing is called well', () => {
    const found = findings(home({ home: { rights: refused } }));

    expect(found.broken).toEqual([]);
    expect(found.notLookedAt).toContainEqual({
      id: 'roles-there',
      where: 'rights of the roles in root:dep-ctrl',
      because: 'refused',
      why: 'role missing: some role',
    });
    expect([isWell(found), summary(found)]).toEqual([false, '1 thing could not be looked at']);
  });

  it('given a flag that was not given, then that is told, and is no fault', () => {
    const found = findings(facts());

    expect(found.notLookedAt.map(({ id, because }) => `${id} ${because}`)).toContain('shard-rights not-asked');
    expect(isWell(found)).toBe(true);
  });
});

describe('what follows from something that is broken', () => {
  const judged = (given: DoctorFacts, id: string) => examine(given).find(({ precondition }) => precondition.id === id)?.judgements;
  const derived = read({ types: [], isWhole: false, notes: ['not read: it'] });
  const withType = (type: KubeObject) =>
    facts({
      installation: installation({ home: { teardownType: read(type) } }),
      probes: { ...NO_PROBES, teardown: { derived, followers: [] } },
    });
  const type = teardownType({ kind: 'listed', types: [] });
  const where = 'WorkspaceType dependency-ordered in root:dep-ctrl';

  it('given something that could not be checked, and nothing that explains it, then it is told', () => {
    expect(judged(withType(type), 'teardown-permissions')).toEqual([notChecked(where, { because: 'failed', why: 'not read: it' })]);
  });

  it('given something that could not be checked, and something broken that explains it, then nothing is said of it', () => {
    expect(judged(withType({ ...type, spec: {} }), 'teardown-permissions')).toEqual([]);
  });

  it('given two rights, one of which is missing, and something broken that explains it, then the other one is still met', () => {
    const missing = { ...rights, role: 'webhook', of: 'consumers' } as const;
    const granted = { ...missing, workspace: 'root:b', grant: read('granted' as const) };
    const unbound = new Map(rightsOf(installation()).filter(([, { kind }]) => kind !== 'ClusterRoleBinding'));
    const given = (home: Parameters<typeof installation>[0] & object) =>
      facts({ installation: installation(home), probes: { ...NO_PROBES, rights: [missing, granted] } });

    expect(judged(given({}), 'webhook-enters')?.map(({ state }) => state)).toEqual(['broken', 'met']);
    expect(judged(given({ home: { rights: read(unbound) } }), 'webhook-enters')).toEqual([met('webhook in root:b')]);
  });
});

describe(findingsOf, () => {
  it('given judgements of each kind, then those that are broken and those that were not checked are told', () => {
    const precondition: Precondition = { id: 'a', must: 'It is.', otherwise: 'It is not.', fix: 'do it', judge: () => [] };
    const judgements = [met('here'), broken('there', 'is wrong', 'mend it'), notChecked('elsewhere', refused)];

    expect(findingsOf([{ precondition, judgements }])).toEqual({
      broken: [{ id: 'a', where: 'there', says: 'is wrong', run: 'mend it' }],
      notLookedAt: [{ id: 'a', where: 'elsewhere', because: 'refused', why: 'role missing: some role' }],
    });
  });
});

describe(summary, () => {
  const wrong = { id: 'a', where: 'here', says: 'is wrong', run: 'mend it' };
  const hidden = { id: 'b', where: 'there', because: 'silent', why: 'no answer' } as const;
  const notAsked = { ...hidden, because: 'not-asked' } as const;

  it.each<Findings & { readonly isFine: boolean; readonly says: string }>([
    { broken: [], notLookedAt: [], isFine: true, says: '' },
    { broken: [], notLookedAt: [notAsked], isFine: true, says: '' },
    { broken: [wrong], notLookedAt: [notAsked], isFine: false, says: '1 thing is wrong' },
    { broken: [wrong, wrong], notLookedAt: [], isFine: false, says: '2 things are wrong' },
    { broken: [], notLookedAt: [hidden, notAsked], isFine: false, says: '1 thing could not be looked at' },
    { broken: [wrong], notLookedAt: [hidden, hidden], isFine: false, says: '1 thing is wrong, 2 things could not be looked at' },
  ])('given $broken.length broken and $notLookedAt.length not looked at, then it says "$says"', ({ isFine, says, ...found }) => {
    expect([isWell(found), summary(found)]).toEqual([isFine, says]);
  });
});

describe('the table of preconditions', () => {
  it('given all of them, then each has an id of its own, and those that explain one are preconditions', () => {
    const ids = PRECONDITIONS.map(({ id }) => id);

    expect(new Set(ids).size).toBe(ids.length);
    for (const { follows = [] } of PRECONDITIONS) expect(ids).toEqual(expect.arrayContaining([...follows]));
  });

  it('given all of them, then each says in sentences what must be so and what is otherwise, and has a command', () => {
    const sentence = /^[^\n]+\.$/;

    for (const { id, must, otherwise, fix } of PRECONDITIONS) {
      expect({ id, must, otherwise, fix }).toEqual({
        id: expect.stringMatching(/^[a-z-]+$/),
        must: expect.stringMatching(sentence),
        otherwise: expect.stringMatching(sentence),
        fix: expect.stringMatching(/^[a-z-]+(?: \S+)+$/),
      });
    }
  });
});
