// docs/reference/preconditions.md: what doctor checks.
import { PRECONDITIONS } from './app-sources.js';
import { code, page, shell, table } from './markdown.js';

/** The page. */
export function preconditionsPage(): string {
  return page([
    '# Preconditions',
    `What ${code('dep-ctrl doctor')} checks, in this order, before and after an installation. Each thing that is wrong is one sentence and one command. Of what follows from something that is wrong nothing is said.`,
    shell(['dep-ctrl doctor', 'dep-ctrl doctor --all --shard-kubeconfig FILE --kubeconfig-dir identities', 'dep-ctrl doctor -o json']),
    `${code('doctor')} reads with the rights of whoever runs it, and changes nothing: the delete that it tries is a dry run. What it may not read it names as not looked at, and ends with 1. What takes a flag that was not given is named too, and is no reason to end with 1.`,
    table(
      ['Id', 'What must be so', 'Otherwise', 'Command'],
      PRECONDITIONS.map(({ id, must, otherwise, fix }) => [code(id), must, otherwise, code(fix)]),
    ),
  ]);
}
