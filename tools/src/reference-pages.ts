import { commands } from './app-sources.js';
import { apiPage } from './api-page.js';
import { cataloguePage } from './catalogue-page.js';
import { commandLinePage } from './command-line-page.js';
import { conditionsPage } from './conditions-page.js';
import { page } from './markdown.js';
import { metricsPage } from './metrics-page.js';
import { preconditionsPage } from './preconditions-page.js';
import { statusPage } from './status-page.js';

/** One page below docs/reference, as Markdown that Prettier has not laid out yet. */
export interface ReferencePage {
  readonly name: string;
  readonly text: string;
}

/** Every page below docs/reference. */
export function referencePages(): readonly ReferencePage[] {
  return [
    { name: 'README.md', text: indexPage() },
    { name: 'api.md', text: apiPage() },
    { name: 'catalogue.md', text: cataloguePage() },
    { name: 'command-line.md', text: commandLinePage(commands) },
    { name: 'conditions.md', text: conditionsPage() },
    { name: 'metrics.md', text: metricsPage() },
    { name: 'preconditions.md', text: preconditionsPage() },
    { name: 'status.md', text: statusPage() },
  ];
}

function indexPage(): string {
  return page([
    '# Reference',
    [
      '- [command-line.md](command-line.md): every command, flag, environment variable and exit code. As manual pages: `man -l docs/reference/man/dep-ctrl.1`.',
      '- [api.md](api.md): DependencyRule and DependencyGuard, every field with its bounds.',
      '- [catalogue.md](catalogue.md): every refusal, warning, reason and exit code on one page, to search in.',
      '- [conditions.md](conditions.md): what the conditions and reasons in statuses mean, and what to do.',
      '- [metrics.md](metrics.md): every metric.',
      '- [preconditions.md](preconditions.md): what `dep-ctrl doctor` checks, and the command that fixes it.',
      '- [status.md](status.md): the fields of `dep-ctrl status -o json`.',
    ].join('\n'),
  ]);
}
