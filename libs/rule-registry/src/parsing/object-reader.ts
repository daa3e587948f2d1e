import { isRecord, notParsed, parsed, quote, type Parsed } from '@dep-ctrl/kcp-names';
import { problemOfName, type NameGrammar } from './name-grammar.js';
import type { NonEmpty } from '../rules/rule.js';

/** Something wrong with an object, and where. */
export interface ObjectProblem<R extends string = string> {
  /** Where in the object: `.spec.dependencies[0].fieldRef.path`. */
  readonly path: string;
  /** A phrase that reads on from the path, one line. */
  readonly message: string;
  readonly reason: R;
}

/** What `ObjectReader` itself finds: the schema would refuse the same. */
export const INVALID = 'Invalid';

/**
 * Reads the fields of an unknown JSON object and collects everything that is wrong with them, in the order of reading.
 * Reads own data properties only: prototypes and getters are not JSON. A reader of something that is no object reads nothing.
 */
export class ObjectReader<R extends string = string> {
  readonly path: string;
  readonly #value: unknown;
  readonly #problems: ObjectProblem<R | typeof INVALID>[];

  constructor(value: unknown, path: string, problems: ObjectProblem<R | typeof INVALID>[]) {
    this.#value = value;
    this.path = path;
    this.#problems = problems;
  }

  /** The raw value of a field, or undefined. */
  raw(key: string): unknown {
    return ownValue(this.#value, key);
  }

  /** A required object. */
  object(key: string): ObjectReader<R> | undefined {
    const value = this.raw(key);
    if (isRecord(value)) return new ObjectReader(value, `${this.path}.${key}`, this.#problems);
    this.#reportType(key, value, 'an object');
    return undefined;
  }

  /** The first `most` of a required, non-empty array of objects; an element that is none is a problem and undefined. */
  objects(key: string, most: number): readonly (ObjectReader<R> | undefined)[] {
    const value = this.raw(key);
    if (!Array.isArray(value)) {
      this.#reportType(key, value, 'an array');
      return [];
    }
    if (value.length === 0) this.report(`.${key}`, 'is empty: expected at least one entry', INVALID);
    return Array.from({ length: Math.min(value.length, most) }, (_, index) => {
      const element = ownValue(value, String(index));
      const at = `.${key}[${index}]`;
      if (isRecord(element)) return new ObjectReader<R>(element, `${this.path}${at}`, this.#problems);
      this.report(at, `expected an object, found ${describe(element)}`, INVALID);
      return undefined;
    });
  }

  /** A required text. */
  text(key: string, expected: string): string | undefined {
    const value = this.raw(key);
    if (typeof value === 'string') return value;
    this.#reportType(key, value, expected);
    return undefined;
  }

  /** A required text that follows a grammar. */
  name(key: string, grammar: NameGrammar): string | undefined {
    const text = this.text(key, grammar.expected);
    const problem = text === undefined ? undefined : problemOfName(text, grammar);
    if (problem === undefined) return text;
    this.report(`.${key}`, problem, INVALID);
    return undefined;
  }

  /** One of a few texts. */
  oneOf<T extends string>(key: string, allowed: readonly T[]): T | undefined {
    const value = this.raw(key);
    const known = allowed.find((candidate) => candidate === value);
    if (known !== undefined) return known;
    const expected = allowed.map((text) => quote(text)).join(' or ');
    if (typeof value === 'string') this.report(`.${key}`, `expected ${expected}, found ${quote(value)}`, INVALID);
    else this.#reportType(key, value, expected);
    return undefined;
  }

  /** Adds a problem at a place below this object. */
  report(at: string, message: string, reason: R | typeof INVALID): void {
    this.#problems.push({ path: `${this.path}${at}`, message, reason });
  }

  #reportType(key: string, value: unknown, expected: string): void {
    const message = value === undefined ? `is required: ${expected}` : `expected ${expected}, found ${describe(value)}`;
    this.report(`.${key}`, message, INVALID);
  }
}

/** The answer of a parser: its value, or all problems when there is one. */
export function answer<T, R extends string>(
  value: T | undefined,
  problems: readonly ObjectProblem<R>[],
): Parsed<T, NonEmpty<ObjectProblem<R>>> {
  const [first, ...others] = problems;
  if (first !== undefined) return notParsed([first, ...others]);
  if (value === undefined) throw new Error('bug: an object was refused without a problem');
  return parsed(value);
}

/** A value's own data property. */
export function ownValue(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, key)?.value;
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
