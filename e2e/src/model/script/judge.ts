// Compares the answer to a delete with what the model expects.
import type { Expectation } from './expected.js';
import type { ObjectKey } from './state.js';

/** What kcp answered, as far as it is judged. */
export interface DeleteAnswer {
  readonly status: number;
  readonly text: string;
  /** The Warning header. */
  readonly warning: string;
}

/** `no answer`: a refusal that says that nobody can tell. */
export type Verdict = 'allowed' | 'allowed with a warning' | 'refused' | 'no answer';

/** What to make of an answer. `not yet`: asked again, it must become right. */
export type Judgement =
  { readonly is: 'right' } | { readonly is: 'not yet' | 'wrong allow' | 'unexplained refusal'; readonly problem: string };

const STILL = 'still referenced by ';

/** The kind of an answer. */
export function verdictOf({ status, text, warning }: DeleteAnswer): Verdict {
  if (status === 200) return warning.includes(STILL) ? 'allowed with a warning' : 'allowed';
  return status === 403 && text.includes(STILL) ? 'refused' : 'no answer';
}

/** Judges an answer about an object. `print` names a referrer as a refusal would that is about an object in that namespace. */
export function judge(
  expected: Expectation,
  answer: DeleteAnswer,
  print: (referrer: ObjectKey) => string,
  { isQuiet }: { readonly isQuiet: boolean },
): Judgement {
  const verdict = verdictOf(answer);
  const says = `${answer.status} ${answer.text.slice(0, 400)}`;
  if (verdict === 'no answer') {
    return expected.verdict === 'either' ? { is: 'right' } : { is: 'not yet', problem: `must be ${expected.verdict}, but is ${says}` };
  }
  if (verdict === 'refused') {
    const allowedNames = 'because' in expected && expected.verdict !== 'allowed with a warning' ? expected.because.map(print) : [];
    const { names, isComplete } = namesIn(answer.text);
    const foreign = names.filter((name) => !allowedNames.includes(name));
    const unnamed = allowedNames.filter((name) => !names.includes(name));
    const problem = `is refused because of ${names.join(', ')}, but what refers to it is ${allowedNames.join(', ') || 'nothing'}: ${says}`;
    if (foreign.length > 0) return { is: 'unexplained refusal', problem };
    return isQuiet && isComplete && unnamed.length > 0 ? { is: 'not yet', problem } : { is: 'right' };
  }
  if (expected.verdict === 'refused')
    return { is: 'wrong allow', problem: `is allowed, but held by ${expected.because.map(print).join(', ')}` };
  if (expected.verdict === 'either' || expected.verdict === verdict) return { is: 'right' };
  return { is: 'not yet', problem: `is ${verdict}, must be ${expected.verdict}` };
}

/** Whom a refusal names, without groups and remarks, and whether that is all of them. */
export function namesIn(text: string): { readonly names: readonly string[]; readonly isComplete: boolean } {
  const [, after = ''] = text.split(STILL);
  const [list = ''] = after.split(/, says rules? |; /);
  const isComplete = !/ and (possibly|\d+) more$/.test(list);
  const names = list.replace(/ and (possibly|\d+) more$/, '').split(', ');
  return { names: names.map((name) => name.replace(' (being deleted)', '').replace(/^(\w+)\.[^/]+/, '$1')), isComplete };
}
