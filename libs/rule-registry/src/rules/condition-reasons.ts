// Every condition and every reason that the statuses of rules and guards can carry, in words for their readers. The types of conditions come from here, so
// a reason without a description does not compile; docs/reference/conditions.md is generated from here.
import type { RuleTarget } from './api-objects.js';

/** The conditions of a DependencyRule. */
export const RULE_CONDITIONS = {
  Ready:
    'Sums up the others. True: every target is guarded. False: the reason names the first problem. It does not say that the rule is out of force: see InForce.',
  InForce:
    'Whether deletes are checked for every target of the rule. False: not, or not for all of them. Unknown: what was written before stays, and the controller could not write anything new yet.',
  Accepted: 'Whether the rule can be read as a whole and counts.',
  TargetsResolved: 'Whether the exports, resources, versions and fields that the rule names exist. Unknown: dep-ctrl cannot tell.',
  WebhooksInstalled: 'Whether the webhook configuration of every target is written to kcp. kcp goes by it about 0.1 s later.',
  Cyclic: 'Present only if the rule is part of a circle of types.',
} as const;

/** The conditions of a DependencyGuard. */
export const GUARD_CONDITIONS = {
  Ready: 'Whether the webhook configuration of this workspace is as the admitted rules want it.',
  ConsentResolved: 'Present only if `spec.allowRulesFrom` names a path that admits nobody, or too many paths.',
  RulesTurnedAway:
    'Present only if rules about this workspace are not in force because `spec.allowRulesFrom` does not name the workspace that they are in.',
  Conflict: 'Present only if the configuration here belongs to another owner.',
} as const;

/** What the states of `status.targets` of a rule mean. */
export const TARGET_STATES: Readonly<Record<RuleTarget['state'], string>> = {
  Installed: 'The configuration is written; the target is guarded.',
  Pending: 'The controller has not finished with this target.',
  Refused: 'The guard of the target workspace does not admit rules from this workspace.',
  Missing: 'No workspace at that path binds dep-ctrl, or its exports do not serve the resource.',
  Failed: 'The configuration could not be written, or this target cannot be read.',
};

/** What a reason tells. */
export interface ReasonText {
  /** On which conditions of which kind it stands, and with which status. */
  readonly rule?: readonly `${keyof typeof RULE_CONDITIONS}=${'True' | 'False' | 'Unknown'}`[];
  readonly guard?: readonly `${keyof typeof GUARD_CONDITIONS}=${'True' | 'False' | 'Unknown'}`[];
  /** What is so, and what that means for deletes. */
  readonly means: string;
  /** What can be done about it, and by which role; absent: nothing. */
  readonly fix?: string;
}

const REJECTED = ['Ready=False', 'InForce=False', 'Accepted=False', 'WebhooksInstalled=False'] as const;
const NAMES_NOTHING = ['Ready=False', 'TargetsResolved=False'] as const;
const NOWHERE = ['Ready=False', 'InForce=False', 'TargetsResolved=False', 'WebhooksInstalled=False'] as const;
const NOT_WRITTEN = { rule: ['Ready=False', 'InForce=Unknown', 'WebhooksInstalled=False'], guard: ['Ready=False'] } as const;

const TEXTS = {
  Installed: {
    rule: ['Ready=True', 'InForce=True'],
    means: 'The rule is in force for every target.',
  },
  PartlyInstalled: {
    rule: ['InForce=False', 'InForce=Unknown'],
    means: 'The rule is in force for some of its targets. The message says how many, and what is wrong with the first other ones.',
    fix: 'Read `status.targets`: each target that is not Installed has a message.',
  },
  Valid: { rule: ['Accepted=True'], means: 'The rule can be read as a whole.' },
  Resolved: { rule: ['TargetsResolved=True'], means: 'Everything that the rule names was found.' },
  Written: { rule: ['WebhooksInstalled=True'], guard: ['Ready=True'], means: 'The configuration is written to kcp.' },
  NothingGuarded: {
    guard: ['Ready=True'],
    means: 'No admitted rule names a resource of this workspace, so there is no configuration and deletes pass.',
    fix: 'If a rule should hold here: read the status of the rule, and compare the paths in `spec.allowRulesFrom`.',
  },
  Pending: {
    rule: ['Ready=False', 'InForce=Unknown', 'TargetsResolved=Unknown', 'WebhooksInstalled=False'],
    guard: ['Ready=False'],
    means: 'The controller is at work. What was in force before stays in force.',
    fix: 'If it stays for minutes: look at the log of the controller, and at its metric `dep_ctrl_queue_depth`.',
  },
  Invalid: {
    rule: REJECTED,
    guard: ['Ready=False'],
    means:
      'On Accepted: something in the rule cannot be read; the targets that can be read are in force. Elsewhere: kcp does not accept the configuration. What was written before stays, but InForce is False, as it may be about other types.',
    fix: 'The author of the rule corrects the field that the message names. If kcp refuses the configuration, its answer is in the message.',
  },
  OverBound: {
    rule: REJECTED,
    guard: ['ConsentResolved=False'],
    means:
      'Rule: it says more than one rule may, and was stored before there was that bound; what is within the bound is in force. Guard: only the first workspaces of `spec.allowRulesFrom` are admitted, as many as the bound allows.',
    fix: 'Split the rule, or remove entries of the guard that are not needed.',
  },
  BuiltInType: {
    rule: REJECTED,
    means: 'The rule names a type of kcp itself. No export serves it, so it cannot be guarded.',
    fix: 'The author names a type that an APIExport serves.',
  },
  UnpairedPaths: {
    rule: REJECTED,
    means: '`fieldRef.namespacePath` gives one name several namespaces, so this target is not in force.',
    fix: 'The author writes each `[*]` of `namespacePath` where `path` has one, with the same fields before it.',
  },
  ImpossiblePath: {
    rule: REJECTED,
    means: 'No workspace can have the path that the rule names, so this target is not in force.',
    fix: 'The author corrects the path.',
  },
  OverQuota: {
    rule: ['Ready=False', 'InForce=False', 'Accepted=False'],
    means:
      'The rules of the workspace are more, or name more workspaces together, than may be in force. The oldest ones are; this rule is not.',
    fix: 'The author deletes other rules, puts more types into one rule, or names fewer workspaces.',
  },
  NotBound: {
    rule: NOWHERE,
    guard: ['Ready=False', 'ConsentResolved=False'],
    means:
      'Rule: no workspace at the path binds dep-ctrl, so nothing is guarded there. The same is said whether the workspace exists or not. Guard, Ready: the workspace is unbinding. Guard, ConsentResolved: a path in `spec.allowRulesFrom` leads to no workspace that binds dep-ctrl; it admits no new rule, and while dep-ctrl cannot resolve it the rules that are in force stay in force.',
    fix: 'Correct the path, or have the owner of that workspace bind dep-ctrl: `dep-ctrl bind PATH`.',
  },
  ConsentRefused: {
    guard: ['RulesTurnedAway=True'],
    rule: ['Ready=False', 'InForce=False', 'WebhooksInstalled=False'],
    means: 'The provider of the target does not admit rules from this workspace. The rule is not in force there.',
    fix: 'That provider adds the path to `spec.allowRulesFrom` of its DependencyGuard.',
  },
  ExportNotFound: {
    rule: NAMES_NOTHING,
    means:
      'The named APIExport does not exist. The configuration is written all the same. If another export of that workspace serves the type, the rule is in force: InForce and WebhooksInstalled are True. If none does, both are False with this reason.',
    fix: 'The author corrects the name of the export.',
  },
  ResourceNotExported: {
    rule: NAMES_NOTHING,
    means:
      'The named export does not serve the group and resource. The configuration is written all the same. If another export of that workspace serves the type, the rule is in force: InForce and WebhooksInstalled are True. If none does, both are False with this reason.',
    fix: 'The author corrects group or resource, which is the plural.',
  },
  VersionNotServed: {
    rule: NAMES_NOTHING,
    means:
      'The named version is not served. The rule is in force. A delete is judged by another served version that has a string at the path; without one the delete is refused.',
    fix: 'The author names a version that is served.',
  },
  KindNotServed: {
    rule: NAMES_NOTHING,
    means: 'The resource has another kind than the rule says. The rule is in force.',
    fix: 'The author corrects the kind.',
  },
  FieldNotFound: {
    rule: NAMES_NOTHING,
    means: 'The schema of the dependent has no such field. The rule is in force as written, and so guards nothing.',
    fix: 'The author corrects the path.',
  },
  FieldNotAString: {
    rule: NAMES_NOTHING,
    means: 'The field is not a text. The rule is in force as written, and so guards nothing.',
    fix: 'The author names the field that holds the name. For an array the path needs `[*]`.',
  },
  MeaninglessNamespace: {
    rule: NAMES_NOTHING,
    means:
      'The rule has a `fieldRef.namespacePath` for a target that is in no namespace. The path is not looked at: the rule is in force, by name alone.',
    fix: 'The author removes `namespacePath`.',
  },
  NotVerified: {
    rule: ['TargetsResolved=Unknown'],
    means:
      'dep-ctrl may not or cannot read what the rule names. Ready can be True: the rule is in force, and a mistake in it would not be seen.',
    fix: 'An operator runs `dep-ctrl bootstrap` with `--shard-kubeconfig` once per shard.',
  },
  GrantMissing: {
    rule: ['Ready=False'],
    means: 'The webhook may not read the dependents of this rule on every shard. The deletes that the rule guards are refused.',
    fix: 'An operator runs the `dep-ctrl bind` command that the message shows, with `--shard-kubeconfig` once per shard.',
  },
  NoRoom: {
    rule: ['Ready=False', 'InForce=False', 'WebhooksInstalled=False'],
    means:
      'The rules of this workspace name more types in the target workspace than its configuration holds. The types that found no room are not guarded.',
    fix: 'The author names fewer types that the exports there do not serve.',
  },
  ClaimNotAccepted: {
    ...NOT_WRITTEN,
    means:
      'The workspace binds dep-ctrl without accepting its permission claim. A configuration that was written before stays and keeps refusing.',
    fix: 'The owner of the guarded workspace accepts the claim on validatingwebhookconfigurations; `dep-ctrl bind PATH` does that.',
  },
  Conflict: {
    rule: ['Ready=False', 'InForce=False', 'WebhooksInstalled=False'],
    guard: ['Ready=False'],
    means: 'The guarded workspace has a configuration of our name that is not ours. It is left as it is.',
    fix: 'If it is of an installation that is gone: bind the workspace again (`dep-ctrl bind PATH`), which hands it over. If it is not needed: delete it.',
  },
  Forbidden: {
    ...NOT_WRITTEN,
    means: 'kcp does not let the controller write to the guarded workspace. What was written before stays.',
    fix: 'An operator runs `dep-ctrl bootstrap` again, and gives the controller the kubeconfig that it wrote for the controller.',
  },
  Unreachable: {
    ...NOT_WRITTEN,
    means: 'kcp did not answer. What was written before stays, and the controller tries again.',
    fix: 'An operator looks at the shard that the message names.',
  },
  Uninstalled: {
    rule: ['Ready=False', 'InForce=False'],
    guard: ['Ready=False'],
    means: '`dep-ctrl uninstall` was run: nothing is guarded.',
    fix: 'Delete the object. Or install dep-ctrl again: the object counts again once the roles run.',
  },
  CycleOfTypes: {
    rule: ['Cyclic=True'],
    means: 'Types refer to each other in a circle. The rule is in force, so such objects can refuse the deletion of each other.',
    fix: 'If objects hold each other: clear a reference first, or annotate one of the objects (the way out).',
  },
  OtherOwner: {
    guard: ['Conflict=True'],
    means: 'The configuration in this workspace was made by another owner; see the message.',
    fix: 'As for the reason Conflict.',
  },
} as const satisfies Readonly<Record<string, ReasonText>>;

/** The type of a condition of ours. */
export type ConditionType = keyof typeof RULE_CONDITIONS | keyof typeof GUARD_CONDITIONS;

/** The reason of a condition of ours. */
export type ConditionReason = keyof typeof TEXTS;

/** What each reason tells. */
export const CONDITION_REASONS: Readonly<Record<ConditionReason, ReasonText>> = TEXTS;

/** Whether a text from a server is a reason that we know. */
export function isConditionReason(text: string): text is ConditionReason {
  return Object.hasOwn(CONDITION_REASONS, text);
}
