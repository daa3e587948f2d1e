// What a workspace still holds, and what its end waits for. Pure.
import { UNSEEN } from '../../explain/explanation.js';
import { printEnding } from '../../explain/ending-parts.js';
import { closedCircle, triesAgain, type HeldObject, type TeardownExplanation } from '../../explain/teardown.js';
import { address, html, type Html } from './html.js';
import { form, problem, state, table, type Page } from './page.js';

const EVERY_SECONDS = 10;

/** What is known: nothing was asked, it cannot be told, or this. */
export type ToldTeardown =
  | { readonly state: 'not-asked' }
  | { readonly state: 'failed'; readonly why: string }
  | { readonly state: 'told'; readonly teardown: TeardownExplanation };

/** The page. */
export function teardownPage(workspace: string, told: ToldTeardown): Page {
  const fixed = form(
    'teardown',
    [{ name: 'workspace', label: 'Workspace', value: workspace, hint: 'root:teams:team-a', isRequired: true }],
    'Look',
  );
  const frame = { view: 'teardown', title: 'Teardown', fixed } as const;
  switch (told.state) {
    case 'not-asked':
      return {
        ...frame,
        summary: '',
        content: html`<p class="hint">Name a workspace to see what its deletion waits for, or would wait for.</p>`,
      };
    case 'failed':
      return { ...frame, summary: 'No answer.', content: problem(told.why) };
    case 'told':
      return { ...frame, ...shownTeardown(told.teardown) };
    default:
      return told satisfies never;
  }
}

function shownTeardown(teardown: TeardownExplanation): Pick<Page, 'summary' | 'content' | 'everySeconds'> {
  const { workspace, deletingSince, kcpSays, terminators, held, cutTypes, ending } = teardown;
  const tries = triesAgain(teardown);
  const circle = closedCircle(teardown);
  const isDeleting = deletingSince !== undefined;
  const waits = terminators.length + held.length;
  const begins = isDeleting ? `${workspace} is being deleted (since ${deletingSince})` : `${workspace} is not being deleted`;
  const rest = restOf({ isDeleting, waits: waits > 0, isCut: cutTypes.length > 0 });
  const summary = `${begins}. ${rest}`;
  return {
    summary,
    ...(isDeleting || ending.length > 0 ? { everySeconds: EVERY_SECONDS } : {}),
    content: html` <p class="notice ${waits + cutTypes.length === 0 ? 'good' : 'doubt'}">${summary}</p>
      ${kcpSays === undefined ? undefined : html`<p>kcp says: ${kcpSays}</p>`}
      ${
        terminators.length === 0
          ? undefined
          : html`<h2>Terminators</h2>
              <ul class="facts">
                ${terminators.map((each) => html`<li><code>${each}</code></li>`)}
              </ul>`
      }
      ${table(
        'Objects that do not go now',
        held,
        [
          { name: 'Object', cell: (object) => linkOf(object, workspace) },
          { name: 'Namespace', cell: ({ namespace }) => namespace ?? '' },
          { name: 'Held by', cell: ({ because }) => (because === 'refused' ? state('a rule', 'bad') : state('finalizers', 'doubt')) },
          { name: 'Why', cell: ({ message }) => message },
        ],
        'There is none.',
      )}
      ${
        ending.length === 0
          ? undefined
          : html`<h2>Namespaces and bindings that are being deleted</h2>
              <ul class="facts">
                ${ending.map((part) => html`<li>${printEnding(part).trim()}</li>`)}
              </ul>`
      }
      ${cutTypes.length === 0 ? undefined : html`<p class="more">${cutText(cutTypes)}</p>`}
      ${tries === undefined ? undefined : html`<p>${tries}.</p>`} ${circle === undefined ? undefined : html`<p>${circle}.</p>`}
      ${held.some(({ isDoubtful }) => isDoubtful === true) ? html`<p>Warning: ${UNSEEN}.</p>` : undefined}`,
  };
}

interface Rest {
  readonly isDeleting: boolean;
  readonly waits: boolean;
  readonly isCut: boolean;
}

function restOf({ isDeleting, waits, isCut }: Rest): string {
  if (waits) return isDeleting ? 'It waits for what is below.' : 'If it were, kcp would have to wait for what is below.';
  if (isCut) return 'Nothing was found that holds it, but not everything was looked at.';
  return isDeleting ? 'Nothing that dep-ctrl knows of holds it.' : 'Nothing would hold it.';
}

const MOST_NAMED = 10;

function cutText(types: readonly string[]): string {
  const more = types.length > MOST_NAMED ? ` and ${String(types.length - MOST_NAMED)} other types` : '';
  return `Of ${types.slice(0, MOST_NAMED).join(', ')}${more} only the first objects were looked at: dep-ctrl explain --workspace looks at more.`;
}

function linkOf({ object, namespace }: HeldObject, workspace: string): Html {
  return html`<a href="${address('delete', { workspace, object, namespace })}">${object}</a>`;
}
