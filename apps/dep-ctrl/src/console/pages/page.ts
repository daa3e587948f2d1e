// The frame of every page. Pure.
import { html, type Html } from './html.js';

/** The views, in the order of the navigation, by their addresses. */
export const VIEWS = [
  { view: './', name: 'Status' },
  { view: 'rules', name: 'Rules and guards' },
  { view: 'graph', name: 'Graph' },
  { view: 'decisions', name: 'Decisions' },
  { view: 'delete', name: 'What if I delete' },
  { view: 'teardown', name: 'Teardown' },
] as const;

/** The address of a view. */
export type View = (typeof VIEWS)[number]['view'];

/** What one page shows. */
export interface Page {
  readonly view: View;
  readonly title: string;
  /** What stays while the rest is read again, such as a form; comes first. */
  readonly fixed?: Html;
  /** What is read again, where it is. */
  readonly content: Html;
  /** Read again after so many seconds; absent: not. */
  readonly everySeconds?: number;
  /** One line for those who do not see the page change. */
  readonly summary: string;
}

/** The identity whose view this is. */
export interface Frame {
  readonly depCtrl: string;
  readonly server: string;
  readonly context: string;
}

/** The page as it is sent. */
export function renderPage({ view, title, fixed, content, everySeconds, summary }: Page, { depCtrl, server, context }: Frame): string {
  const links = VIEWS.map(
    (each) => html`<li><a href="${each.view}" ${each.view === view ? html` aria-current="page"` : undefined}>${each.name}</a></li>`,
  );
  const live = everySeconds === undefined ? undefined : html` data-every="${everySeconds}"`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} - dep-ctrl console</title>
        <link rel="icon" href="icon.svg" />
        <link rel="stylesheet" href="style.css" />
        <script src="script.js" defer></script>
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        <header>
          <p class="brand">dep-ctrl console</p>
          <nav aria-label="Views">
            <ul>
              ${links}
            </ul>
          </nav>
        </header>
        <main id="main" tabindex="-1">
          <div class="heading">
            <h1>${title}</h1>
            <p id="live" class="live" hidden><span>Read again every ${everySeconds} s.</span> <button type="button">Pause</button></p>
          </div>
          <p id="announce" class="hidden-text" role="status"></p>
          ${fixed}
          <div id="fresh" ${live} data-summary="${summary}">${content}</div>
        </main>
        <footer><p>Changes nothing. dep-ctrl ${depCtrl} reads ${server} with the rights of context ${context}.</p></footer>
      </body>
    </html> `.text;
}

/** What went wrong, where a page had something to say. */
export function problem(text: string): Html {
  return html`<p class="notice bad" role="alert">${text}</p>`;
}

/** A field of a form. */
export interface Field {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly hint?: string;
  readonly isRequired?: boolean;
}

/** A form that leads to a view. */
export function form(view: View, fields: readonly (Field | Html)[], button: string): Html {
  const shown = fields.map((field) => ('text' in field ? field : textField(field)));
  return html`<form action="${view}" method="get">${shown}<button type="submit">${button}</button></form>`;
}

function textField({ name, label, value, hint, isRequired }: Field): Html {
  const placeholder = hint === undefined ? undefined : html` placeholder="${hint}"`;
  return html`<label
    >${label}<input
      name="${name}"
      value="${value}"
      spellcheck="false"
      autocomplete="off"
      maxlength="500"
      ${placeholder}${isRequired ? html` required` : undefined}
  /></label>`;
}

/** A choice of a form. */
export function choice(name: string, label: string, value: string, options: Readonly<Record<string, string>>): Html {
  const items = Object.entries(options).map(
    ([key, text]) => html`<option value="${key}" ${key === value ? html` selected` : undefined}>${text}</option>`,
  );
  return html`<label
    >${label}<select name="${name}">
      ${items}
    </select></label
  >`;
}

/** A column of a table. */
export interface Column<T> {
  readonly name: string;
  readonly cell: (row: T) => Html | string | number;
}

// As many as a person scrolls through; others are found by a word of their name.
const MOST_ROWS = 100;

/** A table, its first column being what each row is about. */
export function table<T>(caption: string, rows: readonly T[], columns: readonly Column<T>[], none: string): Html {
  if (rows.length === 0)
    return html`<h2>${caption}</h2>
      <p>${none}</p>`;
  const [first, ...others] = columns;
  const heads = columns.map(({ name }) => html`<th scope="col">${name}</th>`);
  const body = rows.slice(0, MOST_ROWS).map(
    (row) =>
      html`<tr>
        <th scope="row">${first?.cell(row)}</th>
        ${others.map(({ cell }) => html`<td>${cell(row)}</td>`)}
      </tr>`,
  );
  const left =
    rows.length > MOST_ROWS ? html`<p class="more">The first ${MOST_ROWS} of ${rows.length}. Search for the others.</p>` : undefined;
  return html`<h2>${caption}</h2>
    <div class="wide" tabindex="0" role="region" aria-label="${caption}">
      <table>
        <thead>
          <tr>
            ${heads}
          </tr>
        </thead>
        <tbody>
          ${body}
        </tbody>
      </table>
    </div>
    ${left}`;
}

/** A state, told by a word and not by its colour alone. */
export function state(text: string, kind: 'good' | 'bad' | 'doubt' | 'plain'): Html {
  return html`<span class="state ${kind}">${text}</span>`;
}

/** A command to type. */
export function command(text: string): Html {
  return html`<code class="command">${text}</code>`;
}

/** Whether a row holds a word. */
export function holds(word: string, ...texts: readonly (string | undefined)[]): boolean {
  const wanted = word.trim().toLowerCase();
  return wanted === '' || texts.some((text) => text?.toLowerCase().includes(wanted));
}
