// The repository's Markdown as a site. Pages keep the folders that they have in the repository; a file of another kind that a page links
// to becomes a page that shows it. A link that leads nowhere is a problem.
import { dirname, join, normalize, relative } from 'node:path/posix';
import { layOut, layOutFile, layOutFolder } from './layout.js';
import { isInternal, readMarkdown, type MarkdownPage } from './markdown-page.js';
import type { MenuPart } from './navigation.js';

/** As much of the repository as the site is made of. */
export interface Repository {
  /** Every file that is or would be committed. */
  readonly files: readonly string[];
  readonly read: (path: string) => string;
}

/** The site, and what is wrong with the pages. */
export interface Site {
  /** Text by file. */
  readonly written: ReadonlyMap<string, string>;
  /** Files of the repository that are copied as they are. */
  readonly copied: ReadonlySet<string>;
  readonly search: readonly SearchEntry[];
  readonly links: number;
  readonly problems: readonly string[];
}

/** A part of a page that the search finds. */
export interface SearchEntry {
  readonly id: number;
  readonly href: string;
  readonly page: string;
  readonly title: string;
  readonly text: string;
}

/** Builds it. */
export async function buildSite(repository: Repository, menu: readonly MenuPart[]): Promise<Site> {
  const files = new Set(repository.files);
  const folders = new Set(repository.files.flatMap((file) => foldersAbove(file)));
  const pages = new Map<string, MarkdownPage>();
  for (const file of repository.files.filter((each) => each.endsWith('.md')))
    pages.set(file, await readMarkdown(repository.read(file), file));
  const inMenu = menu.flatMap((part) => part.pages.map(({ path }) => path));
  const problems = inMenu.filter((path) => !pages.has(path)).map((path) => `the menu names ${path}, which does not exist`);
  const written = new Map<string, string>();
  const copied = new Set<string>();
  const shown = new Set<string>();
  const reached = new Set(inMenu);
  let links = 0;

  /** Where a path of the repository is on the site, and notes that it is needed there. */
  const placeOf = (path: string): string => {
    const index = join(path, 'README.md');
    const page = pages.has(path) ? path : pages.has(index) ? index : undefined;
    if (page !== undefined) reached.add(page);
    else if (isCopied(path)) copied.add(path);
    else shown.add(path);
    return page === undefined ? (isCopied(path) ? path : shownAt(path)) : pageAt(page);
  };

  for (const [path, page] of pages) {
    const at = pageAt(path);
    for (const target of page.targets.filter(isInternal)) {
      links += 1;
      const problem = problemOf(path, target, { pages, files, folders });
      if (problem !== undefined) problems.push(`${path}: ${target} ${problem}`);
    }
    const hrefOf = (target: string): string => {
      const { wanted, anchor } = leadsTo(path, target);
      if (wanted === path) return `#${anchor ?? ''}`;
      return `${hrefFrom(at, placeOf(wanted))}${anchor === undefined ? '' : `#${anchor}`}`;
    };
    written.set(at, layOut({ path, at, page, menu: menuFrom(at, path, menu), html: page.html(hrefOf) }));
  }
  for (const path of [...pages.keys()].filter((each) => !reached.has(each))) problems.push(`${path}: no page links to it`);
  for (const path of shown) {
    const at = shownAt(path);
    const parts = menuFrom(at, path, menu);
    if (files.has(path)) written.set(at, layOutFile({ path, at, menu: parts, text: repository.read(path) }));
    if (folders.has(path))
      written.set(at, layOutFolder({ path, at, menu: parts, files: repository.files.filter((file) => dirname(file) === path) }));
  }
  const search = [...pages].flatMap(([path, page]) => entriesOf(path, page)).map((entry, id) => ({ id, ...entry }));
  return { written, copied, search, links, problems };
}

/** Why a link leads nowhere. The README of a lib is published without the rest of the repository. */
function problemOf(
  path: string,
  target: string,
  { pages, files, folders }: { pages: ReadonlyMap<string, MarkdownPage>; files: ReadonlySet<string>; folders: ReadonlySet<string> },
): string | undefined {
  if (/^libs\/[^/]+\/README\.md$/.test(path) && !target.startsWith('#')) return 'is not in the package';
  const { wanted, anchor } = leadsTo(path, target);
  if (!files.has(wanted) && !folders.has(wanted)) return 'does not exist';
  const page = pages.get(wanted);
  if (anchor === undefined || page === undefined) return undefined;
  return page.headings.some((heading) => heading.anchor === anchor) ? undefined : 'names no heading';
}

function leadsTo(from: string, target: string): { readonly wanted: string; readonly anchor: string | undefined } {
  const [path = '', anchor] = target.split('#');
  return { wanted: path === '' ? from : normalize(join(dirname(from), decodeURIComponent(path))).replace(/\/$/, ''), anchor };
}

function entriesOf(path: string, { title: page, sections }: MarkdownPage): readonly Omit<SearchEntry, 'id'>[] {
  return sections.map(({ anchor, title, text }) => ({ href: `${pageAt(path)}#${anchor}`, page, title, text }));
}

function menuFrom(at: string, path: string, menu: readonly MenuPart[]) {
  return menu.map(({ title, about, pages }) => ({
    title,
    about,
    pages: pages.map((page) => ({ label: page.label, href: hrefFrom(at, pageAt(page.path)), isCurrent: page.path === path })),
  }));
}

function foldersAbove(file: string): readonly string[] {
  const folder = dirname(file);
  return folder === '.' ? [] : [folder, ...foldersAbove(folder)];
}

/** A page of a folder's README is the index of that folder. */
function pageAt(path: string): string {
  return path.replace(/(^|\/)README\.md$/, '$1index.html').replace(/\.md$/, '.html');
}

function shownAt(path: string): string {
  return `files/${path}.html`;
}

function isCopied(path: string): boolean {
  return /\.(?:svg|png)$/.test(path);
}

function hrefFrom(at: string, to: string): string {
  return relative(dirname(at), to);
}
