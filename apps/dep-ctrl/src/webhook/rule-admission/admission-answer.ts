// The answers to authors of rules and guards, as text. Pure.
import type { ReviewAnswer } from '@dep-ctrl/admission-server';
import type { AdmissionDecision, AdmissionProblem } from './decide-admission.js';
import type { WrittenObject } from './written-object.js';

// A rule within its bounds has fewer problems. People do not read more than a screen.
const MOST_PROBLEMS = 100;

/**
 * The answer. kubectl hides the message of a 422 that has causes, so there are none: every problem stands in the text, one a line.
 */
export function admissionAnswer(decision: AdmissionDecision, { kind, name }: Pick<WrittenObject, 'kind' | 'name'>): ReviewAnswer {
  switch (decision.verdict) {
    case 'admit':
      return { allowed: true, warnings: decision.warnings, audit: {} };
    case 'refuse': {
      const what = `${kind === 'rule' ? 'DependencyRule' : 'DependencyGuard'} ${name}`;
      return refusal({ code: 422, reason: 'Invalid', message: `${what}: ${problemText(decision.problems)}` });
    }
    default:
      return decision satisfies never;
  }
}

/** The answer to what is no review of a rule or guard. */
export function unreadableAnswer(problem: string): ReviewAnswer {
  return refusal({ code: 400, reason: 'BadRequest', message: `the review cannot be read: ${problem}` });
}

/** The answer after a defect of our own: it is no problem of the rule. */
export const BROKEN_ANSWER: ReviewAnswer = refusal({
  code: 500,
  reason: 'InternalError',
  message: 'dep-ctrl could not check this: its log says why',
});

function problemText(problems: readonly AdmissionProblem[]): string {
  const lines = problems.slice(0, MOST_PROBLEMS).map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  const [only] = lines;
  if (problems.length === 1 && only !== undefined) return only;
  const more = problems.length > lines.length ? [`and ${problems.length - lines.length} more`] : [];
  return [`${problems.length} problems`, ...lines, ...more].join('\n- ');
}

function refusal(status: { readonly code: number; readonly reason: string; readonly message: string }): ReviewAnswer {
  return { allowed: false, status, warnings: [], audit: {} };
}
