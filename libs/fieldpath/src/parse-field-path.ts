import { notParsed, parsed, quote, type Parsed } from '@dep-ctrl/kcp-names';
import { EACH, fieldPathOf, type FieldPath, type PathStep } from './field-path.js';

// Grammar: [.]name | ['key'], then at least one of .name | [*] | ['key'].
// A quoted key holds anything but quotes, backslashes and control characters: no escapes to get wrong.
const NAME = '[A-Za-z_][A-Za-z0-9_]*';
const QUOTED = "\\['[^'\\\\\\x00-\\x1f\\x7f]+'\\]";

/** The grammar as a regular expression that RE2 and ECMAScript read alike. Accepts what `parseFieldPath` accepts, given the maximal length. */
export const FIELD_PATH_PATTERN = `^(\\.?${NAME}|${QUOTED})(\\.${NAME}|\\[\\*\\]|${QUOTED})+$`;

/** The most characters a path may have (Unicode code points, as Kubernetes counts them). */
export const FIELD_PATH_MAX_LENGTH = 512;

/** What is wrong with the text of a path. Columns count from 1. */
export interface FieldPathProblem {
  readonly column: number;
  /** What was expected at that column, as a phrase: `a field name`. */
  readonly expected: string;
  /** The whole sentence, one line. */
  readonly message: string;
}

const SEGMENT = new RegExp(`\\.(${NAME})|(\\[\\*\\])|\\['([^'\\\\\\x00-\\x1f\\x7f]+)'\\]`, 'y');
const STARTS_WITH_NAME = /^[A-Za-z_]/;

/**
 * Reads a reference path such as `.spec.vpcRef.name`, `.spec.disks[*].image` or `.metadata.labels['example.com/vpc']`.
 * The leading dot is optional; there are at least two segments; the first is a field, as objects are no arrays.
 */
export function parseFieldPath(text: string): Parsed<FieldPath, FieldPathProblem> {
  if (isTooLong(text)) {
    return notParsed(problem(text, FIELD_PATH_MAX_LENGTH + 1, `the end of the path (at most ${FIELD_PATH_MAX_LENGTH} characters)`));
  }
  const dotted = STARTS_WITH_NAME.test(text) ? `.${text}` : text;
  const addedDot = dotted.length - text.length;
  const steps: PathStep[] = [];
  let position = 0;
  while (position < dotted.length) {
    SEGMENT.lastIndex = position;
    const segment = SEGMENT.exec(dotted);
    const startsWithEach = position === 0 && segment?.[2] !== undefined;
    if (segment === null || startsWithEach) return notParsed(explain(text, position - addedDot, steps.length));
    steps.push(segment[1] ?? segment[3] ?? EACH);
    position = SEGMENT.lastIndex;
  }
  return steps.length >= 2 ? parsed(fieldPathOf(steps)) : notParsed(explain(text, text.length, steps.length));
}

function isTooLong(text: string): boolean {
  // A code point takes at most two UTF-16 units.
  return text.length > 2 * FIELD_PATH_MAX_LENGTH || Array.from(text).length > FIELD_PATH_MAX_LENGTH;
}

/** Says what the grammar wants where the segment at `start` (an index into the text) went wrong. */
function explain(text: string, start: number, segmentsBefore: number): FieldPathProblem {
  const first = text[start];
  if (first === undefined) {
    return segmentsBefore === 0
      ? problem(text, start + 1, 'a field name')
      : problem(text, start + 1, 'a second segment, such as ".name": a reference stands at least two segments deep');
  }
  if (first === '.') return problem(text, start + 2, `a field name (other keys are written ['my-key'])`);
  if (first === '[') return explainBracket(text, start, segmentsBefore);
  if (segmentsBefore === 0) return problem(text, start + 1, 'a field name');
  return problem(text, start + 1, `"." or "[" (keys with other characters are written ['my-key'])`);
}

function explainBracket(text: string, start: number, segmentsBefore: number): FieldPathProblem {
  const inside = text.slice(start + 1);
  if (segmentsBefore === 0 && !inside.startsWith("'"))
    return problem(text, start + 2, "a quoted key: a path starts with a field, as in ['key']");
  if (inside.startsWith('*')) return problem(text, start + 3, '"]"');
  if (!inside.startsWith("'")) return problem(text, start + 2, `"*" or a quoted key (every element counts; one element cannot be picked)`);
  const key = inside.slice(1);
  const parting = key.search(/['\\\x00-\x1f\x7f]/);
  const length = parting === -1 ? key.length : parting;
  const column = start + 3 + length;
  if (length === 0) return problem(text, column, 'a key between the quotes');
  if (key[length] === "'") return problem(text, column + 1, '"]"');
  return problem(text, column, `"'" that closes the key (quotes, backslashes and control characters cannot be part of it)`);
}

function problem(text: string, column: number, expected: string): FieldPathProblem {
  const character = text[column - 1];
  const found = character === undefined ? 'the end' : quote(character);
  return { column, expected, message: `${quote(text)} is not a field path: column ${column}: expected ${expected}, found ${found}` };
}
