// Parses of JSON only what stands on some paths, in pieces between which other work may go on. `JSON.parse` of 1.5 MB that an author chose for
// the purpose (empty arrays, keys that all differ, deep nesting) takes 0.1 to 0.25 s at one go; here what stands on no path costs a look at
// its bytes, and what stands on one never more than a piece at a time. For valid JSON the result is what a parse gives, without the rest.
import { EACH, type PathStep } from './field-path.js';
import { nodeAt, type Edge, type TreeNode } from './path-tree.js';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENS_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSES_ARRAY = 0x5d;
const OPENS_OBJECT = 0x7b;
const CLOSES_OBJECT = 0x7d;

/** In such a text something is escaped, or must be. */
const NOT_AS_WRITTEN = /[\\\x00-\x1f]/;

/** A tenth of a millisecond, and 2 ms where each byte or two is a value that is wanted. */
const PIECE_BYTES = 16 * 1024;

/** Where paths end, or part. */
interface WantedNode extends TreeNode<WantedNode> {
  readonly next: Map<PathStep, Edge<WantedNode>>;
  /** Everything below is wanted too. */
  isWhole: boolean;
}

/** Which paths are wanted with everything below them. */
export interface WholePaths {
  readonly whole: Iterable<readonly PathStep[]>;
}

/** Which part of the paths a value stands at: a node, or a place on the way to the next one. `everywhere`: all below is wanted. */
type Place = 'everywhere' | { readonly node: WantedNode } | { readonly edge: Edge<WantedNode>; readonly at: number };

/** An object or array that is being read. */
type Frame =
  | { readonly kind: 'object'; readonly place: Place; key: string; into: Record<string, unknown> | undefined }
  | { readonly kind: 'array'; readonly each: Place; readonly into: unknown[] };

// Of what holds nothing that is wanted there may be half a million: none of them is made.
const EMPTY_OBJECT: Readonly<Record<string, unknown>> = Object.freeze({});
const EMPTY_ARRAY: readonly unknown[] = Object.freeze([]);

/** Paths, made once for any number of texts. As large as there are paths, however long they are. */
export class JsonProjection {
  readonly #root: Place;

  /** `everything`: nothing is left out, and a parse is only cut into pieces. */
  constructor(paths: Iterable<readonly PathStep[]> | 'everything', { whole }: WholePaths = { whole: [] }) {
    if (paths === 'everything') {
      this.#root = 'everywhere';
      return;
    }
    const root = wantedNode();
    for (const steps of paths) nodeAt(root, steps, 0, steps.length, wantedNode);
    for (const steps of whole) nodeAt(root, steps, 0, steps.length, wantedNode).isWhole = true;
    this.#root = placeAt(root);
  }

  /**
   * The value, without what stands on no path: strings, numbers and the like stand where they did, objects and arrays at the end of a path are
   * empty (those of `whole` as they stood). Yields between pieces. Throws SyntaxError where something is no JSON, but does not look at what it leaves out.
   * The bytes must not change meanwhile; no part of the result refers to them. The caller must not write into the result.
   */
  *parse(bytes: Uint8Array): Generator<void, unknown> {
    const reading = new Reading(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), this.#root);
    while (!reading.goOn(PIECE_BYTES)) yield;
    return reading.result;
  }
}

/** One text, read as far as it was asked to. */
class Reading {
  readonly #bytes: Buffer;
  readonly #root: Place;
  readonly #frames: Frame[] = [];
  #at = 0;
  /** Nothing has been read of what was opened last. */
  #isFirst = false;
  /** How many brackets of a value that is left out are open. */
  #skipping = 0;
  #result: unknown;
  #state: 'begin' | 'within' | 'done' = 'begin';

  constructor(bytes: Buffer, root: Place) {
    this.#bytes = bytes;
    this.#root = root;
  }

  get result(): unknown {
    return this.#result;
  }

  /** Reads so many bytes more, or a little further. Answers whether that was all. */
  goOn(bytes: number): boolean {
    const until = this.#at + bytes;
    while (this.#state !== 'done' && this.#at < until) this.#step(until);
    return this.#state === 'done';
  }

  #step(until: number): void {
    if (this.#skipping > 0) {
      this.#skip(until);
      return;
    }
    if (this.#state === 'begin') {
      this.#state = 'within';
      this.#value(this.#root);
      return;
    }
    const frame = this.#frames.at(-1);
    if (frame === undefined) this.#end();
    else if (frame.kind === 'object') this.#member(frame);
    else this.#element(frame);
  }

  #end(): void {
    if (this.#next() !== undefined) throw this.#wrong();
    this.#state = 'done';
  }

  /** The next member of an object, or its end. */
  #member(frame: Frame & { kind: 'object' }): void {
    if (this.#closes(CLOSES_OBJECT)) {
      this.#give(frame.into ?? EMPTY_OBJECT);
      return;
    }
    frame.key = this.#string();
    if (this.#next() !== COLON) throw this.#wrong();
    this.#at += 1;
    const below = stepFrom(frame.place, frame.key);
    if (below === undefined) this.#leaveOut();
    else this.#value(below);
  }

  /** The next element of an array, or its end. */
  #element({ into, each }: Frame & { kind: 'array' }): void {
    if (this.#closes(CLOSES_ARRAY)) this.#give(into);
    else this.#value(each);
  }

  /** A value is read: it goes where it stood. */
  #give(value: unknown): void {
    const frame = this.#frames.at(-1);
    if (frame === undefined) this.#result = value;
    else if (frame.kind === 'object') put((frame.into ??= {}), frame.key, value);
    else frame.into.push(value);
  }

  /** Goes behind the comma before the next member or element; answers whether there is none, and what was open is closed. */
  #closes(bracket: number): boolean {
    const byte = this.#next();
    if (byte === bracket) {
      this.#at += 1;
      this.#frames.pop();
      this.#isFirst = false;
      return true;
    }
    if (this.#isFirst) this.#isFirst = false;
    else if (byte === COMMA) this.#at += 1;
    else throw this.#wrong();
    return false;
  }

  #value(place: Place): void {
    const byte = this.#next();
    if (byte === OPENS_OBJECT) {
      if (goesInto(place)) this.#open({ kind: 'object', place, key: '', into: undefined });
      else this.#giveEmpty(EMPTY_OBJECT);
    } else if (byte === OPENS_ARRAY) {
      const each = stepFrom(place, EACH);
      if (each === undefined) this.#giveEmpty(EMPTY_ARRAY);
      else this.#open({ kind: 'array', each, into: [] });
    } else this.#give(byte === QUOTE ? this.#string() : this.#word());
  }

  #giveEmpty(value: unknown): void {
    this.#give(value);
    this.#leaveOut();
  }

  #open(frame: Frame): void {
    this.#frames.push(frame);
    this.#at += 1;
    this.#isFirst = true;
  }

  /** Goes behind the value that begins here, or begins to. */
  #leaveOut(): void {
    const byte = this.#next();
    if (byte === QUOTE) this.#at = this.#endOfString();
    else if (byte === OPENS_OBJECT || byte === OPENS_ARRAY) {
      this.#at += 1;
      this.#skipping = 1;
    } else if (this.#endOfWord() === this.#at) throw this.#wrong();
    else this.#at = this.#endOfWord();
  }

  #skip(until: number): void {
    const bytes = this.#bytes;
    const { length } = bytes;
    let depth = this.#skipping;
    let at = this.#at;
    while (at < until && depth > 0) {
      if (at >= length) throw this.#wrong();
      const byte = bytes[at];
      at += 1;
      if (byte === QUOTE) {
        this.#at = at - 1;
        at = this.#endOfString();
      } else if (byte === OPENS_OBJECT || byte === OPENS_ARRAY) depth += 1;
      else if (byte === CLOSES_OBJECT || byte === CLOSES_ARRAY) depth -= 1;
    }
    this.#skipping = depth;
    this.#at = at;
  }

  #string(): string {
    if (this.#next() !== QUOTE) throw this.#wrong();
    const begin = this.#at;
    this.#at = this.#endOfString();
    const text = this.#bytes.toString('utf8', begin + 1, this.#at - 1);
    return NOT_AS_WRITTEN.test(text) ? (JSON.parse(`"${text}"`) as string) : text;
  }

  #word(): unknown {
    const begin = this.#at;
    this.#at = this.#endOfWord();
    return JSON.parse(this.#bytes.toString('latin1', begin, this.#at)) as unknown;
  }

  #endOfString(): number {
    const bytes = this.#bytes;
    const { length } = bytes;
    for (let at = this.#at + 1; at < length; at += 1) {
      const byte = bytes[at];
      if (byte === QUOTE) return at + 1;
      if (byte === BACKSLASH) at += 1;
    }
    throw this.#wrong();
  }

  /** Numbers, `true`, `false` and `null` end where a value may end. */
  #endOfWord(): number {
    let at = this.#at;
    for (;;) {
      const byte = this.#bytes[at];
      if (byte === undefined || byte <= 0x20 || byte === COMMA || byte === CLOSES_OBJECT || byte === CLOSES_ARRAY) return at;
      at += 1;
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

  #wrong(): SyntaxError {
    return new SyntaxError(`no JSON at byte ${this.#at}`);
  }
}

function wantedNode(): WantedNode {
  return { next: new Map(), isWhole: false };
}

function goesInto(place: Place): boolean {
  if (place === 'everywhere') return true;
  return 'node' in place ? place.node.next.size > 0 : typeof place.edge.steps[place.at] === 'string';
}

/** Where the paths go from a place with one more step; undefined: nowhere. */
function stepFrom(place: Place, step: PathStep): Place | undefined {
  if (place === 'everywhere') return place;
  if ('node' in place) {
    const edge = place.node.next.get(step);
    return edge === undefined ? undefined : placeOn(edge, edge.from + 1);
  }
  return place.edge.steps[place.at] === step ? placeOn(place.edge, place.at + 1) : undefined;
}

function placeOn(edge: Edge<WantedNode>, at: number): Place {
  return at === edge.to ? placeAt(edge.node) : { edge, at };
}

function placeAt(node: WantedNode): Place {
  return node.isWhole ? 'everywhere' : { node };
}

/** As a parse does: a prototype is never set, and of two members of one name the later one counts. */
function put(into: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(into, key, { value, enumerable: true, configurable: true });
  else into[key] = value;
}
