// One Markdown file as HTML, with its headings and links. Headings get the anchors that code hosts give them.
import GithubSlugger from 'github-slugger';
import { drawFlowchart } from './draw-flowchart.js';
import { readFlowchart } from './read-flowchart.js';
import MarkdownIt, { type Token } from 'markdown-it';

/** A heading, and where it can be linked to. */
export interface Heading {
  readonly level: number;
  readonly anchor: string;
  readonly text: string;
}

/** The text below a heading, for the search. */
export interface Section {
  readonly anchor: string;
  readonly title: string;
  readonly text: string;
}

/** A page as it was read; its links lead to where they do in the repository. */
export interface MarkdownPage {
  readonly title: string;
  readonly headings: readonly Heading[];
  readonly sections: readonly Section[];
  /** Everything that a link or a picture names, as written. */
  readonly targets: readonly string[];
  /** The HTML, with each target as `hrefOf` answers it. */
  readonly html: (hrefOf: (target: string) => string) => string;
}

const DRAWN = 'drawn';

const markdown = new MarkdownIt({ html: false });

/** Reads a file; `fallback` is the title of one without a heading. */
export async function readMarkdown(text: string, fallback: string): Promise<MarkdownPage> {
  const tokens = await withPictures(markdown.parse(text.replace(/^(?:<!--[\s\S]*?-->\s*)+/, ''), {}));
  const headings = anchorHeadings(tokens);
  const targets = tokens.flatMap(({ children }) => children ?? []).flatMap((token) => targetOf(token) ?? []);
  return {
    title: headings[0]?.text ?? fallback,
    headings,
    sections: sectionsOf(tokens),
    targets,
    html: (hrefOf) => render(tokens, hrefOf),
  };
}

/** Flowcharts that can be drawn are; others are shown as they are written. */
async function withPictures(tokens: Token[]): Promise<readonly Token[]> {
  for (const token of tokens.filter(({ type, info }) => type === 'fence' && info.trim() === 'mermaid')) {
    const flowchart = readFlowchart(token.content);
    const picture = flowchart && (await drawFlowchart(flowchart));
    if (picture !== undefined) token.meta = { [DRAWN]: picture };
  }
  return tokens;
}

/** Whether a target is of this repository. */
export function isInternal(target: string): boolean {
  return !/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(target);
}

function anchorHeadings(tokens: readonly Token[]): readonly Heading[] {
  const slugger = new GithubSlugger();
  return tokens.flatMap((token, at) => {
    if (token.type !== 'heading_open') return [];
    const text = plainText(tokens[at + 1]);
    const anchor = slugger.slug(text);
    token.attrSet('id', anchor);
    return [{ level: Number(token.tag.slice(1)), anchor, text }];
  });
}

function sectionsOf(tokens: readonly Token[]): readonly Section[] {
  const sections: { anchor: string; title: string; words: string[] }[] = [];
  tokens.forEach((token, at) => {
    if (token.type === 'heading_open')
      sections.push({ anchor: String(token.attrGet('id') ?? ''), title: plainText(tokens[at + 1]), words: [] });
    else if (token.type === 'fence' || token.type === 'code_block') sections.at(-1)?.words.push(token.content);
    else if (token.type === 'inline' && tokens[at - 1]?.type !== 'heading_open') sections.at(-1)?.words.push(plainText(token));
  });
  return sections.map(({ words, ...section }) => ({ ...section, text: words.join(' ') }));
}

function plainText(token: Token | undefined): string {
  return (token?.children ?? []).map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join('');
}

function targetOf(token: Token): string | undefined {
  const attribute = attributeOf(token);
  const target = attribute === undefined ? null : token.attrGet(attribute);
  return typeof target === 'string' ? target : undefined;
}

function attributeOf({ type }: Token): 'href' | 'src' | undefined {
  if (type === 'link_open') return 'href';
  return type === 'image' ? 'src' : undefined;
}

function render(tokens: readonly Token[], hrefOf: (target: string) => string): string {
  const env = {};
  return markdown.renderer.render(
    tokens.map((token) => withHrefs(token, hrefOf)),
    markdown.options,
    env,
  );
}

/** A copy, so that a page can be rendered more than once. */
function withHrefs(token: Token, hrefOf: (target: string) => string): Token {
  const copy = Object.assign(Object.create(Object.getPrototypeOf(token) as object) as Token, token);
  copy.attrs = token.attrs?.map(([name, value]) => [name, value]) ?? null;
  copy.children = token.children?.map((child) => withHrefs(child, hrefOf)) ?? null;
  const attribute = attributeOf(token);
  const target = targetOf(token);
  if (attribute !== undefined && target !== undefined && isInternal(target)) copy.attrSet(attribute, hrefOf(target));
  return copy;
}

// Wide tables and long lines of code scroll by themselves, by keyboard too, and the page does not.
markdown.renderer.rules['table_open'] = () => '<div class="scrolls" tabindex="0" role="region" aria-label="table"><table>\n';
markdown.renderer.rules['table_close'] = () => '</table></div>\n';
markdown.renderer.rules['heading_close'] = (tokens, at) => {
  const anchor = String(tokens[at - 2]?.attrGet('id') ?? '');
  const tag = tokens[at]?.tag ?? 'h2';
  return ` <a class="anchor" href="#${anchor}" aria-label="link to this part">#</a></${tag}>\n`;
};
markdown.renderer.rules['fence'] = (tokens, at) => {
  const { info = '', content = '', meta } = tokens[at] ?? {};
  const picture: unknown = (meta as Readonly<Record<string, unknown>> | null | undefined)?.[DRAWN];
  if (typeof picture === 'string') return `<div class="scrolls" tabindex="0" role="region" aria-label="picture">${picture}</div>\n`;
  const [language = ''] = info.split(/\s/);
  const said = language === '' ? 'output' : language;
  // Columns of kubectl stay beside each other; sentences are read to their end.
  const isTable = /^[A-Z]+(?: {2,}[A-Z]+(?: [A-Z]+)*)+$/m.test(content);
  return `<pre tabindex="0" data-language="${markdown.utils.escapeHtml(said)}"${isTable ? ' class="table"' : ''}><code>${markdown.utils.escapeHtml(content)}</code></pre>\n`;
};
