import {
  type Command,
  defineCommandOf,
  type Definition,
  type Setting,
  type Settings,
  variableOf as variableWith,
} from '@dep-ctrl/command-settings';

/** The variable of a flag begins with it: --webhook-url = DEP_CTRL_WEBHOOK_URL. */
export const VARIABLE_PREFIX = 'DEP_CTRL';

/** Defines a command of ours; its types stay inside. */
export function defineCommand<S extends Settings, T>(definition: Definition<S, T>): Command {
  return defineCommandOf(VARIABLE_PREFIX, definition);
}

/** The environment variable of a setting, if it has one. */
export function variableOf(setting: Setting<unknown>): string | undefined {
  return variableWith(setting, VARIABLE_PREFIX);
}
