// What the webhook decided lately. Pure.
import type { FedDecision } from '../../telemetry/decision-feed.js';
import { address, breakable, html, type Html } from './html.js';
import { choice, form, holds, problem, state, table, type Page } from './page.js';

/** What was read of the feed: the decisions newest first, or why there are none. */
export type ReadFeed =
  | { readonly state: 'read'; readonly decisions: readonly FedDecision[]; readonly replicas: number }
  | { readonly state: 'unread'; readonly why: string };

/** What is asked. */
export interface DecisionsQuestion {
  readonly search: string;
  readonly verdict: 'all' | FedDecision['verdict'];
}

const EVERY_SECONDS = 2;

/** The page. */
export function decisionsPage(feed: ReadFeed, { search, verdict }: DecisionsQuestion): Page {
  const fixed = form(
    'decisions',
    [
      { name: 'search', label: 'Search', value: search, hint: 'object, type, workspace or reason' },
      choice('verdict', 'Show', verdict, { all: 'all', deny: 'what was refused', allow: 'what went through' }),
    ],
    'Search',
  );
  const frame = { view: 'decisions', title: 'Decisions', fixed, everySeconds: EVERY_SECONDS } as const;
  if (feed.state === 'unread') return { ...frame, summary: 'The decisions cannot be read.', content: problem(feed.why) };
  const { decisions, replicas } = feed;
  const shown = decisions.filter(
    (each) =>
      (verdict === 'all' || each.verdict === verdict) && holds(search, objectOf(each), each.path, each.cluster, each.because, each.message),
  );
  const refused = decisions.filter((each) => each.verdict === 'deny').length;
  const summary = `${String(decisions.length)} deletes decided lately, ${String(refused)} of them refused.`;
  return {
    ...frame,
    summary,
    content: html` <p>
        ${summary} ${replicas > 1 ? `Heard of ${String(replicas)} webhook processes. ` : ''}Each process remembers its latest 500, of a
        guarded workspace with very many no more than the others leave; the log has all. At once: decided without looking anything up, so
        the object may not exist.
      </p>
      ${table(
        'Decisions, the latest first',
        shown,
        [
          { name: 'Object', cell: linkOf },
          { name: 'When', cell: ({ at }) => html`<time datetime="${at}">${at.slice(0, 19).replace('T', ' ')}</time>` },
          { name: 'Decision', cell: verdictOf },
          { name: 'Workspace', cell: ({ path, cluster }) => breakable(path ?? cluster) },
          {
            name: 'Because',
            cell: ({ because, message, isAtOnce, guarded }) =>
              html`<p>${because}</p>
                ${message === '' ? undefined : html`<p>${message}</p>`}
                ${isAtOnce === true && guarded !== undefined ? html`<p>nothing was looked up; called at the URL of ${breakable(guarded)}</p>` : undefined}`,
          },
          { name: 'Took', cell: ({ durationMs }) => `${String(durationMs)} ms` },
        ],
        'No decision is like that.',
      )}`,
  };
}

function objectOf({ resource, group, namespace, name }: FedDecision): string {
  return `${resource}.${group}/${namespace === undefined ? '' : `${namespace}/`}${name}`;
}

function linkOf(decision: FedDecision): Html {
  const { resource, group, namespace, name, path, cluster } = decision;
  const asked = { workspace: path ?? cluster, object: `${resource}.${group}/${name}`, namespace };
  return html`<a href="${address('delete', asked)}">${breakable(objectOf(decision))}</a>`;
}

function verdictOf({ verdict, isDryRun, mode, isAtOnce }: FedDecision): Html {
  const word = verdict === 'deny' ? state('refused', 'bad') : state('allowed', 'good');
  return html`${word}${isDryRun ? html` ${state('dry run', 'plain')}` : undefined}${mode === 'enforcing' ? undefined : html` ${state(mode, 'plain')}`}${isAtOnce === true ? html` ${state('at once', 'plain')}` : undefined}`;
}
