// The steps of a document as one bash script, run as a person would type them: one shell, one folder, what is left running beside it.
import { join } from 'node:path';
import type { DocumentStep } from './document-steps.js';

/** Where what a step printed, and how it ended, is written to. */
export function resultFiles(folder: string, step: number): { readonly printed: string; readonly code: string } {
  return { printed: join(folder, `step-${String(step)}.txt`), code: join(folder, `step-${String(step)}.code`) };
}

/** How often a step is tried that only asks whether something is ready, with a second between: until it is, and a leader is known. */
const ASKS = 60;

/**
 * The script. A step that shows nothing ends it when one of its commands fails. A step that stays running gets SIGINT where the document says
 * Ctrl-C, and at the latest when the script ends.
 */
export function walkScript(steps: readonly DocumentStep[], folder: string): string {
  const bodies = steps.map((step, at) => stepScript(step, resultFiles(folder, at)));
  // With job control a process that is left running is a group of its own, which hears SIGINT.
  return ['set -m', 'shopt -s expand_aliases', `trap 'test -z "$running" || kill -9 -- "-$running" 2>/dev/null' EXIT`, ...bodies, ''].join(
    '\n',
  );
}

function stepScript(
  { commands, shows, staysRunning, endsRunning }: DocumentStep,
  { printed, code }: ReturnType<typeof resultFiles>,
): string {
  const block = `{\n${commands}\n}`;
  const stop = endsRunning ? ['kill -INT -- "-$running"; wait "$running"; echo $? > "$ended"; running='] : [];
  // The file is there before the step starts: the next step may read it at once.
  if (staysRunning) return `: > ${quoted(printed)}\n${block} > ${quoted(printed)} 2>&1 < /dev/null &\nrunning=$!; ended=${quoted(code)}`;
  if (/\breadyz\b/.test(commands)) {
    const asked = `for _ in $(seq ${String(ASKS)}); do\n${block} > ${quoted(printed)} 2>&1; grep -q 'check passed' ${quoted(printed)} && ! grep -q 'not known yet' ${quoted(printed)} && break; sleep 1\ndone`;
    return [...stop, asked, `echo $? > ${quoted(code)}`].join('\n');
  }
  // A loop or list of commands that shows nothing: the first that fails is the result.
  const run = shows === undefined ? `failed=0; trap 'failed=1' ERR; set -E\n${block}` : block;
  const ended = shows === undefined ? `echo "$failed" > ${quoted(code)}; trap - ERR; set +E` : `echo $? > ${quoted(code)}`;
  return [...stop, `${run} > ${quoted(printed)} 2>&1 < /dev/null`, ended].join('\n');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
