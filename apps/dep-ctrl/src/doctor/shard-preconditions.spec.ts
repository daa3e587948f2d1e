import { describe, expect, it } from '@jest/globals';
import { shardRightNames } from '../shard-rights/right-names.js';
import { broken, met, notChecked, type DoctorFacts } from './precondition.js';
import { NO_PROBES, type ShardAdminFacts } from './probes/probes.js';
import { SHARD_PRECONDITIONS } from './shard-preconditions.js';
import { judge, NOTHING_READ, NOT_INSTALLED, REFUSED, type Row } from './spec-support/judge.js';
import { clusterNamed, facts, HOME, installation, read, shard } from './spec-support/whole-facts.js';

const ADMIN = 'system:admin (FILE)';
const LEFT = 'configurations on the shard of FILE';
const COMPUTE = clusterNamed('compute');
const keys = shardRightNames(HOME).flatMap((name) => [`ClusterRole/${name}`, `ClusterRoleBinding/${name}`]);
const grants = (...granted: readonly string[]) => read(new Map(granted.map((key) => [key, { metadata: {} }])));

type Read = NonNullable<Parameters<typeof installation>[0]>;

/** What an admin of a shard sees where all is well. */
function admin(changes: Partial<ShardAdminFacts> = {}): ShardAdminFacts {
  return { file: 'FILE', rights: grants(...keys), orphans: [], configurations: read([]), ...changes };
}

/** Facts of an installation, as an admin of its one shard sees it. */
function seen(changes: Partial<ShardAdminFacts> = {}, others: Read = {}): DoctorFacts {
  return facts({ installation: installation(others), probes: { ...NO_PROBES, shardAdmins: [admin(changes)] } });
}

describe('each of them', () => {
  const ids = SHARD_PRECONDITIONS.map(({ id }) => id);

  it.each<{ given: string; facts: DoctorFacts }>([
    { given: 'a status, which does not look', facts: { ...facts(), probes: {} } },
    { given: 'a kcp of which nothing was read', facts: { ...NOTHING_READ, probes: NO_PROBES } },
    { given: 'no workspace of dep-ctrl', facts: seen({}, { home: NOT_INSTALLED }) },
  ])('given $given, then nothing is judged', ({ facts: given }) => {
    expect(ids.flatMap((id) => judge(id, given))).toEqual([]);
  });

  it('given no kubeconfig of a shard, then the flag is named once', () => {
    expect(ids.flatMap((id) => judge(id, facts()))).toEqual([
      notChecked('rights and leftovers on the shards', { because: 'not-asked', why: 'give --shard-kubeconfig, once per shard' }),
    ]);
  });

  it('given two shards, then both are judged', () => {
    const given = facts({ probes: { ...NO_PROBES, shardAdmins: [admin(), admin({ file: 'OTHER' })] } });

    expect(judge('shard-rights', given)).toEqual([met(ADMIN), met('system:admin (OTHER)')]);
  });
});

describe('shard-rights', () => {
  const run = 'dep-ctrl bootstrap --shard-kubeconfig FILE';

  it.each<Row>([
    { given: 'all rights', facts: seen(), judgements: [met(ADMIN)] },
    { given: 'rights that may not be read', facts: seen({ rights: REFUSED }), judgements: [notChecked(ADMIN, REFUSED)] },
    {
      given: 'rights of which one is missing',
      facts: seen({ rights: grants(...keys.slice(1)) }),
      judgements: [broken(ADMIN, 'lacks ClusterRole dep-ctrl:read-dependents:home', run)],
    },
    {
      given: 'a shard of which the bindings are missing',
      facts: seen({ rights: grants(...keys.filter((key) => key.startsWith('ClusterRole/'))) }),
      judgements: [
        broken(ADMIN, 'lacks ClusterRoleBinding dep-ctrl:read-dependents:home, ClusterRoleBinding dep-ctrl:resolve-workspaces:home', run),
      ],
    },
    { given: 'roles that run with other credentials', facts: seen({ rights: grants() }, { home: { rights: grants() } }), judgements: [] },
    { given: 'a workspace whose rights may not be read', facts: seen({ rights: grants() }, { home: { rights: REFUSED } }), judgements: [] },
  ])('given $given, then what bootstrap grants there is judged', ({ facts: given, judgements }) => {
    expect(judge('shard-rights', given)).toEqual(judgements);
  });
});

describe('no-orphaned-rights', () => {
  const orphaned = (owner: string) =>
    broken(
      ADMIN,
      `grants rights to the installation "${owner}", whose workspace was not found`,
      `dep-ctrl uninstall --shard-kubeconfig FILE --yes --workspace ${owner}`,
    );

  it.each<Row>([
    { given: 'no such rights', facts: seen(), judgements: [met(ADMIN)] },
    {
      given: 'rights of two installations that are gone',
      facts: seen({ orphans: ['a', 'b'] }),
      judgements: [orphaned('a'), orphaned('b')],
    },
    { given: 'rights that may not be read, which are told before', facts: seen({ rights: REFUSED }), judgements: [] },
  ])('given $given, then each installation is named', ({ facts: given, judgements }) => {
    expect(judge('no-orphaned-rights', given)).toEqual(judgements);
  });
});

describe('no-unbound-leftover', () => {
  const guarded = { metadata: { name: 'dependency-controller', annotations: { 'kcp.io/cluster': COMPUTE } } };
  const left = { configurations: read([{ cluster: COMPUTE, owner: HOME }]) };
  const leftover = broken(
    'configuration in compute',
    'is left, and the workspace does not bind dep-ctrl',
    'dep-ctrl uninstall --shard-kubeconfig FILE --dry-run',
  );

  it.each<Row>([
    { given: 'no configuration', facts: seen(), judgements: [met(LEFT)] },
    { given: 'one in a workspace that binds dep-ctrl', facts: seen(left), judgements: [met(LEFT)] },
    {
      given: 'one of another installation',
      facts: seen({ configurations: read([{ cluster: clusterNamed('storage'), owner: 'other' }]) }),
      judgements: [met(LEFT)],
    },
    { given: 'one in a workspace that is unbound', facts: seen(left, { shards: [shard({ bindings: read([]) })] }), judgements: [leftover] },
    {
      given: 'one that the export still shows',
      facts: seen(left, { shards: [shard({ bindings: read([]), configurations: read([guarded]) })] }),
      judgements: [leftover],
    },
    {
      given: 'a shard of two that does not show who binds',
      facts: seen(left, { shards: [shard({ bindings: read([]) }), shard({ bindings: REFUSED })] }),
      judgements: [],
    },
    { given: 'configurations that may not be read', facts: seen({ configurations: REFUSED }), judgements: [notChecked(LEFT, REFUSED)] },
  ])('given $given, then that is judged', ({ facts: given, judgements }) => {
    expect(judge('no-unbound-leftover', given)).toEqual(judgements);
  });
});
