// HTML as values: every text that is put into a template is escaped, and only what a template made is not. Pure.
import { plainText } from '@dep-ctrl/command-settings';

/** A piece of a page. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What a template takes. */
export type Part = string | number | Html | undefined | readonly Part[];

/** A template of a page. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.map((text, at) => (at === 0 ? text : `${printed(parts[at - 1])}${text}`)).join(''));
}

/** What was made elsewhere as a whole, such as a picture. */
export function trusted(text: string): Html {
  return new Html(text);
}

function printed(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(printed).join('');
  return plainText(String(part)).replaceAll(/[&<>"']/g, (character) => `&#${String(character.charCodeAt(0))};`);
}

/** A name that may break where its parts do. */
export function breakable(name: string): Html {
  const [first = '', ...others] = name.split(/(?<=[/:.])(?=.)/);
  return html`${first}${others.map((part) => html`<wbr />${part}`)}`;
}

/** An address within the console, with what is asked there; empty values are left out. */
export function address(view: string, asked: Readonly<Record<string, string | undefined>> = {}): string {
  const query = new URLSearchParams(
    Object.entries(asked).flatMap(([key, value = '']) => (value === '' ? [] : [[key, value] as [string, string]])),
  );
  return query.size === 0 ? view : `${view}?${query.toString()}`;
}
