// What Stryker's report of one group says: how many mutants the specs noticed, and which ones lived.
import { createHash } from 'node:crypto';

/**
 * A mutant that no spec noticed. Told by what it changes and where that stands, not by line numbers, so that it is the same one tomorrow.
 * @typedef {{ file: string, mutator: string, line: string, change: string }} Survivor
 */

/** @typedef {{ date: string, node: string, sources?: Record<string, string>, killed: number, timedOut: number, survivors: readonly Survivor[] }} GroupResult */

/**
 * @param {{ files: Record<string, { source: string, mutants: readonly any[] }> }} report
 * @param {{ date: string, node: string }} when
 * @returns {GroupResult}
 */
export function resultOf(report, when) {
  const mutants = Object.entries(report.files).flatMap(([file, { source, mutants }]) =>
    mutants.map((mutant) => ({ ...mutant, file, lines: source.split('\n') })),
  );
  const broken = mutants.filter(({ status }) => !['Killed', 'Timeout', 'Survived', 'NoCoverage'].includes(status));
  if (broken.length > 0) throw new Error(`${broken[0].file}: a mutant ended as ${broken[0].status}: ${broken[0].statusReason ?? ''}`);
  const count = (/** @type {string} */ wanted) => mutants.filter(({ status }) => status === wanted).length;
  return {
    ...when,
    sources: Object.fromEntries(Object.entries(report.files).map(([file, { source }]) => [file, digest(source)])),
    killed: count('Killed'),
    timedOut: count('Timeout'),
    survivors: mutants.filter(({ status }) => status === 'Survived' || status === 'NoCoverage').map(survivor),
  };
}

/**
 * Whether the sources that were mutated are still as they were. Results from before this was noted are not known to be.
 * @param {GroupResult} result
 * @param {(file: string) => string | undefined} read
 */
export function isCurrent({ sources }, read) {
  return sources !== undefined && Object.entries(sources).every(([file, was]) => digest(read(file) ?? '') === was);
}

/** @param {string} source */
function digest(source) {
  return createHash('sha256').update(source).digest('hex').slice(0, 12);
}

/** @returns {Survivor} */
function survivor({ file, mutatorName, lines, location: { start, end }, replacement }) {
  const original = lines.slice(start.line - 1, end.line);
  original[original.length - 1] = original.at(-1).slice(0, end.column - 1);
  original[0] = original[0].slice(start.column - 1);
  return {
    file,
    mutator: mutatorName,
    line: lines[start.line - 1].trim(),
    change: `${excerpt(original.join('\n'))} → ${excerpt(replacement)}`,
  };
}

function excerpt(text) {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= 70 ? line : `${line.slice(0, 50)} … ${line.slice(-17)}`;
}

/** One string per mutant that is told apart. Two on lines of the same text have the same one. */
export function keyOf({ file, mutator, line, change }) {
  return [file, mutator, line, change].join('\n');
}

/** In percent, rounded down: 100 means all. */
export function score({ killed, timedOut, survivors }) {
  const noticed = killed + timedOut;
  return Math.floor((1000 * noticed) / (noticed + survivors.length)) / 10;
}

/**
 * Survivors without a reason, and reasons without a survivor in the groups that have a result. Each reason stands for one mutant.
 * @param {Record<string, GroupResult>} results
 * @param {readonly (Survivor & { reason: string })[]} reasons
 */
export function compare(results, reasons) {
  const left = [...reasons];
  const unexplained = Object.values(results)
    .flatMap(({ survivors }) => survivors)
    .filter((lived) => {
      const at = left.findIndex((reason) => keyOf(reason) === keyOf(lived));
      if (at !== -1) left.splice(at, 1);
      return at === -1;
    });
  return { unexplained, outdated: left };
}
