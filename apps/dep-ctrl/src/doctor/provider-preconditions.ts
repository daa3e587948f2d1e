// The preconditions of workspaces that bind dep-ctrl: binding, guard, configuration.
import { printFirst } from '@dep-ctrl/exported-types';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { EXPORT_NAME, GUARD_NAME, PERMISSION_CLAIM } from '@dep-ctrl/rule-registry';
import { readClaim, type ClaimState } from '@dep-ctrl/webhook-installer';
import { isHeld } from '../controller/guard/guard-objects.js';
import { conditionsIn, READY } from '../own-objects/conditions.js';
import type { Provider } from '../installation/providers.js';
import {
  broken,
  depCtrl,
  kubectl,
  met,
  notChecked,
  startRoles,
  type DoctorFacts,
  type Judgement,
  type Precondition,
} from './precondition.js';

const BIND = 'dep-ctrl bind PATH --shard-kubeconfig FILE';
const START = startRoles({});
const EDIT_GUARD = `edit dependencyguards.dependencies.opendefense.cloud ${GUARD_NAME}`;
const LOOK_AT_CONFIGURATION = `get validatingwebhookconfiguration ${GUARD_NAME} -o yaml`;
const MOST_NAMED = 5;

/** The binding first. */
export const PROVIDER_PRECONDITIONS: readonly Precondition[] = [
  {
    id: 'may-look',
    must: 'Whoever asks may read the rules, guards, bindings and configurations of every shard.',
    otherwise: 'What cannot be read is not judged.',
    fix: 'kubectl create clusterrolebinding NAME --clusterrole dep-ctrl:webhook --user USER',
    judge: ({ installation, access }) => {
      if (installation === undefined) return [];
      const allow = kubectl(access, installation.home.path, 'create clusterrolebinding NAME --clusterrole dep-ctrl:webhook --user USER');
      return installation.shards.map(({ url, bindings, rules, guards, configurations }) => {
        const unread = [bindings, rules, guards, configurations].flatMap((each) => (each.state === 'unread' ? [each] : []));
        const [first] = unread;
        if (first === undefined) return met(url);
        if (first.because === 'refused') return broken(url, `cannot be looked behind with these credentials: ${first.why}`, allow);
        return notChecked(url, first);
      });
    },
  },
  {
    id: 'binding-bound',
    must: 'Each binding to dep-ctrl is bound.',
    otherwise: 'Rules cannot be written there, and its configuration cannot be kept.',
    fix: BIND,
    judge: forProviders(({ name, bindings }, { access }) =>
      bindings.map((binding) => {
        const { phase = '' } = (binding['status'] ?? {}) as { readonly phase?: string };
        const where = `APIBinding ${binding.metadata.name ?? ''} in ${name}`;
        if (binding.metadata.deletionTimestamp !== undefined) {
          return broken(where, 'is being deleted, and waits for the controller or for dep-ctrl uninstall', startRoles(access));
        }
        const why = problemOf(binding);
        return phase === 'Bound'
          ? met(where)
          : broken(where, `is in phase "${phase}"${why === '' ? '' : `: ${why}`}`, depCtrl(access, 'bind', name));
      }),
    ),
  },
  {
    id: 'claim-accepted',
    must: 'Each workspace that binds dep-ctrl accepts its one permission claim, with all its verbs.',
    otherwise: 'What rules guard there is not guarded; a configuration that is there cannot be changed and keeps refusing.',
    fix: BIND,
    judge: forProviders(({ name, bindings }, { access, installation }) => {
      const presence = installation?.home.presence;
      if (presence?.state !== 'found') return [];
      const claim = readClaim(bindings, { cluster: presence.cluster, name: EXPORT_NAME }, PERMISSION_CLAIM, PERMISSION_CLAIM.verbs);
      const says = CLAIMS[claim.state];
      if (claim.state === 'accepted') return [met(name)];
      // An unbinding, and a binding that is not bound yet, are told as that.
      return says === undefined ? [] : [broken(name, says, depCtrl(access, 'bind', name))];
    }),
  },
  {
    id: 'guard-there',
    must: 'Each workspace with a configuration of dep-ctrl has the guard that lets the controller come back for it.',
    otherwise: 'If the workspace unbinds, its configuration stays and refuses deletes.',
    fix: START,
    judge: forProviders(({ name, guard, configurationState: { state } }, { access }) => {
      if (state !== 'equal' && state !== 'differs') return [];
      const where = `guard in ${name}`;
      if (guard === undefined) return [broken(where, 'is missing: the controller makes it when it runs', startRoles(access))];
      return [
        isHeld(guard)
          ? met(where)
          : broken(where, 'lacks the finalizer of dep-ctrl: the controller puts it there when it runs', startRoles(access)),
      ];
    }),
  },
  {
    id: 'consent-resolved',
    must: 'Each path in `spec.allowRulesFrom` of a guard names a workspace that binds dep-ctrl.',
    otherwise: 'The entry admits nobody: a rule that was meant is turned away.',
    fix: `kubectl ${EDIT_GUARD}`,
    judge: forProviders(({ name, guard }, { access }) =>
      guard === undefined
        ? []
        : falseConditions(guard, 'ConsentResolved').map(({ message }) =>
            broken(`guard in ${name}`, message, kubectl(access, name, EDIT_GUARD)),
          ),
    ),
  },
  {
    id: 'configuration-ours',
    must: 'No configuration of another owner has the name of ours where rules want one.',
    otherwise: 'What rules guard there is not guarded.',
    fix: `kubectl ${LOOK_AT_CONFIGURATION}`,
    judge: forProviders(({ name, configurationState: { state } }, { access }) => {
      if (state === 'unknown' || state === 'none' || state === 'missing') return [];
      const look = kubectl(access, name, LOOK_AT_CONFIGURATION);
      const where = `configuration in ${name}`;
      return [
        state === 'foreign'
          ? broken(where, 'was made by another owner: bind the workspace again if that is a former installation, or delete it', look)
          : met(where),
      ];
    }),
  },
  {
    id: 'configuration-there',
    must: 'Each workspace that rules guard has its configuration.',
    otherwise: 'Deletes pass there.',
    fix: START,
    judge: forProviders(({ name, bindings, configurationState: { state } }, { access }) => {
      if (state !== 'missing' && state !== 'equal' && state !== 'differs') return [];
      // What a workspace that unbound left is not wanted; of one that binds and does not accept the claim, the state is not known.
      if (bindings.length === 0) return [];
      return [
        state === 'missing'
          ? broken(`configuration in ${name}`, 'is missing: the controller writes it when it runs', startRoles(access))
          : met(`configuration in ${name}`),
      ];
    }),
  },
  {
    id: 'configuration-equal',
    must: 'Each configuration guards what the rules in force name, and is written as dep-ctrl writes it.',
    otherwise: 'Deletes pass that should not, or are judged for no rule.',
    fix: START,
    judge: forProviders(({ name, configurationState }, { access }) => {
      const where = `configuration in ${name}`;
      if (configurationState.state === 'unknown') return [notChecked(where, { because: 'not-asked', why: configurationState.why })];
      if (configurationState.state === 'equal') return [met(where)];
      if (configurationState.state !== 'differs') return [];
      const { lacks, beyond } = configurationState;
      const parts = [
        ...(lacks.length === 0 ? [] : [`does not guard ${printFirst(lacks, { most: MOST_NAMED })}`]),
        ...(beyond.length === 0 ? [] : [`still guards ${printFirst(beyond, { most: MOST_NAMED })}`]),
        ...(lacks.length + beyond.length === 0 ? ['was changed by somebody'] : []),
      ];
      return [broken(where, `${parts.join(', and ')}: the controller corrects it when it runs`, startRoles(access))];
    }),
  },
  {
    id: 'no-leftover',
    must: 'No configuration of dep-ctrl is left where no rule wants one.',
    otherwise: 'Deletes are still asked about, and refused while the webhook is away.',
    fix: 'dep-ctrl uninstall --dry-run',
    judge: forProviders(({ name, configurationState: { state } }, { access }) =>
      state === 'leftover'
        ? [broken(`configuration in ${name}`, 'is left, and no rule wants it: the controller removes it when it runs', startRoles(access))]
        : [],
    ),
  },
  {
    id: 'no-abandoned-guard',
    must: 'No guard says that dep-ctrl was uninstalled while rules want it.',
    otherwise: 'Nothing is guarded there.',
    fix: START,
    judge: forProviders(({ name, guard, entries }, { access }) => {
      const ready = guard === undefined ? undefined : conditionsIn(guard).find(({ type }) => type === READY);
      if (ready?.reason !== 'Uninstalled' || entries.length === 0) return [];
      return [broken(`guard in ${name}`, 'says that dep-ctrl was uninstalled, and rules want it', startRoles(access))];
    }),
  },
];

const CLAIMS: Readonly<Partial<Record<ClaimState['state'], string>>> = {
  rejected: 'rejects the permission claim of dep-ctrl',
  'not-answered': 'has not answered the permission claim of dep-ctrl',
  'verbs-missing': 'accepts the permission claim of dep-ctrl without all of its verbs',
};

function forProviders(judge: (provider: Provider, facts: DoctorFacts) => readonly Judgement[]): Precondition['judge'] {
  return (facts) => facts.providers.flatMap((provider) => judge(provider, facts));
}

function falseConditions(object: KubeObject, type: string): readonly { readonly message: string }[] {
  return conditionsIn(object).filter((condition) => condition.type === type && condition.status === 'False');
}

function problemOf(binding: KubeObject): string {
  return conditionsIn(binding).find(({ status, message }) => status === 'False' && message !== '')?.message ?? '';
}
