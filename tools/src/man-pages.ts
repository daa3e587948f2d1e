// docs/reference/man: a page for dep-ctrl and one for each command, from what `--help` prints too. In the man macros, which every Unix reads.
import { EXITS, variableOf, type Command, type Setting } from './app-sources.js';
import { sentence } from './markdown.js';

/** A manual page. */
export interface ManPage {
  readonly name: string;
  readonly text: string;
}

/** Every page. */
export function manPages(commands: readonly Command[]): readonly ManPage[] {
  return [
    { name: 'dep-ctrl.1', text: programPage(commands) },
    ...commands.map((command) => ({ name: `dep-ctrl-${command.name}.1`, text: commandPage(command) })),
  ];
}

function programPage(commands: readonly Command[]): string {
  return page('dep-ctrl', 'foreign keys for kcp: a delete of what is still referenced is refused', [
    section('SYNOPSIS', ['.B dep-ctrl', '.I COMMAND', '[flags]']),
    section('DESCRIPTION', [
      text('dep-ctrl refuses to delete what other objects of a kcp still refer to, as DependencyRules of its providers say.'),
      '.PP',
      text(
        'The environment variable of a flag is named with it; a few have none. The flag wins over the variable, and an empty variable counts as not set. Logs go to stderr, results to stdout.',
      ),
    ]),
    section(
      'COMMANDS',
      commands.flatMap(({ name, aliases = [], about }) => ['.TP', `.B ${text([name, ...aliases].join(', '))}`, text(sentence(about))]),
    ),
    section('OPTIONS', [
      ...flag('-v, --version', 'Print the version.'),
      ...flag('-h, --help', 'Print the help, of a command behind its name.'),
    ]),
    exits(EXITS),
    section('SEE ALSO', [commands.map(({ name }) => `.BR ${text(`dep-ctrl-${name}`)} (1)`).join(',\n')]),
  ]);
}

function commandPage({ name, aliases = [], about, operands, exits: meaning, settings, examples }: Command): string {
  const flags = Object.values(settings).flatMap(settingOf);
  return page(`dep-ctrl-${name}`, firstClause(about), [
    section(
      'SYNOPSIS',
      [name, ...aliases].flatMap((each, at) => [
        ...(at === 0 ? [] : ['.br']),
        `.B dep-ctrl ${text(each)}`,
        '[flags]',
        ...(operands === undefined ? [] : [text(`[${operands}]`)]),
      ]),
    ),
    section('DESCRIPTION', [text(sentence(about))]),
    section('OPTIONS', [...flags, ...flag('-h, --help', 'Print this help.')]),
    exits(meaning ?? EXITS),
    ...(examples.length === 0 ? [] : [section('EXAMPLES', ['.nf', ...examples.map(text), '.fi'])]),
    section('SEE ALSO', ['.BR dep\\-ctrl (1)']),
  ]);
}

function settingOf(setting: Setting<unknown>): readonly string[] {
  const { flag: long, short, value, about, repeatable, fallback } = setting;
  const variable = variableOf(setting);
  const parts = [
    sentence(about),
    ...(repeatable === true ? ['May be repeated.'] : []),
    ...(fallback === undefined ? [] : [`Default: ${fallback}.`]),
    ...(variable === undefined ? [] : [`Variable: ${variable}.`]),
  ];
  const dashes = short === undefined ? long : `${short}, ${long}`;
  return flag(dashes, parts.join(' '), value);
}

function flag(dashes: string, about: string, value?: string): readonly string[] {
  return ['.TP', value === undefined ? `.B ${text(dashes)}` : `\\fB${text(dashes)}\\fR \\fI${text(value)}\\fR`, text(about)];
}

/** `0 done, 1 failed`: each code with what follows it, up to the next. */
function exits(meaning: string): string {
  const codes = meaning.split(/[,;] (?=\d )/);
  return section(
    'EXIT STATUS',
    codes.flatMap((each) => ['.TP', `.B ${each.slice(0, 1)}`, text(sentence(each.slice(2)))]),
  );
}

// Without a date, which would change with every build, and without a version, which the package has.
function page(name: string, about: string, sections: readonly string[]): string {
  const head = [
    `.TH ${text(name).toUpperCase()} 1 "" "dep\\-ctrl" "dep\\-ctrl manual"`,
    section('NAME', [`${text(name)} \\- ${text(about)}`]),
  ];
  return `${[...head, ...sections].join('\n')}\n`;
}

function section(title: string, lines: readonly string[]): string {
  return [`.SH ${title.includes(' ') ? `"${title}"` : title}`, ...lines].join('\n');
}

/** A text as it is: no escapes, no requests, and dashes that can be copied. */
function text(plain: string): string {
  return plain
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/, '\\&');
}

function firstClause(about: string): string {
  const clause = /^.*?(?=[.:;](?:\s|$))/.exec(about)?.[0] ?? about;
  return `${clause.slice(0, 1).toLowerCase()}${clause.slice(1)}`;
}
