// What is said of a delete that the webhook refuses or lets through unchecked: the texts are those that the webhook makes of such a decision, so they
// cannot drift. A decision or failure without an entry does not compile.
import { parseLogicalClusterName, parseWorkspacePath, type Parsed } from '@dep-ctrl/kcp-names';
import {
  answerOf,
  type AnswerContext,
  type Blocker,
  type Decision,
  type Dependent,
  type Doubt,
  type FailedReadCode,
  type LookupFailure,
} from '../app-sources.js';

/** A text of the product, its meaning, and what to do about it. */
export interface Told {
  /** What people search for: the text, as kubectl shows it behind `denied the request:`. */
  readonly text: string;
  /** HTTP code and reason; undefined: the delete passes, and the text is a warning. */
  readonly status: string | undefined;
  readonly means: string;
  readonly fix: string;
}

type Denied = Extract<Decision, { readonly verdict: 'deny' }>;
type Doubted = Extract<Decision, { readonly because: 'in-doubt' }>['doubt'];
type Words = Pick<Told, 'means' | 'fix'>;

const OPERATOR_READS_LOG = 'An operator looks at `dep-ctrl doctor` and at the log of the webhook, which names what is missing.';
const AGAIN = 'Try again in a second; kubectl does so by itself. If it stays: `readyz?verbose` of the webhook, and the shard.';

/** Refusals, by why the decision was made. */
export function refusedDeletes(): Readonly<Record<Exclude<Denied['because'], 'cannot-tell'>, readonly Told[]>> {
  return {
    'in-use': [
      denied(inUse([machine('my-vm')]), {
        means: 'Objects still refer to it by a rule. All are named up to ten; `and N more` or `and possibly more` stands for the others.',
        fix: 'Delete the objects that are named, or let them refer to something else; the text ends with the command. Or take [the way out](../consumer.md#delete-it-all-the-same).',
      }),
      denied(inUse([machine('my-vm', { isTerminating: true })]), {
        means: 'What still refers to it is being deleted already.',
        fix: 'Wait until that is gone. If it hangs: its finalizers say who it waits for.',
      }),
      denied(
        inUse([machine('my-vm')]),
        {
          means: "The delete came through another provider's virtual workspace, whose caller may not see the names.",
          fix: 'The owner of the consumer workspace deletes the objects or points them elsewhere.',
        },
        { caller: { username: 'provider', isThroughExport: true } },
      ),
      denied(
        inUse([machine('my-vm')]),
        {
          means: 'The object is annotated for the way out, with a value that lifts nothing.',
          fix: 'Write `"true"` as its value.',
        },
        { ignoredSkip: 'yes' },
      ),
    ],
    'rules-unknown': [
      denied(
        { verdict: 'deny', because: 'rules-unknown' },
        {
          means: 'The webhook has not listed the rules of every shard that it needs here: it has just started, or a shard does not answer.',
          fix: 'Wait some seconds. If it stays: `readyz?verbose` of the webhook, line `rules`.',
        },
      ),
    ],
    'rules-not-back': [
      denied(
        { verdict: 'deny', because: 'rules-not-back' },
        {
          means:
            "The workspace of dep-ctrl was lost, and the rules about this type are not back; or the type's provider unbound dep-ctrl while no controller ran.",
          fix: '[Lost workspace](../operations.md#the-workspace-of-dep-ctrl-is-lost): bind, apply the rules, then `dep-ctrl bind PATH --rules-are-back`. Or end the protection with the command in the text.',
        },
      ),
    ],
    'bindings-unknown': [
      denied(
        { verdict: 'deny', because: 'bindings-unknown', failure: { code: 'timeout', lasting: false } },
        { means: "The consumer's APIBindings could not be read, for a reason that passes.", fix: AGAIN },
      ),
    ],
    'not-exported-here': [
      denied(
        { verdict: 'deny', because: 'not-exported-here' },
        {
          means: 'The webhook lacks its rights on the shard, or the consumer is bound to another export than before.',
          fix: '`dep-ctrl bootstrap --shard-kubeconfig FILE`, once per shard. If the provider was made anew: bind it again in the consumer workspace.',
        },
      ),
    ],
    'too-many': [
      denied(
        { verdict: 'deny', because: 'too-many' },
        { means: '128 deletes of this workspace wait to be checked.', fix: 'Delete fewer at a time; kubectl tries again by itself.' },
      ),
    ],
    broken: [
      denied(
        { verdict: 'deny', because: 'broken' },
        {
          means: 'A defect of dep-ctrl: the check itself failed.',
          fix: 'Report it with the lines of the log of the webhook at that time.',
        },
      ),
    ],
    'invalid-review': [
      denied(
        { verdict: 'deny', because: 'invalid-review', problem: 'the body is not UTF-8' },
        {
          means: 'What was posted to the webhook is no review that kcp would post. The problem stands behind the colon.',
          fix: 'If kcp posted it: report it. Else find out who reaches the port of the webhook.',
        },
      ),
    ],
  };
}

/** Refusals because a lookup could not tell, by what failed. */
export function doubtfulDeletes(): Readonly<Record<LookupFailure['code'], Told>> {
  return {
    unauthorized: cannotTell(
      { code: 'unauthorized', lasting: true },
      {
        means: 'The credentials of the webhook were revoked or ended.',
        fix: '`dep-ctrl bootstrap --kubeconfig-dir identities` writes new ones; the running role reads its own.',
      },
    ),
    forbidden: cannotTell(
      { code: 'forbidden', lasting: true },
      { means: 'The webhook lacks the grant for that type on this shard.', fix: 'Run the command in the text, once per shard.' },
    ),
    'version-not-served': cannotTell(
      { code: 'version-not-served', lasting: true, version: 'v1alpha1' },
      {
        means: 'The provider took the version out of service that the rule names, and no other one has a string at the path.',
        fix: 'The author of the rule names a version that is served.',
      },
    ),
    'export-recreated': cannotTell(
      { code: 'export-recreated', lasting: false, binding: 'compute' },
      {
        means: "The provider's workspace or export was made anew; kcp moves bindings to the new one within seconds.",
        fix: 'Try again. If it stays so, the conditions of that binding say what kcp waits for.',
      },
    ),
    'too-large': cannotTell(
      { code: 'too-large', lasting: true },
      {
        means: 'One object alone is larger than the webhook reads.',
        fix: 'In the consumer workspace: make that object smaller, or delete it.',
      },
    ),
    timeout: passing('timeout', 'The list took longer than the budget of the review.'),
    throttled: passing('throttled', 'kcp answered 429.'),
    unavailable: passing('unavailable', 'kcp answered with an error of its own.'),
    unreachable: passing('unreachable', 'No connection to kcp.'),
    'not-served': passing('not-served', 'The shard does not serve the type at the moment, for instance because it starts.'),
    unreadable: passing('unreadable', 'The answer of kcp was no list.'),
    changing: passing('changing', 'kcp ended the list again and again while its pages were read.'),
    'not-finished': passing('not-finished', 'Reading stopped before the end, and nothing of what was found blocks.'),
  };
}

/** Warnings of deletes that pass although they could not be checked, or need not be: kubectl prints them. */
export function warnedDeletes(): readonly Told[] {
  const doubted: Readonly<Record<Doubted, Words | undefined>> = {
    'rules-unknown': {
      means: 'As the refusal of the same reason, on a path where doubts pass: rules of Warn or Audit, or an annotated object.',
      fix: OPERATOR_READS_LOG,
    },
    'rules-not-back': { means: 'The same, because the rules of an earlier installation are not back.', fix: OPERATOR_READS_LOG },
    'too-many': { means: 'The same, because 128 deletes of this workspace wait.', fix: 'Nothing.' },
    'bindings-unknown': { means: 'The same, because what is bound here could not be read.', fix: OPERATOR_READS_LOG },
    // Reads the same as the one before.
    'not-exported-here': undefined,
    'invalid-review': { means: 'The same, because what kcp posted could not be read.', fix: OPERATOR_READS_LOG },
    broken: { means: 'The same, because of a defect of dep-ctrl.', fix: 'Report it with the log of the webhook.' },
  };
  const warn = { ...RULE, enforcement: 'Warn' } as const;
  const nothing = { blockers: [], doubts: [], isComplete: true };
  return [
    warned(
      { verdict: 'allow', because: 'bypassed' },
      { means: 'The object is annotated: kcp lets it go, whoever refers to it.', fix: 'If it should be protected, remove the annotation.' },
    ),
    warned(
      { verdict: 'allow', because: 'tolerated', tolerated: { ...nothing, blockers: [{ ...machine('my-vm'), rule: warn }] } },
      { means: 'A rule with `enforcement: Warn` would refuse it.', fix: 'The author of the rule writes `Deny` once it should refuse.' },
    ),
    warned(
      { verdict: 'allow', because: 'owner-waits', owners: [machine('my-vm', { isTerminating: true })], tolerated: nothing },
      { means: 'What refers to it is being deleted, owns it, and waits for it to go.', fix: 'Nothing.' },
    ),
    ...Object.entries(doubted).flatMap(([doubt, words]) =>
      words === undefined ? [] : [warned({ verdict: 'allow', because: 'in-doubt', doubt: doubt as Doubted }, words)],
    ),
  ];
}

const RULE = {
  cluster: sure(parseLogicalClusterName('compute')),
  path: sure(parseWorkspacePath('root:providers:compute')),
  name: 'vm-dependencies',
  enforcement: 'Deny',
  whileTerminating: 'Block',
} as const;
const TYPE = { group: 'compute.example.com', resource: 'virtualmachines', kind: 'VirtualMachine' };
const REFERENCE = { rule: RULE, type: TYPE, fieldPath: '.spec.vpcRef.name' };
const SUBJECT = {
  cluster: sure(parseLogicalClusterName('consumer')),
  group: 'network.example.com',
  version: 'v1alpha1',
  resource: 'vpcs',
  namespace: 'default',
  name: 'my-vpc',
  ownerUids: new Set<string>(),
  isTerminating: false,
  isBypassed: false,
};
const CONTEXT: AnswerContext = { subject: SUBJECT, caller: { username: 'alice', isThroughExport: false }, mode: 'enforcing' };

function machine(name: string, change: Partial<Dependent> = {}): Blocker {
  return { ...REFERENCE, dependent: { namespace: 'default', name, isTerminating: false, ...change } };
}

function inUse(blockers: readonly [Blocker, ...Blocker[]]): Denied {
  return { verdict: 'deny', because: 'in-use', blockers, isComplete: true, tolerated: { blockers: [], doubts: [], isComplete: true } };
}

function cannotTell(failure: LookupFailure, words: Words): Told {
  const doubt: Doubt = { ...REFERENCE, failure };
  return denied(
    { verdict: 'deny', because: 'cannot-tell', doubts: [doubt], tolerated: { blockers: [], doubts: [], isComplete: true } },
    words,
  );
}

function passing(code: FailedReadCode, means: string): Told {
  return cannotTell({ code, lasting: false }, { means, fix: AGAIN });
}

function denied(
  decision: Denied,
  words: Words,
  { caller, ignoredSkip }: { readonly caller?: AnswerContext['caller']; readonly ignoredSkip?: string } = {},
): Told {
  const subject = ignoredSkip === undefined ? SUBJECT : { ...SUBJECT, ignoredSkip };
  const answer = answerOf(decision, { ...CONTEXT, subject, ...(caller && { caller }) });
  if (answer.allowed) throw new Error(`bug: ${decision.because} is no refusal`);
  const { code, reason, message } = answer.status;
  return { text: message, status: `${String(code)} ${reason}`, ...words };
}

function warned(decision: Extract<Decision, { readonly verdict: 'allow' }>, words: Words): Told {
  const [text] = answerOf(decision, CONTEXT).warnings;
  if (text === undefined) throw new Error(`bug: ${decision.because} warns of nothing`);
  return { text, status: undefined, ...words };
}

function sure<T>(parsed: Parsed<T>): T {
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
}
