// Completion for zsh. Pure.
import type { Completed, CompletedCommand, CompletedFlag, CompletedProgram } from './completed-command.js';

/** The script. */
export function zshCompletion({ flags, commands }: CompletedProgram): string {
  const described = commands.flatMap(({ names, about }) => names.map((name) => `    ${quoted(`${name}:${about}`)}`));
  return `#compdef dep-ctrl
# zsh completion for dep-ctrl. To use it: source <(dep-ctrl completion zsh)
_dep_ctrl() {
  local -a commands
  commands=(
${described.join('\n')}
  )
  if ((CURRENT == 2)); then
    _describe -t commands command commands
    _arguments ${flags.map(specOf).join(' ')}
    return
  fi
  shift words
  ((CURRENT--))
  case $words[1] in
${commands.map(caseOf).join('\n')}
  esac
}

if [[ $funcstack[1] == _dep_ctrl ]]; then
  _dep_ctrl "$@"
else
  compdef _dep_ctrl dep-ctrl
fi
`;
}

function caseOf({ names, flags, operand }: CompletedCommand): string {
  const operands = operand.kind === 'nothing' ? [] : [quoted(`*:${operand.kind === 'files' ? 'file' : 'operand'}:${actionOf(operand)}`)];
  const specs = [...flags.map(specOf), ...operands].map((spec) => `        ${spec}`);
  return [`    ${names.join(' | ')})`, ['      _arguments', ...specs].join(' \\\n'), '      ;;'].join('\n');
}

/** Each flag as often as one likes: of some every value counts. */
function specOf({ short, long, about, value, valueName }: CompletedFlag): string {
  const text = `[${about.replaceAll(/[\[\]\\]/g, '\\$&')}]`;
  const takes = value.kind === 'nothing' ? '' : `:${valueName}:${actionOf(value)}`;
  const end = quoted(`${text}${takes}`);
  if (short === undefined || long === undefined) return quoted(`*${short ?? long ?? ''}${text}${takes}`);
  return `'*'{${short},${long}}${end}`;
}

function actionOf(completed: Completed): string {
  switch (completed.kind) {
    case 'nothing':
    case 'text':
      return ' ';
    case 'files':
      return '_files';
    case 'folders':
      return '_files -/';
    case 'words':
      return `(${completed.words.join(' ')})`;
    default:
      return completed satisfies never;
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
