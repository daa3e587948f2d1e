// Finds the elements of an array in a page of raw JSON without parsing them, so that only those that matter are parsed. Walks the page
// byte by byte from its start: what is a string and how deep it stands follows from everything before it, never from how it looks, as
// objects hold objects. For valid JSON the elements are exactly those that a parse would give; whatever is unusual, and brackets that do
// not match, are left to a parse of the whole.
import { placesOf } from './could-hold.js';

/** The elements of an array, where they stand in the page. */
export interface Elements {
  readonly count: number;
  /** Which of them may hold a string that equals the name, in order. Others certainly do not. */
  holding(name: string): readonly number[];
  /** The JSON text of one: a view, not a copy. */
  bytes(index: number): Buffer;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENS_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSES_ARRAY = 0x5d;
const OPENS_OBJECT = 0x7b;
const CLOSES_OBJECT = 0x7d;

interface Span {
  readonly begin: number;
  /** Behind the last byte. */
  readonly end: number;
}

/** Half a millisecond. */
const PIECE_BYTES = 64 * 1024;

/**
 * The objects in the array at a key of the page's root; undefined where only a parse of the whole can tell. Yields between pieces.
 * Looks at the page again when asked for a text: it must not change meanwhile.
 */
export function* elementsOf(page: Uint8Array, key: string): Generator<void, Elements | undefined> {
  const bytes = Buffer.from(page.buffer, page.byteOffset, page.byteLength);
  const spans = yield* new PageWalk(bytes).elements(key);
  if (spans === undefined) return undefined;
  return {
    count: spans.length,
    holding: (name) => {
      const places = placesOf(bytes, name);
      return places === 'anywhere' ? spans.map((_, index) => index) : indicesOf(spans, places);
    },
    bytes: (index) => bytes.subarray(spans[index]?.begin ?? 0, spans[index]?.end ?? 0),
  };
}

/** Places outside of all elements are of none. */
function indicesOf(spans: readonly Span[], places: readonly number[]): readonly number[] {
  const found: number[] = [];
  let index = 0;
  for (const place of places.toSorted((a, b) => a - b)) {
    while ((spans[index]?.end ?? Infinity) <= place) index += 1;
    if ((spans[index]?.begin ?? Infinity) <= place && found.at(-1) !== index) found.push(index);
  }
  return found;
}

/** A walk over one page. Every step answers whether the page goes on as expected. */
class PageWalk {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** The elements of the root's array at the key. */
  *elements(key: string): Generator<void, readonly Span[] | undefined> {
    let found: Span[] | undefined;
    if (this.#next() !== OPENS_OBJECT) return undefined;
    do {
      this.#at += 1;
      const name = this.#key();
      if (name === undefined || this.#next() !== COLON) return undefined;
      this.#at += 1;
      if (name !== key) {
        if (!this.#skipValue()) return undefined;
      } else if (found === undefined) {
        found = yield* this.#objects();
        if (found === undefined) return undefined;
      } else return undefined; // of two arrays a parse takes the last
    } while (this.#next() === COMMA);
    if (this.#next() !== CLOSES_OBJECT) return undefined;
    this.#at += 1;
    return this.#next() === undefined ? found : undefined;
  }

  /** A key as it is written; one with an escape may mean any. */
  #key(): string | undefined {
    if (this.#next() !== QUOTE) return undefined;
    const begin = this.#at + 1;
    if (!this.#skipString()) return undefined;
    const key = this.#bytes.toString('utf8', begin, this.#at - 1);
    return key.includes('\\') ? undefined : key;
  }

  *#objects(): Generator<void, Span[] | undefined> {
    if (this.#next() !== OPENS_ARRAY) return undefined;
    this.#at += 1;
    const spans: Span[] = [];
    if (this.#next() === CLOSES_ARRAY) {
      this.#at += 1;
      return spans;
    }
    for (let yieldAt = PIECE_BYTES; ;) {
      if (this.#next() !== OPENS_OBJECT) return undefined;
      const begin = this.#at;
      if (!this.#skipBrackets()) return undefined;
      if (this.#at >= yieldAt) {
        yield;
        yieldAt = this.#at + PIECE_BYTES;
      }
      spans.push({ begin, end: this.#at });
      const mark = this.#next();
      this.#at += 1;
      if (mark === CLOSES_ARRAY) return spans;
      if (mark !== COMMA) return undefined;
    }
  }

  /** The next byte that is no white space; undefined at the end. */
  #next(): number | undefined {
    for (;;) {
      const byte = this.#bytes[this.#at];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return byte;
      this.#at += 1;
    }
  }

  #skipValue(): boolean {
    const byte = this.#next();
    if (byte === QUOTE) return this.#skipString();
    if (byte === OPENS_OBJECT || byte === OPENS_ARRAY) return this.#skipBrackets();
    const begin = this.#at;
    while (isOfWord(this.#bytes[this.#at])) this.#at += 1;
    return this.#at > begin;
  }

  #skipString(): boolean {
    this.#at = endOfString(this.#bytes, this.#at);
    return this.#at !== 0;
  }

  #skipBrackets(): boolean {
    this.#at = endOfBrackets(this.#bytes, this.#at);
    return this.#at !== 0;
  }
}

/** Numbers, `true`, `false` and `null` are made of letters, digits, signs and dots. */
function isOfWord(byte: number | undefined): boolean {
  return byte !== undefined && (byte === 0x2b || byte === 0x2d || byte === 0x2e || /\w/u.test(String.fromCharCode(byte)));
}

/** Behind the quote that ends the string which begins at `from`; 0: none does. */
function endOfString(bytes: Buffer, from: number): number {
  const { length } = bytes;
  for (let at = from + 1; at < length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) return at + 1;
    if (byte === BACKSLASH) at += 1;
  }
  return 0;
}

/** Behind the bracket that closes the one at `from`, all in between matching; 0: none does. */
function endOfBrackets(bytes: Buffer, from: number): number {
  const { length } = bytes;
  const closing: number[] = [];
  for (let at = from; at < length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = endOfString(bytes, at) - 1;
      if (at === -1) return 0;
    } else if (byte === OPENS_OBJECT) closing.push(CLOSES_OBJECT);
    else if (byte === OPENS_ARRAY) closing.push(CLOSES_ARRAY);
    else if (byte === CLOSES_OBJECT || byte === CLOSES_ARRAY) {
      if (closing.pop() !== byte) return 0;
      if (closing.length === 0) return at + 1;
    }
  }
  return 0;
}
