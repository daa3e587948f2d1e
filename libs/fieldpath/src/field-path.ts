declare const fieldPath: unique symbol;

/** The step that goes to every element of an array: `[*]`. */
export const EACH: unique symbol = Symbol('[*]');

/** One step of a path: into an object by key, or to every element of an array. */
export type PathStep = string | typeof EACH;

/**
 * A reference path that was parsed: where in an object the name of another object stands.
 * Two paths are the same when their `text` is.
 */
export interface FieldPath {
  /** The canonical spelling, as `printFieldPath` gives it. */
  readonly text: string;
  readonly steps: readonly PathStep[];
  /** Whether the path holds a `[*]` and so may lead to several values in one object. */
  readonly fansOut: boolean;
  readonly [fieldPath]: true;
}

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** The canonical spelling of a path: a leading dot, quotes only where a key needs them. */
export function printFieldPath(path: FieldPath): string {
  return path.text;
}

/** Makes a path of steps. Not exported from the library: only the parser knows that steps are well formed. */
export function fieldPathOf(steps: readonly PathStep[]): FieldPath {
  return { text: steps.map(printStep).join(''), steps, fansOut: steps.includes(EACH) } as FieldPath;
}

/** How one step is spelled. Steps one after the other spell a path. */
export function printStep(step: PathStep): string {
  if (step === EACH) return '[*]';
  return IDENTIFIER.test(step) ? `.${step}` : `['${step}']`;
}
