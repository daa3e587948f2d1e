/**
 * What a parser answers: the typed value, or what is wrong with the text. Expected answers are values; parsers here never throw.
 * `P` is the shape of the problem; a sentence unless a parser has more to say.
 */
export type Parsed<T, P = string> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: P };

/** Wraps a value that was parsed. */
export function parsed<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

/** Wraps what is wrong with the input. */
export function notParsed<P>(problem: P): { readonly ok: false; readonly problem: P } {
  return { ok: false, problem };
}

/** The value of a text that is written in code: a wrong one is a bug. Throws a TypeError. */
export function literal<T>(answer: Parsed<T>): T {
  if (answer.ok) return answer.value;
  throw new TypeError(answer.problem);
}

/** Quotes a text for an error message: one line, at most 80 characters. */
export function quote(text: string): string {
  const quoted = JSON.stringify(text);
  return quoted.length <= 80 ? quoted : `${quoted.slice(0, 76)}…"`;
}
