import { stringify } from 'yaml';
import type { Output } from './command.js';
import { plainText } from './plain-text.js';

/** Prints the result of a command: as data where -o asks for it, otherwise as text for people, of which no line commands their terminal. */
export function printResult<T extends object>(
  result: T,
  {
    output,
    stdout,
    asText,
  }: { readonly output: 'json' | 'yaml' | undefined; readonly stdout: Output; readonly asText: (result: T) => string },
): void {
  if (output === 'json') stdout.write(`${JSON.stringify(result, undefined, 2)}\n`);
  else if (output === 'yaml') stdout.write(stringify(result));
  else stdout.write(asText(result).split('\n').map(plainText).join('\n'));
}
