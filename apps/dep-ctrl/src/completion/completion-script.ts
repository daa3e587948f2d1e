import type { Command } from '@dep-ctrl/command-settings';
import { commandTree } from '../command-line/program.js';
import { bashCompletion } from './bash.js';
import { completedProgram } from './completed-command.js';
import { fishCompletion } from './fish.js';
import { zshCompletion } from './zsh.js';

const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

/** A shell that there is a completion for. */
export type Shell = keyof typeof SCRIPTS;

/** All of them. */
export const SHELLS = Object.keys(SCRIPTS) as readonly Shell[];

/** The script that completes these commands in a shell. */
export function completionScript(shell: Shell, commands: readonly Command[]): string {
  return SCRIPTS[shell](completedProgram(commandTree(commands)));
}
