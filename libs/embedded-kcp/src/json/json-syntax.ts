// Reads JSON as Go does: the same errors in the same words, and the fields that a document repeats. JavaScript's own parser does the work; this scanner
// runs only to explain a failure or to find repeated fields.

/** The result of reading a document: its value, or Go's error text. */
export type ReadJson = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string };

/** Parses JSON; a problem is worded as Go's decoder words it. */
export function readJson(text: string): ReadJson {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    const scanner = new Scanner(text);
    try {
      scanner.document();
    } catch (error) {
      if (error instanceof SyntaxProblem) return { ok: false, problem: error.message };
      throw error;
    }
    return { ok: false, problem: 'invalid character in JSON input' };
  }
}

/** The fields that a valid document repeats, by path: `metadata.name`, `[0].op`. */
export function duplicateFields(text: string): readonly string[] {
  const scanner = new Scanner(text);
  scanner.document();
  return scanner.duplicates;
}

class SyntaxProblem extends Error {}

const BLANK = new Set([' ', '\t', '\r', '\n']);
const ESCAPES = new Set(['"', '\\', '/', 'b', 'f', 'n', 'r', 't']);

// What may stand in a string as it is.
const PLAIN = /[^"\\\u0000-\u001f]*/y;

class Scanner {
  readonly #text: string;
  readonly #duplicates = new Set<string>();
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get duplicates(): readonly string[] {
    return [...this.#duplicates];
  }

  document(): void {
    this.#value('');
    this.#skipBlanks();
    if (this.#at < this.#text.length) throw this.#unexpected('after top-level value');
  }

  #value(path: string): void {
    this.#skipBlanks();
    const next = this.#peek();
    if (next === '{') this.#object(path);
    else if (next === '[') this.#array(path);
    else if (next === '"') this.#string();
    else if (next === '-' || isDigit(next)) this.#number();
    else if (next === 't') this.#literal('true');
    else if (next === 'f') this.#literal('false');
    else if (next === 'n') this.#literal('null');
    else throw this.#unexpected('looking for beginning of value');
  }

  #object(path: string): void {
    const seen = new Set<string>();
    this.#at += 1;
    this.#skipBlanks();
    if (this.#take('}')) return;
    for (;;) {
      this.#skipBlanks();
      if (this.#peek() !== '"') throw this.#unexpected('looking for beginning of object key string');
      const key = this.#key();
      const here = path === '' ? key : `${path}.${key}`;
      if (seen.has(key)) this.#duplicates.add(here);
      seen.add(key);
      this.#skipBlanks();
      if (!this.#take(':')) throw this.#unexpected('after object key');
      this.#value(here);
      this.#skipBlanks();
      if (this.#take('}')) return;
      if (!this.#take(',')) throw this.#unexpected('after object key:value pair');
    }
  }

  #array(path: string): void {
    this.#at += 1;
    this.#skipBlanks();
    if (this.#take(']')) return;
    for (let index = 0; ; index += 1) {
      this.#value(`${path}[${index}]`);
      this.#skipBlanks();
      if (this.#take(']')) return;
      if (!this.#take(',')) throw this.#unexpected('after array element');
    }
  }

  #key(): string {
    const start = this.#at;
    this.#string();
    return JSON.parse(this.#text.slice(start, this.#at)) as string;
  }

  #string(): void {
    this.#at += 1;
    this.#skipPlain();
    while (this.#peek() !== '"') {
      if (this.#peek() < ' ') throw this.#unexpected('in string literal');
      if (this.#take('\\')) this.#escape();
      this.#skipPlain();
    }
    this.#at += 1;
  }

  // Most strings are long and plain: one step of the engine instead of one of ours per character.
  #skipPlain(): void {
    PLAIN.lastIndex = this.#at;
    PLAIN.test(this.#text);
    this.#at = PLAIN.lastIndex;
  }

  #escape(): void {
    if (this.#take('u')) {
      for (let digit = 0; digit < 4; digit += 1) {
        if (!/[0-9a-fA-F]/.test(this.#peek())) throw this.#unexpected('in \\u hexadecimal character escape');
        this.#at += 1;
      }
    } else {
      if (!ESCAPES.has(this.#peek())) throw this.#unexpected('in string escape code');
      this.#at += 1;
    }
  }

  #number(): void {
    this.#take('-');
    if (!this.#take('0')) this.#digits('in numeric literal');
    if (this.#take('.')) this.#digits('after decimal point in numeric literal');
    if (this.#take('e') || this.#take('E')) {
      if (!this.#take('+')) this.#take('-');
      this.#digits('in exponent of numeric literal');
    }
  }

  #digits(where: string): void {
    if (!isDigit(this.#peek())) throw this.#unexpected(where);
    while (this.#at < this.#text.length && isDigit(this.#peek())) this.#at += 1;
  }

  #literal(word: string): void {
    for (const expected of word) {
      // Go's decoder puts a blank behind the last byte, so that a word that ends too early is a wrong character.
      if (this.#text.charAt(this.#at) !== expected) throw this.#unexpected(`in literal ${word} (expecting '${expected}')`, ' ');
      this.#at += 1;
    }
  }

  #take(character: string): boolean {
    if (this.#text.charAt(this.#at) !== character) return false;
    this.#at += 1;
    return true;
  }

  #peek(): string {
    const character = this.#text.charAt(this.#at);
    if (character === '') throw new SyntaxProblem('unexpected end of JSON input');
    return character;
  }

  #skipBlanks(): void {
    while (BLANK.has(this.#text.charAt(this.#at))) this.#at += 1;
  }

  #unexpected(where: string, atEnd?: string): SyntaxProblem {
    const found = this.#text.charAt(this.#at);
    if (found === '' && atEnd === undefined) return new SyntaxProblem('unexpected end of JSON input');
    return new SyntaxProblem(`invalid character ${quoteCharacter(found === '' ? (atEnd ?? '') : found)} ${where}`);
  }
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9';
}

function quoteCharacter(character: string): string {
  if (character === "'") return `'\\''`;
  if (character === '"') return `'"'`;
  if (character >= ' ') return `'${character}'`;
  const named: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
  return `'${named[character] ?? `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`}'`;
}
