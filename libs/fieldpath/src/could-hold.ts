// Rules a page of raw JSON out without parsing it. Sound for every JSON text in UTF-8, whoever wrote it: a false answer means that no
// string in it equals a name. It looks for the name between quotes, byte by byte, and for `\uXXXX` escapes that could spell one of the
// name's characters. Not exact: a true answer only means that the page is worth parsing.

const BACKSLASH = 0x5c;

// Beyond this many passes over the bytes, parsing is cheaper (a pass costs a twentieth of a parse or more).
const MOST_NAMES = 16;

/**
 * Whether a page of raw JSON may hold a string that equals one of the names. `false` is certain; `true` means parse it.
 * Uses the global `Buffer`, as its search is twenty times faster than a parse.
 */
export function couldHold(page: Uint8Array, names: string | readonly string[]): boolean {
  const wanted = typeof names === 'string' ? [names] : names;
  if (wanted.length > MOST_NAMES || wanted.some(mayBeWrittenInManyWays)) return true;
  const bytes = Buffer.from(page.buffer, page.byteOffset, page.byteLength);
  return wanted.some((name) => bytes.includes(`"${name}"`)) || escapesACharacterOf(bytes, wanted);
}

/** Characters with a short escape (`\n`, `\/`), and those that broken UTF-8 turns into. No name of a Kubernetes object has one. */
function mayBeWrittenInManyWays(name: string): boolean {
  return /[\x00-\x1f"\\/\ufffd]|\p{Surrogate}/u.test(name);
}

/** Whether some `\uXXXX` on the page spells a UTF-16 unit of a name. Go writes such escapes for `<`, `>`, `&` and a few more only. */
function escapesACharacterOf(bytes: Buffer, names: readonly string[]): boolean {
  let at = bytes.indexOf(BACKSLASH);
  if (at === -1) return false;
  const units = new Set(names.flatMap((name) => Array.from({ length: name.length }, (_, index) => name.charCodeAt(index))));
  for (at = bytes.indexOf('\\u', at); at !== -1; at = bytes.indexOf('\\u', at + 2)) {
    if (units.has(Number.parseInt(bytes.toString('latin1', at + 2, at + 6), 16))) return true;
  }
  return false;
}
