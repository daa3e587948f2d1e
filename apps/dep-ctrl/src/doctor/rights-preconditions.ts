// The preconditions of the roles' rights, as kcp reports them, and kcp's answers to dry-run deletes.
import type { RightAnswer } from './probes/probes.js';
import {
  bootstrap,
  bootstrapKubeconfigs,
  bootstrapShards,
  broken,
  depCtrl,
  met,
  notChecked,
  READYZ,
  shardFlags,
  type DoctorFacts,
  type Judgement,
  type Precondition,
} from './precondition.js';

const SHARDS = '--shard-kubeconfig FILE';

/** On paper first. */
export const RIGHTS_PRECONDITIONS: readonly Precondition[] = [
  {
    id: 'webhook-enters',
    must: 'Whoever runs the webhook may list the bindings of consumers, on every shard.',
    otherwise: 'Every guarded delete on that shard is refused.',
    fix: `dep-ctrl bootstrap --kubeconfig FILE ${SHARDS}`,
    follows: ['shard-rights', 'roles-bound'],
    judge: forRights({ role: 'webhook', of: 'consumers' }, (facts) => bootstrapShards(facts.access)),
  },
  {
    id: 'controller-enters',
    must: 'Whoever runs the controller may list the bindings of workspaces, on every shard.',
    otherwise: 'Paths of rules cannot be resolved, and what rules name is not verified.',
    fix: `dep-ctrl bootstrap --kubeconfig FILE ${SHARDS}`,
    follows: ['shard-rights', 'roles-bound'],
    judge: forRights({ role: 'controller', of: 'consumers' }, (facts) => bootstrapShards(facts.access)),
  },
  {
    id: 'webhook-reads-dependents',
    must: 'Whoever runs the webhook may list the dependents of each rule.',
    otherwise: 'The deletes that the rule guards are refused.',
    fix: `dep-ctrl bind PATH ${SHARDS}`,
    follows: ['shard-rights', 'webhook-enters'],
    judge: forRights({ role: 'webhook', of: 'dependents' }, ({ access }, { workspace }) =>
      depCtrl(access, 'bind', workspace, ...shardFlags(access)),
    ),
  },
  {
    id: 'dependents-shown',
    must: 'No export of dependents has a maximalPermissionPolicy while the webhook is a ServiceAccount.',
    otherwise: 'kcp shows the webhook none of these objects: the deletes that the rule guards are refused.',
    fix: 'dep-ctrl bootstrap --kubeconfig FILE --controller-user NAME --webhook-user NAME',
    judge: ({ probes, access }) =>
      (probes.policies ?? []).map(({ workspace, exportName, isHidden }) => {
        const where = `export ${exportName} in ${workspace}`;
        if (isHidden.state === 'unread') return notChecked(where, isHidden);
        const says =
          'has a maximalPermissionPolicy, and kcp shows what it serves to no ServiceAccount of another workspace: run the webhook as a user with a client certificate';
        return isHidden.value ? broken(where, says, bootstrap(access, '--controller-user NAME --webhook-user NAME')) : met(where);
      }),
  },
  {
    id: 'identity-known',
    must: 'kcp knows each identity by the kubeconfig that bootstrap wrote for it, and lets it read the endpoints of the export.',
    otherwise: 'The role does not start, or every guarded delete is refused.',
    fix: 'dep-ctrl bootstrap --kubeconfig FILE --kubeconfig-dir DIR',
    follows: ['accounts-there', 'account-tokens', 'roles-there', 'roles-bound'],
    judge: ({ probes, access }) => {
      if (probes.identities === undefined) return [];
      const { kubeconfigDir } = access;
      if (probes.identities.length === 0 && kubeconfigDir !== undefined)
        return [broken(kubeconfigDir, 'is no folder that bootstrap wrote kubeconfigs to: none is there', bootstrapKubeconfigs(access))];
      if (probes.identities.length === 0)
        return [
          notChecked('identities of the roles', {
            because: 'not-asked',
            why: 'give --kubeconfig-dir, the folder that bootstrap wrote their kubeconfigs to',
          }),
        ];
      return probes.identities.map(({ file, home }) => {
        if (home.state === 'read') return met(file);
        const run = bootstrapKubeconfigs(access);
        if (home.state === 'damaged') return broken(file, `cannot be used: ${home.problem}`, run);
        if (home.because === 'rejected') return broken(file, 'holds credentials that kcp does not accept', run);
        if (home.because === 'refused') return broken(file, `is let in, but not to what the role needs: ${home.why}`, run);
        return notChecked(file, home);
      });
    },
  },
  {
    id: 'identity-reads',
    must: 'Each identity can list in a workspace of a provider, on every shard.',
    otherwise: 'Every guarded delete on that shard is refused (webhook), or paths of rules stay unresolved (controller).',
    fix: `dep-ctrl bootstrap --kubeconfig FILE ${SHARDS}`,
    follows: ['shard-rights', 'identity-known', 'webhook-enters', 'controller-enters'],
    judge: ({ probes, access }) =>
      (probes.identities ?? [])
        .filter(({ home }) => home.state === 'read')
        .flatMap(({ file, foreign }) =>
          foreign.map(({ workspace, listed }) => {
            const where = `${file} in ${workspace}`;
            if (listed.state === 'read') return met(where);
            if (listed.because !== 'refused') return notChecked(where, listed);
            return broken(where, `may not list the bindings there: ${listed.why}`, bootstrapShards(access));
          }),
        ),
  },
  {
    id: 'delete-asks-webhook',
    must: 'A delete of a guarded object makes kcp ask the webhook, on every shard (tried as a dry run, which changes nothing).',
    otherwise: 'kcp refuses every guarded delete on that shard.',
    fix: 'kubectl delete RESOURCE NAME --dry-run=server',
    follows: ['webhook-answers', 'webhook-certificate-trusted', 'webhook-certificate-host', 'webhook-certificate-dates', 'webhook-token'],
    judge: (facts) => {
      const { probes, installation, providers } = facts;
      const isGuarded = (installation?.webhooks ?? []).length > 0 || providers.some(({ configuration }) => configuration !== undefined);
      if (probes.deletes === undefined || !isGuarded) return [];
      if (probes.deletes.length === 0) {
        return [
          notChecked('webhook, from where kcp is', {
            because: 'not-asked',
            why: 'no object of a guarded type was found to try with; how it answers from here: see webhook-answers',
          }),
        ];
      }
      return probes.deletes.flatMap(({ shard, object, outcome }) => {
        const where = `kcp at ${shard}`;
        if (outcome.state === 'asked' || outcome.state === 'cannot-tell') return [met(where)];
        if (outcome.state === 'not-tried')
          return [notChecked(where, { because: outcome.because, why: `${outcome.why}; how it answers from here: see webhook-answers` })];
        return [broken(where, `does not reach the webhook about ${object}: ${outcome.problem}`, READYZ)];
      });
    },
  },
  {
    id: 'webhook-tells',
    must: 'The webhook can tell whether something refers to the object of such a delete.',
    otherwise: 'It refuses every guarded delete on that shard.',
    fix: READYZ,
    follows: ['webhook-enters', 'webhook-reads-dependents', 'dependents-shown', 'shard-rights', 'identity-known', 'identity-reads'],
    judge: ({ probes }) =>
      (probes.deletes ?? []).flatMap(({ shard, object, outcome }) => {
        const where = `webhook, asked by kcp at ${shard}`;
        if (outcome.state === 'asked') return [met(where)];
        return outcome.state === 'cannot-tell' ? [broken(where, `refuses to tell about ${object}: ${outcome.says}`, READYZ)] : [];
      }),
  },
];

function forRights(
  { role, of }: Pick<RightAnswer, 'role' | 'of'>,
  fix: (facts: DoctorFacts, answer: RightAnswer) => string,
): (facts: DoctorFacts) => readonly Judgement[] {
  return (facts) =>
    facts.probes.rights?.filter((each) => each.role === role && each.of === of).map((answer) => judgeRight(answer, fix(facts, answer))) ??
    [];
}

function judgeRight({ role, workspace, action, grant }: RightAnswer, run: string): Judgement {
  const where = `${role} in ${workspace}`;
  if (grant.state === 'unread') return notChecked(where, grant);
  if (grant.value === 'granted') return met(where);
  if (grant.value === 'missing') return broken(where, `may not ${action}`, run);
  return notChecked(where, { because: 'failed', why: `kcp could not say whether it may ${action}` });
}
