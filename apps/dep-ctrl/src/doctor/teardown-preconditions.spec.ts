import { describe, expect, it } from '@jest/globals';
import { workspacePath, type KubeObject, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { teardownManifests } from '../bootstrap/manifests.js';
import type { HomeFacts, ShardFacts } from '../installation/facts.js';
import type { Reading } from '../installation/reading.js';
import type { ReviewAnswer } from '../read-access/access-review.js';
import type { DerivedTypes } from '../read-access/derive-types.js';
import type { DyingWorkspace } from '../teardown-type/dying-workspaces.js';
import { TEARDOWN_TYPE, teardownType } from '../teardown-type/teardown-type.js';
import { broken, met, notChecked, type DoctorFacts } from './precondition.js';
import { NO_PROBES, type TeardownFacts } from './probes/probes.js';
import { judge, kubectlIn, NOT_INSTALLED, NOTHING_READ, SILENT, type Row } from './spec-support/judge.js';
import { clusterNamed, facts, HOME, installation, NOW_MS, read, shard } from './spec-support/whole-facts.js';

const VPCS = { group: 'network.example.com', resource: 'vpcs' };
const DISKS = { group: 'compute.example.com', resource: 'disks' };
const SHARD = 'https://shard.example.com:6443';
const VIEW = `${SHARD}/services/terminatingworkspaces/${HOME}:${TEARDOWN_TYPE}`;
const WHERE = 'WorkspaceType dependency-ordered in root:dep-ctrl';
const BOOTSTRAP = 'dep-ctrl bootstrap';

const GOOD_TYPE: KubeObject = { ...teardownType({ kind: 'listed', types: [VPCS] }), ...naming(VIEW) };
function naming(...urls: readonly string[]): object {
  return { status: { virtualWorkspaces: urls.map((url) => ({ type: 'terminating', url })) } };
}

const keyOf = ({ kind, metadata }: KubeObject): string => `${kind ?? ''}/${metadata.name ?? ''}`;
const RIGHTS: ReadonlyMap<string, KubeObject> = new Map(
  teardownManifests({ controller: [{ kind: 'User', name: 'operator' }] }).map((each) => [keyOf(each), each]),
);
const ALL: readonly ReviewAnswer[] = ['allowed', 'allowed', 'allowed'];

/** An installation that uses the ordered teardown. */
function ordered(
  home: Partial<HomeFacts> = {},
  {
    teardown = {},
    shards = [shard()],
  }: { readonly teardown?: Partial<TeardownFacts> | undefined; readonly shards?: readonly ShardFacts[] } = {},
): DoctorFacts {
  const whole: TeardownFacts = {
    derived: read({ types: [VPCS], isWhole: true, notes: [] }),
    followers: [{ name: 'User operator', answers: read(ALL) }],
  };
  return facts({
    installation: installation({ shards, home: { teardownType: read(GOOD_TYPE), rights: read(RIGHTS), ...home } }),
    probes: { ...NO_PROBES, teardown: { ...whole, ...teardown } },
  });
}

describe('the preconditions of the ordered teardown', () => {
  const ids = ['teardown-type', 'teardown-permissions', 'teardown-rights', 'teardown-views', 'teardown-waiting'];
  const judgedIn = (given: DoctorFacts) => ids.filter((id) => judge(id, given).length > 0);

  it('given an installation that uses it and is as it should be, then all are met', () => {
    expect(ids.flatMap((id) => judge(id, ordered())).map(({ state }) => state)).toEqual(Array(9).fill('met'));
  });

  it.each([
    { given: 'a kcp of which nothing was read', facts: NOTHING_READ },
    { given: 'a kcp without dep-ctrl', facts: ordered(NOT_INSTALLED) },
    { given: 'an installation that does not use it', facts: ordered({ teardownType: read(undefined) }) },
    { given: 'a type that may not be read', facts: ordered({ teardownType: SILENT }) },
  ])('given $given, then nothing is judged', ({ facts: given }) => {
    expect(judgedIn(given)).toEqual([]);
  });
});

describe('teardown-type', () => {
  const spec = GOOD_TYPE['spec'] as object;

  it.each<Row>([
    { given: 'a type of this version', facts: ordered(), judgements: [met(WHERE)] },
    {
      given: 'a type that is no terminator',
      facts: ordered({ teardownType: read({ ...GOOD_TYPE, spec: { ...spec, terminator: false } }) }),
      judgements: [broken(WHERE, 'says something else than this version writes', BOOTSTRAP)],
    },
  ])('given $given, then it is compared with what this version writes', ({ facts: given, judgements }) => {
    expect(judge('teardown-type', given)).toEqual(judgements);
  });
});

describe('teardown-permissions', () => {
  const types = (count: number) => Array.from({ length: count }, (_, at) => ({ group: 'g', resource: `r${String.fromCharCode(97 + at)}` }));
  const tenOfMany = 'ra.g, rb.g, rc.g, rd.g, re.g, rf.g, rg.g, rh.g, ri.g, rj.g and 1 more';
  const derived = (changes: Partial<DerivedTypes>): DoctorFacts =>
    ordered({}, { teardown: { derived: read({ types: [VPCS], isWhole: true, notes: [], ...changes }) } });
  const permitting = (count: number) => ({ teardownType: read(teardownType({ kind: 'listed', types: [VPCS, ...types(count)] })) });
  const isBroken = (says: string) => [broken(WHERE, says, BOOTSTRAP)];
  const isUnknown = (why: string) => [notChecked(WHERE, { because: 'failed', why })];

  it.each<Row>([
    { given: 'a caller that did not look', facts: { ...ordered(), probes: {} }, judgements: [] },
    {
      given: 'providers that could not be read',
      facts: ordered({}, { teardown: { derived: SILENT } }),
      judgements: [notChecked(WHERE, SILENT)],
    },
    { given: 'the types that providers export', facts: ordered(), judgements: [met(WHERE)] },
    {
      given: 'a type that a provider exports since',
      facts: derived({ types: [VPCS, DISKS] }),
      judgements: isBroken('does not permit disks.compute.example.com'),
    },
    {
      given: 'eleven types that providers export since',
      facts: derived({ types: types(11) }),
      judgements: isBroken(`does not permit ${tenOfMany}`),
    },
    {
      given: 'a type that is missing, and a provider that could not be read',
      facts: derived({ types: [DISKS], isWhole: false, notes: ['not read: it'] }),
      judgements: isBroken('does not permit disks.compute.example.com'),
    },
    {
      given: 'a provider that could not be read',
      facts: derived({ types: [], isWhole: false, notes: ['not read: it', 'not read: another'] }),
      judgements: isUnknown('not read: it'),
    },
    {
      given: 'a provider that could not be read, without a note',
      facts: derived({ types: [], isWhole: false }),
      judgements: isUnknown('not every provider could be read'),
    },
    {
      given: 'a provider that has gone',
      facts: derived({ types: [] }),
      judgements: isBroken('permits vpcs.network.example.com, which no bound provider exports'),
    },
    {
      given: 'eleven types that nobody exports',
      facts: ordered(permitting(11)),
      judgements: isBroken(`permits ${tenOfMany}, which no bound provider exports`),
    },
  ])('given $given, then what the type permits is judged', ({ facts: given, judgements }) => {
    expect(judge('teardown-permissions', given)).toEqual(judgements);
  });
});

describe('teardown-rights', () => {
  const inPath = (name: string) => `${name} in root:dep-ctrl`;
  const [role, binding] = ['ClusterRole dep-ctrl:ordered-teardown', 'ClusterRoleBinding dep-ctrl:ordered-teardown'].map(inPath) as [
    string,
    string,
  ];
  const using = ['ClusterRole dep-ctrl:use-ordered-teardown', 'ClusterRoleBinding dep-ctrl:use-ordered-teardown'].map(inPath).map(met);
  const follower = 'User operator and WorkspaceType dependency-ordered';
  const otherwise = (key: string, change?: object): Partial<HomeFacts> => {
    const found = RIGHTS.get(key);
    const others = [...RIGHTS].filter(([each]) => each !== key);
    return { rights: read(new Map(found === undefined || change === undefined ? others : [...others, [key, { ...found, ...change }]])) };
  };
  const answering = (answers: Reading<readonly ReviewAnswer[]>): DoctorFacts =>
    ordered({}, { teardown: { followers: [{ name: 'User operator', answers }] } });
  const onPaper = [met(role), met(binding), ...using];

  it.each<Row>([
    { given: 'the rights as bootstrap writes them', facts: ordered(), judgements: [...onPaper, met(follower)] },
    { given: 'a caller that did not ask kcp', facts: { ...ordered(), probes: {} }, judgements: onPaper },
    {
      given: 'rights that could not be read',
      facts: ordered({ rights: SILENT }),
      judgements: [notChecked(`rights about ${WHERE}`, SILENT), met(follower)],
    },
    {
      given: 'no role',
      facts: ordered(otherwise('ClusterRole/dep-ctrl:ordered-teardown')),
      judgements: [broken(role, 'is missing', BOOTSTRAP), met(binding), ...using, met(follower)],
    },
    {
      given: 'a role that says something else',
      facts: ordered(otherwise('ClusterRole/dep-ctrl:ordered-teardown', { rules: [] })),
      judgements: [broken(role, 'grants something else', BOOTSTRAP), met(binding), ...using, met(follower)],
    },
    {
      given: 'no binding',
      facts: ordered(otherwise('ClusterRoleBinding/dep-ctrl:ordered-teardown')),
      judgements: [met(role), broken(binding, 'is missing', BOOTSTRAP), ...using, met(follower)],
    },
    {
      given: 'a binding of nobody',
      facts: ordered(otherwise('ClusterRoleBinding/dep-ctrl:ordered-teardown', { subjects: [] })),
      judgements: [met(role), broken(binding, 'grants something else', BOOTSTRAP), ...using, met(follower)],
    },
    {
      given: 'a follower that kcp could not be asked about',
      facts: answering(SILENT),
      judgements: [...onPaper, notChecked(follower, SILENT)],
    },
    {
      given: 'a follower that may only watch',
      facts: answering(read(['denied', 'allowed', 'denied'])),
      judgements: [...onPaper, broken(follower, 'may not list, terminate', BOOTSTRAP)],
    },
    {
      given: 'a follower of whom kcp does not know all',
      facts: answering(read(['allowed', 'none', 'allowed'])),
      judgements: [...onPaper, notChecked(follower, { because: 'failed', why: 'kcp could not say what it may do' })],
    },
  ])('given $given, then roles, bindings and followers are judged', ({ facts: given, judgements }) => {
    expect(judge('teardown-rights', given)).toEqual(judgements);
  });
});

describe('teardown-views', () => {
  const touch = kubectlIn('root:dep-ctrl', 'annotate workspacetype dependency-ordered --overwrite dep-ctrl/touched=now');
  const named = (urls: readonly string[], shards?: readonly ShardFacts[]): DoctorFacts =>
    ordered({ teardownType: read({ ...GOOD_TYPE, ...naming(...urls) }) }, shards === undefined ? {} : { shards });
  const another = shard({ url: 'https://second.example.com/services/apiexport/home/it' });
  const lacks = (address: string) => [broken(WHERE, `names no virtual workspace of the shard at ${address}`, touch)];

  it.each<Row>([
    { given: 'a view of the one shard', facts: named([VIEW]), judgements: [met(WHERE)] },
    { given: 'a view and no shard', facts: named([VIEW], []), judgements: [met(WHERE)] },
    { given: 'no view', facts: named([]), judgements: lacks(SHARD) },
    { given: 'no view and no shard', facts: named([], []), judgements: lacks('any address') },
    { given: 'a view of one of two shards', facts: named([VIEW], [shard(), another]), judgements: lacks('https://second.example.com') },
    {
      given: 'a view of a shard whose address begins alike',
      facts: named([VIEW.replace(':6443', ':64430')]),
      judgements: lacks(SHARD),
    },
    {
      given: 'a view of another type',
      facts: named([VIEW, `${VIEW}-too`]),
      judgements: [broken(WHERE, `names ${VIEW}-too, which is not its virtual workspace`, touch)],
    },
  ])('given $given, then the views are judged', ({ facts: given, judgements }) => {
    expect(judge('teardown-views', given)).toEqual(judgements);
  });
});

describe('teardown-waiting', () => {
  const dyingSince = (
    ms: number,
    path: { readonly path?: WorkspacePath } = { path: workspacePath(`root:dying-${ms / 60_000}`) },
  ): DyingWorkspace => ({
    cluster: clusterNamed('dying'),
    ...path,
    since: new Date(NOW_MS - ms).toISOString(),
  });
  const minutes = (count: number) => count * 60_000;
  const waiting = (...dying: readonly DyingWorkspace[]): DoctorFacts => ordered({ dying: read(dying) });
  const late = (which: string) => [
    broken(WHERE, `holds ${which}`, 'dep-ctrl controller --workspace-type dependency-ordered, with its other flags'),
  ];

  it.each<Row>([
    {
      given: 'workspaces that could not be read',
      facts: ordered({ dying: SILENT }),
      judgements: [notChecked(`workspaces of ${WHERE}`, SILENT)],
    },
    { given: 'no workspace', facts: waiting(), judgements: [met(WHERE)] },
    { given: 'a workspace that waits for twelve minutes', facts: waiting(dyingSince(minutes(12))), judgements: [met(WHERE)] },
    {
      given: 'one workspace that waits for longer',
      facts: waiting(dyingSince(minutes(13)), dyingSince(minutes(1))),
      judgements: late('a workspace for more than 12 minutes: root:dying-13'),
    },
    {
      given: 'a workspace without a path',
      facts: waiting(dyingSince(minutes(12) + 1, {})),
      judgements: late('a workspace for more than 12 minutes: dying'),
    },
    {
      given: 'four workspaces',
      facts: waiting(...[16, 15, 14, 13].map((each) => dyingSince(minutes(each)))),
      judgements: late('4 workspaces for more than 12 minutes: root:dying-16, root:dying-15, root:dying-14 and 1 more'),
    },
  ])('given $given, then they are judged by how long they wait', ({ facts: given, judgements }) => {
    expect(judge('teardown-waiting', given)).toEqual(judgements);
  });
});
