// Asks kcp by SubjectAccessReview whether the identities of the roles have the rights that the roles need, and whether exports hide objects from them.
import { listAll, type Connection, type Stoppable } from '@dep-ctrl/kcp-client';
import { groupResourceKey, printGroupResource, type GroupResource, type KubeObject, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { DependentType } from '@dep-ctrl/rule-registry';
import { WEBHOOK_ROLE } from '../../bootstrap/manifests.js';
import { grantFrom, type Grant } from '../../controller/rule-status/grant-answer.js';
import { webhookSubjects } from '../../controller/rule-status/webhook-subjects.js';
import type { InstallationFacts } from '../../installation/facts.js';
import { knownRules, ownBindings } from '../../installation/known-rules.js';
import { notAsked, reading, valueOr, type Reading } from '../../installation/reading.js';
import { ACCESS_REVIEWS, answerIn, mayList, type AskedFor } from '../../read-access/access-review.js';
import { API_EXPORTS } from '@dep-ctrl/kcp-objects';
import type { PolicyAnswer, RightAnswer } from './probes.js';

const BINDINGS_TYPE: GroupResource = { group: 'apis.kcp.io', resource: 'apibindings' };
// bootstrap writes one or two.
const MOST_SUBJECTS = 8;
const MOST_TYPES = 100;
const AT_A_TIME = 8;

/** Names a workspace for people. */
export type NameOf = (cluster: string) => string;

/** What is to be asked. */
interface Question extends Pick<RightAnswer, 'role' | 'of'> {
  readonly cluster: LogicalClusterName;
  readonly type: GroupResource;
}

/** One workspace of a provider on each shard. */
export function foreignWorkspaces({ shards, home }: InstallationFacts): readonly LogicalClusterName[] {
  const own = home.presence.state === 'found' ? home.presence.cluster : undefined;
  return shards.flatMap(({ bindings }) => {
    const first = ownBindings(valueOr(bindings, [])).find(
      ({ cluster, object }) => cluster !== own && object.metadata.deletionTimestamp === undefined,
    );
    return first === undefined ? [] : [first.cluster];
  });
}

/** Asks about each shard, and about the dependents of each rule in the workspace of its author. */
export async function readRights(
  connection: Connection,
  installation: InstallationFacts,
  nameOf: NameOf,
  options: Stoppable,
): Promise<readonly RightAnswer[]> {
  const { rights } = installation.home;
  const consumers = foreignWorkspaces(installation).flatMap((cluster): readonly Question[] =>
    (['webhook', 'controller'] as const).map((role) => ({ role, of: 'consumers', cluster, type: BINDINGS_TYPE })),
  );
  const all = dependentsOf(installation);
  const dependents = all.slice(0, MOST_TYPES).map(({ cluster, type }): Question => ({
    role: 'webhook',
    of: 'dependents',
    cluster,
    type,
  }));
  const answers: RightAnswer[] = [];
  const questions = [...consumers, ...dependents];
  for (let at = 0; at < questions.length; at += AT_A_TIME) {
    const asked = questions.slice(at, at + AT_A_TIME).map(async ({ role, of, cluster, type }): Promise<RightAnswer> => {
      const action = `list ${printGroupResource(type)}`;
      const workspace = nameOf(cluster);
      if (rights.state === 'unread') return { role, of, workspace, action, grant: rights };
      const subjects = subjectsOf(rights.value, role);
      if (subjects.length === 0)
        return { role, of, workspace, action, grant: notAsked(action, `nobody is bound to the rights of the ${role}`) };
      return { role, of, workspace, action, grant: await ask(connection, { cluster, type, subjects, workspace }, options) };
    });
    answers.push(...(await Promise.all(asked)));
  }
  return [...answers, ...all.slice(MOST_TYPES).map(unasked(nameOf))];
}

/** As many as a person waits for. */
function unasked(nameOf: NameOf): (dependent: ReturnType<typeof dependentsOf>[number]) => RightAnswer {
  return ({ cluster, type }) => {
    const action = `list ${printGroupResource(type)}`;
    const grant = notAsked(action, `only the first ${MOST_TYPES} types are asked about; the status of each rule says it`);
    return { role: 'webhook', of: 'dependents', workspace: nameOf(cluster), action, grant };
  };
}

/** Reads the exports that the dependents of rules come from. */
export async function readPolicies(
  connection: Connection,
  installation: InstallationFacts,
  nameOf: NameOf,
  options: Stoppable,
): Promise<readonly PolicyAnswer[]> {
  const { rights } = installation.home;
  const accounts =
    rights.state === 'read' && subjectsOf(rights.value, 'webhook').some(({ user = '' }) => user.startsWith('system:kcp:serviceaccount:'));
  // Users are shown what the policy grants them, which is theirs to arrange.
  if (!accounts) return [];
  const exports = new Map(
    dependentsOf(installation).map(({ cluster, type }) => [`${cluster}/${type.exportName}`, { cluster, name: type.exportName }]),
  );
  return Promise.all(
    [...exports.values()].map(async ({ cluster, name }): Promise<PolicyAnswer> => {
      const workspace = nameOf(cluster);
      const what = { what: `the exports of ${workspace}`, needs: `get and list on apiexports in ${workspace}` };
      const isHidden = await reading(what, async () => {
        const { objects } = await listAll(connection.cluster(cluster), API_EXPORTS, {}, options);
        const found = objects.find(({ metadata }) => metadata.name === name);
        const { maximalPermissionPolicy } = (found?.['spec'] ?? {}) as { readonly maximalPermissionPolicy?: unknown };
        return maximalPermissionPolicy !== undefined && maximalPermissionPolicy !== null;
      });
      return { workspace, exportName: name, isHidden };
    }),
  );
}

function dependentsOf({
  shards,
  paths,
}: InstallationFacts): readonly { readonly cluster: LogicalClusterName; readonly type: DependentType }[] {
  const { rules } = knownRules(shards, paths).snapshot();
  const types = new Map(rules.map(({ cluster, dependent }) => [`${cluster}/${groupResourceKey(dependent)}`, { cluster, type: dependent }]));
  return [...types.values()];
}

function subjectsOf(rights: ReadonlyMap<string, KubeObject>, role: RightAnswer['role']): readonly AskedFor[] {
  const binding = rights.get(`ClusterRoleBinding/${role === 'webhook' ? WEBHOOK_ROLE : 'dep-ctrl:controller'}`);
  return binding === undefined ? [] : webhookSubjects(binding).slice(0, MOST_SUBJECTS);
}

function ask(
  connection: Connection,
  {
    cluster,
    type,
    subjects,
    workspace,
  }: Pick<Question, 'cluster' | 'type'> & { readonly subjects: readonly AskedFor[]; readonly workspace: string },
  options: Stoppable,
): Promise<Reading<Grant>> {
  return reading({ what: `who may read in ${workspace}`, needs: `create on subjectaccessreviews in ${workspace}` }, async () => {
    const answers = await Promise.all(
      subjects.map(async (subject) => answerIn(await connection.cluster(cluster).create(ACCESS_REVIEWS, mayList(subject, type), options))),
    );
    return grantFrom(answers);
  });
}
