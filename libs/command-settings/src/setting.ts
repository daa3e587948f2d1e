// A setting is a flag that is also an environment variable, of a prefix: --webhook-url = MY_OPERATOR_WEBHOOK_URL. The flag wins; an empty variable counts
// as not set. Reading is pure: texts in, typed values or one sentence out, which names the flag and what it should be.
import { notParsed, parsed, type Parsed } from '@dep-ctrl/kcp-names';

/** One flag: how it is written, what it means, and how its texts become a value. */
export interface Setting<T> {
  /** With its dashes: `--webhook-url`. */
  readonly flag: string;
  /** Another way to write the flag: `-o`. */
  readonly short?: string;
  /** Name of the value in the help; a setting without one is a switch. */
  readonly value?: string;
  readonly about: string;
  /** What the help shows as default. */
  readonly fallback?: string;
  readonly repeatable?: boolean;
  /** The words that it takes, where these are few. */
  readonly choices?: readonly string[];
  /** The variable, where it is not the one that the flag's name gives; `none`: there is none. */
  readonly variable?: string;
  /** `variable`: its environment variable, for the text about a missing setting. */
  readonly read: (texts: readonly string[], variable?: string) => Parsed<T>;
}

/** The settings of a command, by the names that its code uses. */
export type Settings = Readonly<Record<string, Setting<unknown>>>;

/** What the settings of a command become. */
export type ValuesOf<S extends Settings> = { readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never };

/** Reads one text. A problem is what the value should be, after "must be". */
export interface ValueParser<T> {
  (text: string): Parsed<T>;
  /** The words that it takes, where these are few. */
  readonly choices?: readonly string[];
}

interface Flag<T> {
  readonly flag: string;
  readonly short?: string;
  readonly value: string;
  readonly about: string;
  readonly variable?: string;
  readonly parse: ValueParser<T>;
}

/** A flag that may be left out. */
export function optional<T>({ parse, ...flag }: Flag<T>): Setting<T | undefined> {
  return {
    ...flag,
    ...choicesOf(parse),
    read: ([text]) => (text === undefined ? parsed(undefined) : explained(flag.flag, text, parse(text))),
  };
}

/** A flag that must be given. */
export function required<T>({ parse, ...flag }: Flag<T>): Setting<T> {
  return {
    ...flag,
    ...choicesOf(parse),
    read: ([text], variable) =>
      text === undefined
        ? notParsed(`${flag.flag} is missing: give it${variable === undefined ? '' : `, or set ${variable}`}`)
        : explained(flag.flag, text, parse(text)),
  };
}

/** A flag with a default, which is parsed as if it had been given. */
export function withDefault<T>({ parse, ...flag }: Flag<T>, fallback: string): Setting<T> {
  return { ...flag, ...choicesOf(parse), fallback, read: ([text = fallback]) => explained(flag.flag, text, parse(text)) };
}

/** A flag that may be given several times; as a variable its values are separated by commas. */
export function repeated<T>({ parse, ...flag }: Flag<T>): Setting<readonly T[]> {
  return {
    ...flag,
    ...choicesOf(parse),
    repeatable: true,
    read: (texts) => {
      const values: T[] = [];
      for (const text of texts) {
        const value = explained(flag.flag, text, parse(text));
        if (!value.ok) return value;
        values.push(value.value);
      }
      return parsed(values);
    },
  };
}

function choicesOf({ choices }: ValueParser<unknown>): Pick<Setting<unknown>, 'choices'> {
  return choices === undefined ? {} : { choices };
}

/** A flag without a value, with its default. */
export function toggle(flag: string, about: string, unless: 'off' | 'on' = 'off'): Setting<boolean> {
  return {
    flag,
    about,
    read: ([text]) => {
      if (text === undefined) return parsed(unless === 'on');
      if (text === 'false') return parsed(false);
      if (text === 'true') return parsed(true);
      return explained(flag, text, notParsed('"true" or "false"'));
    },
  };
}

/** The environment variable of a flag. */
export function environmentName(flag: string, prefix: string): string {
  return `${prefix}_${flag.replace(/^-+/, '').replaceAll('-', '_').toUpperCase()}`;
}

/** The environment variable of a setting, if it has one. */
export function variableOf({ flag, variable }: Setting<unknown>, prefix: string): string | undefined {
  return variable === 'none' ? undefined : (variable ?? environmentName(flag, prefix));
}

/** Where settings are read from beside the command line: variables whose names begin with a prefix. */
export interface Environment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly prefix: string;
}

/** Reads all settings of a command from what the command line gave (by flag) and from the environment; the first problem wins. */
export function readSettings<S extends Settings>(
  settings: S,
  given: ReadonlyMap<string, readonly string[]>,
  { env, prefix }: Environment,
): Parsed<ValuesOf<S>> {
  const values: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(settings)) {
    const variable = variableOf(setting, prefix);
    const value = setting.read(
      given.get(setting.flag) ?? fromEnvironment(setting, variable === undefined ? undefined : env[variable]),
      variable,
    );
    if (!value.ok) return value;
    values[name] = value.value;
  }
  // Every key of S was read by its own setting just now; the compiler cannot follow the loop.
  return parsed(values as ValuesOf<S>);
}

function fromEnvironment(setting: Setting<unknown>, text: string | undefined): readonly string[] {
  if (text === undefined || text === '') return [];
  return setting.repeatable === true ? text.split(',').filter((part) => part !== '') : [text];
}

function explained<T>(flag: string, text: string, value: Parsed<T>): Parsed<T> {
  return value.ok ? value : notParsed(`${flag} must be ${value.problem}, not ${JSON.stringify(text)}`);
}
