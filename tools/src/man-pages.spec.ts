import { describe, expect, it } from '@jest/globals';
import { commands, type Command } from './app-sources.js';
import { manPages } from './man-pages.js';

const textOf = (name: string, of: readonly Command[] = commands) => manPages(of).find((page) => page.name === name)?.text ?? '';

describe(manPages, () => {
  it('given the commands, then each has a page with every flag, and the first page names them all', () => {
    for (const { name, settings } of commands) {
      const page = textOf(`dep-ctrl-${name}.1`);
      expect(page).toMatch(/^\.TH DEP\\-CTRL\\-/);
      expect(textOf('dep-ctrl.1')).toContain(`.BR dep\\-ctrl\\-${name.replaceAll('-', '\\-')} (1)`);
      for (const { flag } of Object.values(settings)) expect(page).toContain(flag.replaceAll('-', '\\-'));
    }
  });

  it('given another name, exit codes and a default, then they are there', () => {
    const page = textOf('dep-ctrl-lint.1');

    expect(page).toContain('.B dep-ctrl check\n');
    expect(page).toContain('.SH "EXIT STATUS"\n.TP\n.B 0\nNo problem, though there may be warnings.\n.TP\n.B 1\n');
    expect(textOf('dep-ctrl-graph.1')).toContain('Default: mermaid.');
  });

  it('given texts that troff would take for its own, then they stay texts', () => {
    const odd = { ...commands[0]!, name: 'odd', about: ".so /etc/passwd \\fB it's", examples: ["'quote", '.dot'] };

    const page = textOf('dep-ctrl-odd.1', [odd]);

    expect(page).toContain("\n\\&.so /etc/passwd \\efB it's.\n");
    expect(page).toContain("\n\\&'quote\n\\&.dot\n");
  });
});
