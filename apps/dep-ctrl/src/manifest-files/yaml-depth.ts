// How deep a YAML text may be nested. Pure.
import { Lexer, Parser } from 'yaml';

/** The composer of YAML calls itself for each level. Where that overflows within a regular expression, V8 ends the process, and no catch stops it. */
export const DEEPEST = 256;

/** Whether maps and lists stand in each other deeper than anybody means. The parser before the composer keeps its own stack. */
export function isTooDeep(yaml: string): boolean {
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(yaml)) {
    // Has it take the lexeme; what it gives is not needed.
    Array.from(parser.next(lexeme));
    if (parser.stack.length > DEEPEST) return true;
  }
  return false;
}
