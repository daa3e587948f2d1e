import { defineCommandOf, type Command, type Definition } from './command.js';
import { variableOf as variableWith, type Setting, type Settings } from './setting.js';

/** Every flag is also a variable: --webhook-url = DEP_CTRL_WEBHOOK_URL. */
export const VARIABLE_PREFIX = 'DEP_CTRL';

/** Defines a command of ours; its types stay inside. */
export function defineCommand<S extends Settings, T>(definition: Definition<S, T>): Command {
  return defineCommandOf(VARIABLE_PREFIX, definition);
}

/** The environment variable of a setting, if it has one. */
export function variableOf(setting: Setting<unknown>): string | undefined {
  return variableWith(setting, VARIABLE_PREFIX);
}
