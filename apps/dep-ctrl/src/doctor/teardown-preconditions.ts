// The preconditions of the ordered teardown. It is a choice: where its WorkspaceType is not there, nothing is judged.
import { elements, printGroupResource, type KubeObject, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import { printFirst } from '@dep-ctrl/exported-types';
import { mergeDesired } from '@dep-ctrl/kcp-objects';
import { teardownRoles } from '../bootstrap/manifests.js';
import type { InstallationFacts } from '../installation/facts.js';
import { valueOr } from '../installation/reading.js';
import { listedTypes, typesWithout } from '../read-access/read-rules.js';
import { TEARDOWN_TYPE, teardownAccessIn, teardownEntry, teardownType, terminatingUrls } from '../teardown-type/teardown-type.js';
import { TYPE_VERBS } from '../teardown-type/type-rights.js';
import {
  BOOTSTRAP,
  bootstrap,
  broken,
  kubectl,
  met,
  notChecked,
  type DoctorFacts,
  type Judgement,
  type Precondition,
} from './precondition.js';

/** The type first. */
export const TEARDOWN_PRECONDITIONS: readonly Precondition[] = [
  {
    id: 'teardown-type',
    must: 'The WorkspaceType of the ordered teardown, where there is one, is as this version of dep-ctrl wants it.',
    otherwise: 'New workspaces of it do not wait for the order, or the controller may do more in them than it has to.',
    fix: BOOTSTRAP,
    judge: withType(({ type, where }, { access }) => {
      const isRight = mergeDesired(type, teardownType(teardownAccessIn(type))) === undefined;
      return [isRight ? met(where) : broken(where, 'says something else than this version writes', bootstrap(access))];
    }),
  },
  {
    id: 'teardown-permissions',
    must: 'The WorkspaceType of the ordered teardown permits the deletion of each type that a bound provider exports, and of no other.',
    otherwise: 'The controller leaves the objects of a type that is missing to kcp, which deletes them in no particular order.',
    fix: BOOTSTRAP,
    follows: ['teardown-type'],
    judge: withType(({ type, where }, { access, probes }) => {
      if (probes.teardown === undefined) return [];
      const { derived } = probes.teardown;
      if (derived.state === 'unread') return [notChecked(where, derived)];
      const { types, isWhole, notes } = derived.value;
      const now = teardownAccessIn(type);
      const permitted = listedTypes(now);
      const missing = typesWithout(types, permitted).map((each) => printGroupResource(each));
      if (missing.length > 0) return [broken(where, `does not permit ${printFirst(missing, { most: 10 })}`, bootstrap(access))];
      if (!isWhole) return [notChecked(where, { because: 'failed', why: notes[0] ?? 'not every provider could be read' })];
      const extra = typesWithout(permitted, types).map((each) => printGroupResource(each));
      if (extra.length === 0) return [met(where)];
      return [broken(where, `permits ${printFirst(extra, { most: 10 })}, which no bound provider exports`, bootstrap(access))];
    }),
  },
  {
    id: 'teardown-rights',
    must: 'Whoever runs the controller may list, watch and terminate the WorkspaceType of the ordered teardown, and everybody may use it.',
    otherwise: 'Workspaces of it wait at their end for ever (terminate), or cannot be made (use).',
    fix: BOOTSTRAP,
    judge: withType((observed, facts) => [...roleJudgements(observed, facts), ...followerJudgements(facts)]),
  },
  {
    id: 'teardown-views',
    must: 'The WorkspaceType of the ordered teardown names a terminating virtual workspace for each shard.',
    otherwise: 'The controller does not see the workspaces that are deleted there, and they wait for ever.',
    fix: `kubectl annotate workspacetype ${TEARDOWN_TYPE} --overwrite dep-ctrl/touched=now`,
    judge: withType(({ type, where, home, cluster, shards }, { access }) => {
      const touch = kubectl(access, home.path, `annotate workspacetype ${TEARDOWN_TYPE} --overwrite dep-ctrl/touched=now`);
      const urls = terminatingUrls(type);
      const service = `/services/terminatingworkspaces/${teardownEntry(cluster)}`;
      const strange = urls.find((url) => !url.endsWith(service));
      if (strange !== undefined) return [broken(where, `names ${strange}, which is not its virtual workspace`, touch)];
      const unseen = shards.map(({ url }) => new URL(url).origin).filter((origin) => !urls.some((url) => url.startsWith(`${origin}/`)));
      if (urls.length > 0 && unseen.length === 0) return [met(where)];
      return [broken(where, `names no virtual workspace of the shard at ${unseen[0] ?? 'any address'}`, touch)];
    }),
  },
  {
    id: 'teardown-waiting',
    must: 'Workspaces that are deleted do not wait for the ordered teardown longer than --teardown-timeout, 10 minutes unless it is given.',
    otherwise: 'They are there for ever: no controller leads, or it follows another type than this one.',
    fix: `dep-ctrl controller --workspace-type ${TEARDOWN_TYPE}`,
    judge: withType(({ where, home: { dying } }, { nowMs }) => {
      if (dying.state === 'unread') return [notChecked(`workspaces of ${where}`, dying)];
      const late = dying.value.filter(({ since }) => nowMs - Date.parse(since) > WAITS_TOO_LONG_MS);
      if (late.length === 0) return [met(where)];
      const names = printFirst(
        late.map(({ path, cluster }) => path ?? cluster),
        { most: 3 },
      );
      const says = `holds ${late.length === 1 ? 'a workspace' : `${late.length} workspaces`} for more than 12 minutes: ${names}`;
      return [broken(where, says, `dep-ctrl controller --workspace-type ${TEARDOWN_TYPE}, with its other flags`)];
    }),
  },
];

/** The default of --teardown-timeout, and some time for a controller that just took over. */
const WAITS_TOO_LONG_MS = 12 * 60_000;

/** The two ClusterRoles and their bindings, on paper. */
function roleJudgements({ where, home: { rights, path } }: ObservedType, { access }: DoctorFacts): readonly Judgement[] {
  if (rights.state === 'unread') return [notChecked(`rights about ${where}`, rights)];
  const judged = (kind: string, name: string, isRight: (observed: KubeObject) => boolean): Judgement => {
    const of = `${kind} ${name} in ${path}`;
    const observed = rights.value.get(`${kind}/${name}`);
    if (observed === undefined) return broken(of, 'is missing', bootstrap(access));
    return isRight(observed) ? met(of) : broken(of, 'grants something else', bootstrap(access));
  };
  return teardownRoles().flatMap((role) => {
    const { name = '' } = role.metadata;
    return [
      judged('ClusterRole', name, (observed) => mergeDesired(observed, role) === undefined),
      // The operator chooses the subject that the controller runs as; the binding must have one.
      judged('ClusterRoleBinding', name, (observed) => elements(observed['subjects']).length > 0),
    ];
  });
}

/** What kcp itself says. */
function followerJudgements({ probes, access }: DoctorFacts): readonly Judgement[] {
  return (probes.teardown?.followers ?? []).map(({ name, answers }) => {
    const where = `${name} and WorkspaceType ${TEARDOWN_TYPE}`;
    if (answers.state === 'unread') return notChecked(where, answers);
    const denied = TYPE_VERBS.filter((_, at) => answers.value[at] === 'denied');
    if (denied.length > 0) return broken(where, `may not ${denied.join(', ')}`, bootstrap(access));
    const isKnown = answers.value.every((answer) => answer === 'allowed');
    return isKnown ? met(where) : notChecked(where, { because: 'failed', why: 'kcp could not say what it may do' });
  });
}

/** The WorkspaceType, and where it was found. */
interface ObservedType extends Pick<InstallationFacts, 'home' | 'shards'> {
  readonly type: KubeObject;
  readonly where: string;
  /** The logical cluster of the workspace of dep-ctrl. */
  readonly cluster: LogicalClusterName;
}

function withType(judge: (observed: ObservedType, facts: DoctorFacts) => readonly Judgement[]): Precondition['judge'] {
  return (facts) => {
    if (facts.installation === undefined) return [];
    const { home, shards } = facts.installation;
    // A user who may not read it is not told so each time: most installations have none.
    const type = valueOr(home.teardownType, undefined);
    if (home.presence.state !== 'found' || type === undefined) return [];
    const where = `WorkspaceType ${TEARDOWN_TYPE} in ${home.path}`;
    return judge({ type, where, home, shards, cluster: home.presence.cluster }, facts);
  };
}
