import { describe, expect, it } from '@jest/globals';
import { broken, met, notChecked, type DoctorFacts } from './precondition.js';
import { NO_PROBES, type IdentityFacts, type Probes, type RehearsedDelete, type RightAnswer } from './probes/probes.js';
import { RIGHTS_PRECONDITIONS } from './rights-preconditions.js';
import { judge, NOTHING_READ, REFUSED, SILENT, type Row } from './spec-support/judge.js';
import { binding, clusterNamed, facts, installation, read, server, shard } from './spec-support/whole-facts.js';

const probed = (probes: Partial<Probes>): DoctorFacts => facts({ probes: { ...NO_PROBES, ...probes } });

describe('each of them', () => {
  const ids = RIGHTS_PRECONDITIONS.map(({ id }) => id);

  it('given a status, which tries nothing, then nothing is judged', () => {
    expect(ids.flatMap((id) => judge(id, { ...facts(), probes: {} }))).toEqual([]);
  });

  it('given those that explain one, then they are these', () => {
    expect(Object.fromEntries(RIGHTS_PRECONDITIONS.map(({ id, follows }) => [id, follows]))).toEqual({
      'webhook-enters': ['shard-rights', 'roles-bound'],
      'controller-enters': ['shard-rights', 'roles-bound'],
      'webhook-reads-dependents': ['shard-rights', 'webhook-enters'],
      'webhook-tells': [
        'webhook-enters',
        'webhook-reads-dependents',
        'dependents-shown',
        'shard-rights',
        'identity-known',
        'identity-reads',
      ],
      'dependents-shown': undefined,
      'identity-known': ['accounts-there', 'account-tokens', 'roles-there', 'roles-bound'],
      'identity-reads': ['shard-rights', 'identity-known', 'webhook-enters', 'controller-enters'],
      'delete-asks-webhook': [
        ...['webhook-answers', 'webhook-certificate-trusted', 'webhook-certificate-host', 'webhook-certificate-dates', 'webhook-token'],
      ],
    });
  });
});

describe('the rights of a role', () => {
  const action = 'list vpcs.network.example.com';
  const answer = (changes: Partial<RightAnswer>): RightAnswer => ({
    ...{ role: 'webhook', of: 'consumers', workspace: 'root:a', action, grant: read('granted') },
    ...changes,
  });

  it.each<{ id: string; changes: Partial<RightAnswer>; run: string }>([
    { id: 'webhook-enters', changes: { role: 'webhook', of: 'consumers' }, run: 'dep-ctrl bootstrap --shard-kubeconfig FILE' },
    { id: 'controller-enters', changes: { role: 'controller', of: 'consumers' }, run: 'dep-ctrl bootstrap --shard-kubeconfig FILE' },
    { id: 'webhook-reads-dependents', changes: { role: 'webhook', of: 'dependents' }, run: 'dep-ctrl bind root:a --shard-kubeconfig FILE' },
  ])('given answers of kcp about it, then $id says each of them', ({ id, changes, run }) => {
    const where = `${changes.role ?? ''} in root:a`;
    const rights = [read('granted' as const), read('missing' as const), read('unknown' as const), REFUSED].map((grant) =>
      answer({ ...changes, grant }),
    );

    expect(judge(id, probed({ rights }))).toEqual([
      met(where),
      broken(where, `may not ${action}`, run),
      notChecked(where, { because: 'failed', why: `kcp could not say whether it may ${action}` }),
      notChecked(where, REFUSED),
    ]);
  });

  it('given rights of both roles, then each precondition judges its own', () => {
    const rights = [
      answer({ role: 'webhook', of: 'consumers', workspace: 'root:a' }),
      answer({ role: 'controller', of: 'consumers', workspace: 'root:b' }),
      answer({ role: 'webhook', of: 'dependents', workspace: 'root:c' }),
      answer({ role: 'controller', of: 'dependents', workspace: 'root:d' }),
    ];

    expect(judge('webhook-enters', probed({ rights }))).toEqual([met('webhook in root:a')]);
    expect(judge('controller-enters', probed({ rights }))).toEqual([met('controller in root:b')]);
    expect(judge('webhook-reads-dependents', probed({ rights }))).toEqual([met('webhook in root:c')]);
  });
});

it('given exports of dependents, then dependents-shown says which of them hides its objects', () => {
  const policies = [read(false), read(true), REFUSED].map((isHidden) => ({ workspace: 'root:a', exportName: 'compute', isHidden }));
  const where = 'export compute in root:a';

  expect(judge('dependents-shown', probed({ policies }))).toEqual([
    met(where),
    broken(
      where,
      'has a maximalPermissionPolicy, and kcp shows what it serves to no ServiceAccount of another workspace: run the webhook as a user with a client certificate',
      'dep-ctrl bootstrap --controller-user NAME --webhook-user NAME',
    ),
    notChecked(where, REFUSED),
  ]);
});

describe('the kubeconfigs of the roles', () => {
  const identity = (changes: Partial<IdentityFacts>): IdentityFacts => ({
    ...{ file: 'webhook.kubeconfig', role: 'webhook', home: read(true), foreign: [] },
    ...changes,
  });

  it.each<Row>([
    {
      given: 'no folder of them',
      facts: probed({}),
      judgements: [
        notChecked('identities of the roles', {
          because: 'not-asked',
          why: 'give --kubeconfig-dir, the folder that bootstrap wrote their kubeconfigs to',
        }),
      ],
    },
    {
      given: 'one that is let in, and one that may not read the endpoints',
      facts: probed({ identities: [identity({}), identity({ file: 'other', home: REFUSED })] }),
      judgements: [
        met('webhook.kubeconfig'),
        broken(
          'other',
          'is let in, but not to what the role needs: role missing: some role',
          'dep-ctrl bootstrap --kubeconfig-dir identities',
        ),
      ],
    },
    {
      given: 'one that kcp does not know',
      facts: probed({ identities: [identity({ home: { ...REFUSED, because: 'rejected' } })] }),
      judgements: [
        broken('webhook.kubeconfig', 'holds credentials that kcp does not accept', 'dep-ctrl bootstrap --kubeconfig-dir identities'),
      ],
    },
    {
      given: 'one that is half written',
      facts: probed({ identities: [identity({ home: { state: 'damaged', problem: 'it is no YAML' } })] }),
      judgements: [broken('webhook.kubeconfig', 'cannot be used: it is no YAML', 'dep-ctrl bootstrap --kubeconfig-dir identities')],
    },
    {
      given: 'a folder with one that is let in',
      facts: { ...probed({ identities: [identity({})] }), access: { ...probed({}).access, kubeconfigDir: 'out' } },
      judgements: [met('webhook.kubeconfig')],
    },
    {
      given: 'a folder without any',
      facts: { ...probed({}), access: { ...probed({}).access, kubeconfigDir: 'out' } },
      judgements: [
        broken('out', 'is no folder that bootstrap wrote kubeconfigs to: none is there', 'dep-ctrl bootstrap --kubeconfig-dir out'),
      ],
    },
    {
      given: 'one that got no answer',
      facts: probed({ identities: [identity({ home: SILENT })] }),
      judgements: [notChecked('webhook.kubeconfig', SILENT)],
    },
  ])('given $given, then identity-known says so', ({ facts: given, judgements }) => {
    expect(judge('identity-known', given)).toEqual(judgements);
  });

  it('given lists in workspaces of others, then identity-reads says how each ended', () => {
    const foreign = [read(true as const), REFUSED, SILENT].map((listed, index) => ({ workspace: `root:${index}`, listed }));

    expect(judge('identity-reads', probed({ identities: [identity({ foreign })] }))).toEqual([
      met('webhook.kubeconfig in root:0'),
      broken(
        'webhook.kubeconfig in root:1',
        'may not list the bindings there: role missing: some role',
        'dep-ctrl bootstrap --shard-kubeconfig FILE',
      ),
      notChecked('webhook.kubeconfig in root:2', SILENT),
    ]);
  });

  it('given one that is not let in at home, then identity-reads says nothing of it', () => {
    const foreign = [{ workspace: 'root:a', listed: REFUSED }];

    expect(judge('identity-reads', probed({ identities: [identity({ home: REFUSED, foreign })] }))).toEqual([]);
  });
});

describe('delete-asks-webhook', () => {
  const webhooks = [{ origin: 'https://w', namedIn: [], peek: server().peek, askedTokens: [], refusedTokens: [] }];
  const annotations = { 'kcp.io/cluster': clusterNamed('compute') };
  const configurations = read([{ metadata: { name: 'dependency-controller', annotations } }]);
  const tried = (...outcomes: readonly RehearsedDelete['outcome'][]): Probes => ({
    ...NO_PROBES,
    deletes: outcomes.map((outcome) => ({ shard: 'https://s', object: 'vpcs/a in root:a', outcome })),
  });
  const nothingTried = [
    notChecked('webhook, from where kcp is', {
      because: 'not-asked',
      why: 'no object of a guarded type was found to try with; how it answers from here: see webhook-answers',
    }),
  ];

  it.each<Row>([
    { given: 'a kcp of which nothing was read', facts: { ...NOTHING_READ, probes: tried({ state: 'asked' }) }, judgements: [] },
    { given: 'an installation that guards nothing', facts: facts({ probes: tried({ state: 'asked' }) }), judgements: [] },
    { given: 'a webhook, and no object', facts: facts({ installation: installation({ webhooks }) }), judgements: nothingTried },
    {
      given: 'a guarded workspace of two, and no object',
      facts: facts({
        installation: installation({
          shards: [
            shard({
              bindings: read([binding(), binding({ metadata: { annotations: { 'kcp.io/cluster': clusterNamed('storage') } } })]),
              configurations,
            }),
          ],
        }),
      }),
      judgements: nothingTried,
    },
    {
      given: 'deletes that were tried',
      facts: facts({
        installation: installation({ webhooks }),
        probes: tried(
          { state: 'asked' },
          { state: 'not-reached', problem: 'no route to host' },
          { state: 'not-tried', because: 'failed', why: 'kcp is busy' },
          { state: 'cannot-tell', says: 'cannot delete Vpc a: no rules' },
        ),
      }),
      judgements: [
        met('kcp at https://s'),
        broken(
          'kcp at https://s',
          'does not reach the webhook about vpcs/a in root:a: no route to host',
          "curl -s 'http://HOST:8081/readyz?verbose'",
        ),
        notChecked('kcp at https://s', { because: 'failed', why: 'kcp is busy; how it answers from here: see webhook-answers' }),
        met('kcp at https://s'),
      ],
    },
  ])('given $given, then what kcp answered is judged', ({ facts: given, judgements }) => {
    expect(judge('delete-asks-webhook', given)).toEqual(judgements);
  });

  it('given deletes that were tried, then those that the webhook could not tell about are broken, and nothing is said of those that it was not asked about', () => {
    const says = 'cannot delete Vpc a: no rules';
    const given = facts({
      probes: tried({ state: 'asked' }, { state: 'cannot-tell', says }, { state: 'not-reached', problem: 'no route' }),
    });

    expect(judge('webhook-tells', given)).toEqual([
      met('webhook, asked by kcp at https://s'),
      broken(
        'webhook, asked by kcp at https://s',
        `refuses to tell about vpcs/a in root:a: ${says}`,
        "curl -s 'http://HOST:8081/readyz?verbose'",
      ),
    ]);
    expect(judge('webhook-tells', facts({ probes: {} }))).toEqual([]);
  });

  it('given a status of a guarded installation, which tries nothing, then nothing is judged', () => {
    expect(judge('delete-asks-webhook', { ...facts({ installation: installation({ webhooks }) }), probes: {} })).toEqual([]);
  });
});
