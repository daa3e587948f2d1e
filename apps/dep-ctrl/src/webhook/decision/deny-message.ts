// Writes the answer to a review: one sentence and its causes for the caller, annotations for kcp's audit log. The same decision gives the same bytes on
// every replica.
import type { RefusalStatus, ReviewAnswer } from '@dep-ctrl/admission-server';
import { compareText, quote } from '@dep-ctrl/kcp-names';
import { GUARD_NAME, SKIP_ANNOTATION } from '@dep-ctrl/rule-registry';
import { STILL_REFERENCED } from '../../own-objects/refusal-cause.js';
import type { Caller, Subject } from './admission-review.js';
import { countBlockers, nameBlockers, printBlockers, shownBlockers, type ShownBlocker } from './blocker-ids.js';
import { describeDoubts, describeFailure } from './doubt-text.js';
import type { Blocker, Decision, Doubt, References } from './decide-deletion.js';
import { countedText, namedText } from './in-use-text.js';
import type { ReviewMode } from './review-target.js';

/** The request behind an answer. A review that could not be read has no subject. */
export interface AnswerContext {
  readonly subject: Subject | undefined;
  readonly caller: Caller | undefined;
  readonly mode: ReviewMode;
}

/** The answer to a review. */
export function answerOf(decision: Decision, context: AnswerContext): ReviewAnswer {
  const audit = auditOf(decision, context);
  if (decision.verdict === 'allow') return { allowed: true, warnings: warningsOf(decision, context), audit };
  const status = statusOf(decision, context);
  return { allowed: false, status: { ...status, message: `${status.message}${ignoredSkip(context)}` }, warnings: [], audit };
}

const APIBINDINGS = { group: 'apis.kcp.io', resource: 'apibindings' };

const RULES_NOT_BACK = `the rules are not back: dep-ctrl was installed anew, or the provider of its type unbound it; once all rules about the type are applied again, that provider runs dep-ctrl bind PATH --rules-are-back, or ends the protection: kubectl delete validatingwebhookconfiguration ${GUARD_NAME}`;

/** kcp's own user for teardown and garbage collection. It would wait for a Retry-After in one of its few workers. */
const API_SERVER = 'system:apiserver';
const RETRY_AFTER_SECONDS = 1;

function statusOf(decision: Extract<Decision, { verdict: 'deny' }>, context: AnswerContext): RefusalStatus {
  switch (decision.because) {
    case 'in-use':
      return inUse(decision, context);
    case 'cannot-tell': {
      const lasting = decision.doubts.filter(({ failure }) => failure.lasting);
      const reasons = describeDoubts(lasting.length > 0 ? lasting : decision.doubts);
      const whys = reasons.map(({ kind, why }) => `cannot tell whether a ${kind} still refers to it, as ${why}`);
      const remedies = [...new Set(reasons.map(({ remedy }) => remedy))];
      const message = `cannot delete ${printSubject(context)}: ${capped(whys)}; ${remedies.join('; ')}`;
      if (lasting.length === 0) return passing(message, context);
      return { code: 403, reason: 'Forbidden', message, details: detailsOf(context) };
    }
    case 'rules-unknown':
      return passing(
        `cannot delete ${printSubject(context)}: dep-ctrl has not read all rules about it yet; try again in a moment`,
        context,
      );
    case 'rules-not-back':
      return {
        code: 403,
        reason: 'Forbidden',
        message: `cannot delete ${printSubject(context)}: ${RULES_NOT_BACK}`,
        details: detailsOf(context),
      };
    case 'bindings-unknown': {
      if (decision.failure.lasting) return notExportedHere(context);
      const { why, remedy } = describeFailure(decision.failure, { type: APIBINDINGS, rule: '' });
      return passing(`cannot delete ${printSubject(context)}: cannot tell what is bound here, as ${why}; ${remedy}`, context);
    }
    case 'not-exported-here':
      return notExportedHere(context);
    case 'too-many':
      return passing(
        `cannot delete ${printSubject(context)}: too many deletions in this workspace are being checked; try again in a moment`,
        context,
      );
    case 'broken': {
      const message = `cannot delete ${printSubject(context)}: dep-ctrl failed while checking it; its log says why`;
      return { code: 500, reason: 'InternalError', message, details: detailsOf(context) };
    }
    case 'invalid-review':
      return { code: 400, reason: 'BadRequest', message: `cannot review this deletion: ${decision.problem}` };
    default:
      return decision satisfies never;
  }
}

/** The same text if the bindings cannot be read: a caller with the URL of another workspace must not learn whether such a consumer exists. */
function notExportedHere(context: AnswerContext): RefusalStatus {
  const why =
    'cannot tell whether its type is bound here from the provider in the webhook URL: it is not, or dep-ctrl may not read the APIBindings here';
  const message = `cannot delete ${printSubject(context)}: ${why}; the log of dep-ctrl tells its operator what is missing`;
  return { code: 403, reason: 'Forbidden', message, details: detailsOf(context) };
}

function inUse({ blockers, isComplete }: Extract<Decision, { because: 'in-use' }>, context: AnswerContext): RefusalStatus {
  const { shown, text } =
    context.caller?.isThroughExport === true ? countedText(blockers, isComplete) : namedText(blockers, isComplete, context);
  const message = `cannot delete ${printSubject(context)}: still referenced by ${text}`;
  const causes = shownBlockers(shown).map(({ id, fieldPath }) => ({
    reason: STILL_REFERENCED,
    message: id,
    field: fieldPath.replace(/^\./, ''),
  }));
  return { code: 403, reason: 'Forbidden', message, details: { ...detailsOf(context), causes } };
}

function passing(message: string, context: AnswerContext): RefusalStatus {
  const retry = context.caller?.username === API_SERVER ? {} : { retryAfterSeconds: RETRY_AFTER_SECONDS };
  return { code: 503, reason: 'ServiceUnavailable', message, details: { ...detailsOf(context), ...retry } };
}

// The same for both, so that a caller does not learn whether another workspace exists.
const NOT_SEEN_BOUND = 'cannot tell whether its type is bound here from the provider in the webhook URL';

const DOUBTS = {
  'rules-not-back': 'the rules of an earlier installation are not back yet',
  'rules-unknown': 'not all rules are read yet',
  'bindings-unknown': NOT_SEEN_BOUND,
  'not-exported-here': NOT_SEEN_BOUND,
  'too-many': 'too many deletions in this workspace are being checked',
  'invalid-review': 'the review is not valid',
  broken: 'dep-ctrl failed while checking',
} as const;

function warningsOf(decision: Extract<Decision, { verdict: 'allow' }>, context: AnswerContext): readonly string[] {
  const subject = printSubject(context);
  switch (decision.because) {
    case 'bypassed':
      return [`${subject} is not protected: it is annotated ${SKIP_ANNOTATION}=true`];
    case 'in-doubt':
      return [`${subject} was not checked for references: ${DOUBTS[decision.doubt]}`];
    case 'owner-waits': {
      const owners = printBlockers(present(decision.owners, true, context), { isComplete: true });
      const owned = `${subject} is still referenced by ${owners}: its ownerReferences name what refers to it as its owner, so the delete passes`;
      return [owned, ...toleratedWarnings(decision.tolerated, context)];
    }
    case 'tolerated':
      return toleratedWarnings(decision.tolerated, context);
    case 'no-dependents':
    case 'not-a-deletion':
    case 'not-guarded':
    case 'terminating':
      return [];
    default:
      return decision satisfies never;
  }
}

function toleratedWarnings({ blockers, doubts, isComplete }: References, context: AnswerContext): readonly string[] {
  const subject = printSubject(context);
  const warned = present(
    blockers.filter(({ rule }) => rule.enforcement === 'Warn'),
    isComplete,
    context,
  );
  const isSaid = ({ rule }: Doubt): boolean => context.mode !== 'enforcing' || rule.enforcement === 'Warn';
  return [
    ...(warned.length > 0 ? [`${subject} is still referenced by ${printBlockers(warned, { isComplete })}`] : []),
    ...describeDoubts(doubts.filter(isSaid)).map(({ kind, why }) => `cannot tell whether a ${kind} still refers to ${subject}, as ${why}`),
  ];
}

function auditOf(decision: Decision, { subject }: AnswerContext): Readonly<Record<string, string>> {
  if (decision.because === 'not-a-deletion' || decision.because === 'not-guarded') return {};
  const { blockers, doubts, isComplete } = referencesOf(decision);
  const rules = [...blockers, ...doubts].map(({ rule }) => (rule.path === undefined ? rule.name : `${rule.path}/${rule.name}`));
  const named = nameBlockers(blockers, subject ?? {});
  return {
    decision: isNotTold(decision) ? 'not-exported-here' : decision.because,
    ...(rules.length > 0 ? { rules: [...new Set(rules)].sort(compareText).join(',') } : {}),
    ...(named.length > 0 ? { 'referenced-by': printBlockers(named, { isComplete }) } : {}),
    ...(doubts.length > 0 ? { doubts: [...new Set(doubts.map(({ failure }) => failure.code))].sort(compareText).join(',') } : {}),
  };
}

/** The caller can read these annotations, too. */
function isNotTold(decision: Decision): boolean {
  return decision.because === 'bindings-unknown' && decision.failure.lasting;
}

function referencesOf(decision: Decision): References {
  if (!('tolerated' in decision)) return { blockers: [], doubts: [], isComplete: true };
  const { tolerated } = decision;
  if (decision.because === 'in-use') {
    const isComplete = decision.isComplete && tolerated.isComplete;
    return { blockers: [...decision.blockers, ...tolerated.blockers], doubts: tolerated.doubts, isComplete };
  }
  if (decision.because === 'owner-waits') return { ...tolerated, blockers: [...decision.owners, ...tolerated.blockers] };
  if (decision.because === 'cannot-tell') return { ...tolerated, doubts: [...decision.doubts, ...tolerated.doubts] };
  return tolerated;
}

function present(blockers: readonly Blocker[], isComplete: boolean, { subject, caller }: AnswerContext): readonly ShownBlocker[] {
  if (caller?.isThroughExport === true) return countBlockers(blockers, isComplete);
  return nameBlockers(blockers, subject ?? {});
}

function detailsOf({ subject }: AnswerContext): { readonly name?: string; readonly group?: string; readonly kind?: string } {
  return subject === undefined ? {} : { name: subject.name, group: subject.group, kind: subject.resource };
}

function printSubject({ subject }: AnswerContext): string {
  return subject === undefined ? 'this object' : `${subject.resource}/${subject.name}`;
}

/** For users who believe that their annotation lifts the protection. */
function ignoredSkip({ subject }: AnswerContext): string {
  if (subject?.ignoredSkip === undefined) return '';
  return `; its annotation ${SKIP_ANNOTATION} is ${quote(subject.ignoredSkip)}: only "true" lifts the protection`;
}

function capped(texts: readonly string[]): string {
  const shown = texts.slice(0, 3).join('; ');
  return texts.length > 3 ? `${shown} and ${texts.length - 3} more` : shown;
}
