// docs/reference/command-line.md: every command with its flags, variables, defaults and exit codes.
import {
  type Command,
  EXITS,
  type Setting,
  type Settings,
  connectionSettings,
  logSettings,
  outputSettings,
  variableOf,
} from './app-sources.js';
import { code, page, sentence, shell, table } from './markdown.js';

/** Flags that several commands share, by the name of their section. */
const SHARED: Readonly<Record<string, Settings>> = {
  'Connection flags': connectionSettings,
  'Log flags': logSettings,
  'Output flags': outputSettings,
};

/** The page. */
export function commandLinePage(commands: readonly Command[]): string {
  return page([
    '# Command line',
    `The environment variable of a flag is named beside it; a few have none. The flag wins over the variable, and an empty variable counts as not set. A flag that may be repeated takes its values separated by commas as a variable. A switch without a value can be spelled out: ${code('--leader-elect=false')}.`,
    '`dep-ctrl --version` prints the version, `dep-ctrl COMMAND --help` prints what is below. Durations are written as `500ms`, `30s` or `1m30s`. Logs go to stderr, results to stdout.',
    table(
      ['Command', 'What it does'],
      commands.map(({ name, about }) => [`[${code(name)}](#${name})`, sentence(about)]),
    ),
    ...commands.flatMap(sectionOf),
    ...Object.entries(SHARED).flatMap(([title, settings]) => [`## ${title}`, flagTable(Object.values(settings))]),
    '## Exit codes',
    table(
      ['Code', 'Meaning'],
      EXITS.split(', ').map((each) => [code(each.slice(0, 1)), sentence(each.slice(2))]),
    ),
    'Code 2 comes with one line on stderr that names the flag and what it should be. The roles (`all`, `controller`, `webhook`) and `dev` run until SIGTERM or SIGINT: the first one drains and ends with 0, a second one ends at once with 1.',
  ]);
}

function sectionOf({ name, aliases = [], about, operands, exits, settings, examples }: Command): readonly string[] {
  const all = Object.values(settings);
  const shared = Object.entries(SHARED).filter(([, group]) => Object.values(group).every((each) => all.includes(each)));
  const own = all.filter((setting) => !shared.some(([, group]) => Object.values(group).includes(setting)));
  return [
    `## ${name}`,
    code(['dep-ctrl', name, operands === undefined ? '' : `[${operands}]`, '[flags]'].filter((part) => part !== '').join(' ')),
    sentence(about),
    ...(aliases.length === 0 ? [] : [`Also called ${aliases.map(code).join(', ')}.`]),
    flagTable(own),
    ...(shared.length === 0 ? [] : [`Also: ${shared.map(([title]) => `[${title.toLowerCase()}](#${anchorOf(title)})`).join(', ')}.`]),
    ...(examples.length === 0 ? [] : [shell(examples)]),
    ...(exits === undefined ? [] : [`Exit codes: ${sentence(exits)}`]),
  ];
}

function flagTable(settings: readonly Setting<unknown>[]): string {
  return table(
    ['Flag', 'Variable', 'Default', 'Meaning'],
    settings.map((setting) => [flagOf(setting), variableText(setting), defaultOf(setting), sentence(meaningOf(setting))]),
  );
}

function flagOf({ flag, short, value }: Setting<unknown>): string {
  const dashes = short === undefined ? flag : `${short}, ${flag}`;
  return code(value === undefined ? dashes : `${dashes} ${value}`);
}

function variableText(setting: Setting<unknown>): string {
  const variable = variableOf(setting);
  return variable === undefined ? 'none' : code(variable);
}

function defaultOf(setting: Setting<unknown>): string {
  if (setting.fallback !== undefined) return code(setting.fallback);
  if (setting.value === undefined) return isOn(setting.read([])) ? 'on' : 'off';
  return setting.read([]).ok ? '' : '**required**';
}

function isOn(read: ReturnType<Setting<unknown>['read']>): boolean {
  return read.ok && read.value === true;
}

function meaningOf({ about, repeatable }: Setting<unknown>): string {
  return repeatable === true ? `${sentence(about)} May be repeated` : about;
}

function anchorOf(title: string): string {
  return title.toLowerCase().replaceAll(' ', '-');
}
