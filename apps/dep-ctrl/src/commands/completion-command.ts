import { notParsed, parsed } from '@dep-ctrl/kcp-names';
import { SHELLS, completionScript } from '../completion/completion-script.js';
import { defineCommand } from '../command-line/define-command.js';
import { type Command } from '@dep-ctrl/command-settings';

/** `dep-ctrl completion`, of the commands that are given, itself among them. */
export function completionCommand(commands: () => readonly Command[]): Command {
  return defineCommand({
    name: 'completion',
    about: 'Print the script by which a shell completes commands, flags and their values.',
    operands: SHELLS.join('|'),
    settings: {},
    examples: [
      'source <(dep-ctrl completion bash)',
      'dep-ctrl completion zsh > "${fpath[1]}/_dep-ctrl"',
      'dep-ctrl completion fish > ~/.config/fish/completions/dep-ctrl.fish',
    ],
    check: (_values, [operand = '', ...more]) => {
      const shell = SHELLS.find((each) => each === operand);
      return shell === undefined || more.length > 0
        ? notParsed(`give one shell, ${SHELLS.join(', ')}, such as: dep-ctrl completion bash`)
        : parsed(shell);
    },
    run: (shell, { stdout }) => {
      stdout.write(completionScript(shell, commands()));
      return Promise.resolve();
    },
  });
}
