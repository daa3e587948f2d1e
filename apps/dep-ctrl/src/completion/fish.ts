// Completion for fish. Pure.
import type { Completed, CompletedCommand, CompletedFlag, CompletedProgram } from './completed-command.js';

/** The script. */
export function fishCompletion({ flags, commands }: CompletedProgram): string {
  const lines = [
    '# fish completion for dep-ctrl. To use it: dep-ctrl completion fish | source',
    'complete -c dep-ctrl -f',
    ...flags.map((flag) => `complete -c dep-ctrl -n __fish_use_subcommand${flagOf(flag)}`),
    ...commands.flatMap(linesOf),
  ];
  return `${lines.join('\n')}\n`;
}

function linesOf({ names, about, flags, operand }: CompletedCommand): readonly string[] {
  const here = `complete -c dep-ctrl -n ${quoted(`__fish_seen_subcommand_from ${names.join(' ')}`)}`;
  return [
    ...names.map((name) => `complete -c dep-ctrl -n __fish_use_subcommand -a ${name} -d ${quoted(about)}`),
    ...flags.map((flag) => `${here}${flagOf(flag)}`),
    ...(operand.kind === 'files' ? [`${here} -F`] : []),
    ...(operand.kind === 'words' ? [`${here} -a ${quoted(operand.words.join(' '))}`] : []),
  ];
}

function flagOf({ short, long, about, value }: CompletedFlag): string {
  const names = [short === undefined ? '' : ` -s ${short.slice(1)}`, long === undefined ? '' : ` -l ${long.slice(2)}`].join('');
  return `${names}${takes(value)} -d ${quoted(about)}`;
}

function takes(value: Completed): string {
  switch (value.kind) {
    case 'nothing':
      return '';
    case 'text':
      return ' -x';
    case 'files':
      return ' -r -F';
    case 'folders':
      return " -x -a '(__fish_complete_directories)'";
    case 'words':
      return ` -x -a ${quoted(value.words.join(' '))}`;
    default:
      return value satisfies never;
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, '\\$&')}'`;
}
