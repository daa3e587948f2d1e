// docs/mutation.md: its words are written by hand, what stands between the marks comes from the results and the reasons.
import { isCurrent, keyOf, score } from './survivors.mjs';

/** Puts the scores and the survivors between their marks. */
export function filledPage(page, results, reasons, readSource) {
  return between(between(page, 'scores', scores(results, readSource)), 'survivors', survivors(results, reasons));
}

function between(page, mark, text) {
  const [begin, end] = [`<!-- ${mark} -->`, `<!-- end of ${mark} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`docs/mutation.md has no ${begin} … ${end}`);
  return `${page.slice(0, from + begin.length)}\n\n${text}\n\n${page.slice(to)}`;
}

function scores(results, readSource) {
  const ranOn = (result) => `${isCurrent(result, readSource) ? '' : '_stale_ '}${result.date}`;
  const rows = Object.entries(results).map(([group, result]) =>
    row([group, total(result), result.killed, result.timedOut, result.survivors.length, `${score(result)} %`, result.node, ranOn(result)]),
  );
  return [row(['group', 'mutants', 'killed', 'timed out', 'survived', 'score', 'Node', 'ran on']), row(Array(8).fill('---')), ...rows].join(
    '\n',
  );
}

function total({ killed, timedOut, survivors }) {
  return killed + timedOut + survivors.length;
}

function survivors(results, reasons) {
  const lived = Object.values(results).flatMap((result) => result.survivors);
  const files = [...new Set(lived.map(({ file }) => file))].sort();
  if (files.length === 0) return 'None.';
  return files
    .map((file) => {
      const lines = lived.filter((each) => each.file === file).map((each) => item(each, reasons));
      return `### ${file}\n\n${[...new Set(lines)].join('\n')}`;
    })
    .join('\n\n');
}

function item(lived, reasons) {
  const known = reasons.find((each) => keyOf(each) === keyOf(lived));
  return `- ${code(lived.change)} in ${code(lived.line)}: ${known?.reason ?? '**no reason yet**'}`;
}

function row(cells) {
  return `| ${cells.join(' | ')} |`;
}

function code(text) {
  const fence = text.includes('`') ? '``' : '`';
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${fence}${space}${text}${space}${fence}`;
}
