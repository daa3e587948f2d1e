// Makes bad input of good: JSON values are changed at a random place, then their bytes may be changed too.

import type { Chance } from './chance.js';

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

const NASTY: readonly [Json, ...Json[]] = [
  null,
  true,
  0,
  -1,
  1e400,
  '',
  ' ',
  'true',
  'DELETE',
  'delete',
  '__proto__',
  'constructor',
  '../..',
  'a/b',
  'root:a',
  'root::a',
  '*',
  'system:admin',
  "['a.b']",
  '[*]',
  '.a[*].b',
  '\u0000',
  '\ud800',
  'é\u202e',
  'x'.repeat(300),
  [],
  {},
  [[]],
  [null],
  { __proto__: null },
];
const NASTY_TEXTS: readonly [string, ...string[]] = [
  '',
  ' ',
  '.',
  '..',
  '/',
  ':',
  "'",
  '[',
  ']',
  '[*]',
  '[0]',
  '%',
  '?',
  '*',
  '\\',
  '__proto__',
  '\u0000',
  'é',
  'x'.repeat(300),
];
const NASTY_KEYS: readonly [string, ...string[]] = [
  '',
  '__proto__',
  'constructor',
  'toString',
  'uid',
  'name',
  'metadata',
  'annotations',
  'spec',
];

/** The value with one to four changes. */
export function mutate(value: Json, chance: Chance): Json {
  let mutated = value;
  for (let changes = 1 + chance.below(4); changes > 0; changes--) mutated = changeSomewhere(mutated, chance);
  return mutated;
}

/** The text with one to four changes. */
export function mutateText(text: string, chance: Chance): string {
  let mutated = text;
  for (let changes = 1 + chance.below(4); changes > 0; changes--) mutated = changeText(mutated, chance);
  return mutated;
}

/** The bytes with a few of them changed, cut off, doubled or none. */
export function mutateBytes(bytes: Buffer, chance: Chance): Buffer {
  switch (chance.below(8)) {
    case 0:
      return bytes.subarray(0, chance.below(bytes.length + 1));
    case 1:
      return Buffer.concat([bytes, bytes.subarray(chance.below(bytes.length + 1))]);
    case 2: {
      const flipped = Buffer.from(bytes);
      for (let flips = 1 + chance.below(5); flips > 0 && flipped.length > 0; flips--)
        flipped[chance.below(flipped.length)] = chance.below(256);
      return flipped;
    }
    default:
      return bytes;
  }
}

function changeSomewhere(value: Json, chance: Chance): Json {
  if (Array.isArray(value)) return value.length === 0 || chance.below(6) === 0 ? changeArray(value, chance) : changeElement(value, chance);
  if (typeof value !== 'object' || value === null) return changeLeaf(value, chance);
  const keys = Object.keys(value);
  const key = keys[chance.below(keys.length)];
  if (key === undefined || chance.below(6) === 0) return changeObject(value as Record<string, Json>, key, chance);
  const object = value as Record<string, Json>;
  return { ...object, [key]: changeSomewhere(object[key] ?? null, chance) };
}

function changeElement(values: readonly Json[], chance: Chance): Json {
  const at = chance.below(values.length);
  return values.map((each, index) => (index === at ? changeSomewhere(each, chance) : each));
}

function changeArray(values: readonly Json[], chance: Chance): Json {
  switch (chance.below(4)) {
    case 0:
      return values.slice(1);
    case 1:
      return values.concat(values);
    case 2:
      return values.concat([chance.pick(NASTY)]);
    default:
      return chance.pick(NASTY);
  }
}

function changeObject(object: Readonly<Record<string, Json>>, key: string | undefined, chance: Chance): Json {
  const entries = Object.entries(object);
  switch (chance.below(4)) {
    case 0:
      return Object.fromEntries(entries.filter(([each]) => each !== key));
    case 1:
      return fromEntries([...entries, [chance.pick(NASTY_KEYS), chance.pick(NASTY)]]);
    case 2:
      return fromEntries(entries.map(([each, of]) => [each === key ? chance.pick(NASTY_KEYS) : each, of]));
    default:
      return chance.pick(NASTY);
  }
}

function changeLeaf(leaf: null | boolean | number | string, chance: Chance): Json {
  return typeof leaf !== 'string' || chance.below(2) === 0 ? chance.pick(NASTY) : changeText(leaf, chance);
}

function changeText(text: string, chance: Chance): string {
  const at = chance.below(text.length + 1);
  return `${text.slice(0, at)}${chance.pick(NASTY_TEXTS)}${text.slice(at + chance.below(3))}`;
}

// Own keys only: assigning `__proto__` would set the prototype, as no JSON parser does.
function fromEntries(entries: readonly (readonly [string, Json])[]): Json {
  return Object.fromEntries(entries);
}
