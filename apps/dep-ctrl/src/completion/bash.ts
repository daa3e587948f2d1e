// Completion for bash, from 3.2 on, as macOS has it. Pure.
import type { Completed, CompletedCommand, CompletedProgram } from './completed-command.js';

/** The script. */
export function bashCompletion({ flags, commands }: CompletedProgram): string {
  const first = [...commands.flatMap(({ names }) => names), ...flags.flatMap(spellings)];
  return `# bash completion for dep-ctrl. To use it: source <(dep-ctrl completion bash)
_dep_ctrl_offer() {
  local word
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen "$@" -- "$cur")
}

_dep_ctrl_files() {
  compopt -o filenames 2>/dev/null || :
  _dep_ctrl_offer "$1"
}

_dep_ctrl() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} flags=
  COMPREPLY=()
  # Of --flag=value bash makes three words.
  if [[ $cur == = ]]; then
    cur=
  elif [[ $prev == = ]]; then
    prev=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  if ((COMP_CWORD == 1)); then
    _dep_ctrl_offer -W ${quoted(first)}
    return
  fi
  case \${COMP_WORDS[1]} in
${commands.map(caseOf).join('\n')}
  esac
  if [[ $cur == -* ]]; then
    _dep_ctrl_offer -W "$flags"
  fi
}

complete -F _dep_ctrl dep-ctrl
`;
}

function caseOf({ names, flags, operand }: CompletedCommand): string {
  const valued = flags.filter(({ value }) => value.kind !== 'nothing');
  const values = valued.map((flag) => `        ${spellings(flag).join(' | ')}) ${[...offerOf(flag.value), 'return'].join('; ')} ;;`);
  return [
    `    ${names.join(' | ')})`,
    ...(values.length === 0 ? [] : ['      case $prev in', ...values, '      esac']),
    `      flags=${quoted(flags.flatMap(spellings))}`,
    ...offerOf(operand).map((offer) => `      [[ $cur == -* ]] || ${offer}`),
    '      ;;',
  ].join('\n');
}

function offerOf(completed: Completed): readonly string[] {
  switch (completed.kind) {
    case 'nothing':
    case 'text':
      return [];
    case 'files':
      return ['_dep_ctrl_files -f'];
    case 'folders':
      return ['_dep_ctrl_files -d'];
    case 'words':
      return [`_dep_ctrl_offer -W ${quoted(completed.words)}`];
    default:
      return completed satisfies never;
  }
}

function spellings({ short, long }: { readonly short?: string; readonly long?: string }): readonly string[] {
  return [short, long].filter((flag) => flag !== undefined);
}

function quoted(words: readonly string[]): string {
  return `'${words.join(' ')}'`;
}
