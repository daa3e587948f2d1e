// What every page of the site has around its text. Nothing on it is loaded from elsewhere, and without a script all but the search works.
import { basename, dirname, relative } from 'node:path/posix';
import type { MarkdownPage } from './markdown-page.js';

/** The menu as one page shows it. */
export type ShownMenu = readonly {
  readonly title: string;
  readonly about: string;
  readonly pages: readonly { readonly label: string; readonly href: string; readonly isCurrent: boolean }[];
}[];

interface Place {
  /** In the repository. */
  readonly path: string;
  /** On the site. */
  readonly at: string;
  readonly menu: ShownMenu;
}

/** A page made of Markdown. */
export function layOut({ page, html, ...place }: Place & { readonly page: MarkdownPage; readonly html: string }): string {
  const parts = page.headings.filter(({ level }) => level === 2 || level === 3);
  const contents = parts.map(
    ({ level, anchor, text }) => `<li class="level-${String(level)}"><a href="#${anchor}">${escaped(text)}</a></li>`,
  );
  const aside =
    contents.length < 3 ? '' : `<nav class="contents" aria-label="on this page"><h2>On this page</h2><ul>${contents.join('')}</ul></nav>`;
  return frame({ ...place, title: page.title, main: html, aside });
}

/** A page that shows a file as it is. */
export function layOutFile({ text, ...place }: Place & { readonly text: string }): string {
  const main = `<h1>${escaped(place.path)}</h1>\n<pre tabindex="0"><code>${escaped(text)}</code></pre>`;
  return frame({ ...place, title: place.path, main, aside: '' });
}

/** A page that lists the files of a folder. */
export function layOutFolder({ files, ...place }: Place & { readonly files: readonly string[] }): string {
  const main = `<h1>${escaped(place.path)}</h1>\n<p>A folder of the repository:</p>\n<ul>${files.map((file) => `<li><code>${escaped(basename(file))}</code></li>`).join('')}</ul>`;
  return frame({ ...place, title: place.path, main, aside: '' });
}

function frame({
  path,
  at,
  menu,
  title,
  main,
  aside,
}: Place & { readonly title: string; readonly main: string; readonly aside: string }): string {
  const up = relative(dirname(at), '.');
  const root = up === '' ? '.' : up;
  const name = title === 'dep-ctrl' ? title : `${title} · dep-ctrl`;
  return `<!doctype html>
<html lang="en" data-root="${root}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(name)}</title>
<link rel="stylesheet" href="${root}/site.css">
<script src="${root}/site.js" defer></script>
</head>
<body>
<a class="skip" href="#text">Skip to the text</a>
<header>
<a class="name" href="${root}/index.html">dep-ctrl</a>
<div class="search" role="search" hidden>
<input type="search" id="search" placeholder="Search ( / )" aria-label="search all pages" aria-controls="found" autocomplete="off">
<div id="found" class="found" aria-live="polite" hidden></div>
</div>
<button type="button" class="theme" hidden>Dark</button>
</header>
<div class="columns">
<nav class="menu" aria-label="all pages"><details open><summary>All pages</summary>${menu.map(partOf).join('\n')}</details></nav>
<main id="text" tabindex="-1">
${main}
<footer>From <code>${escaped(path)}</code> in the repository.</footer>
</main>
${aside}
</div>
</body>
</html>
`;
}

function partOf({ title, about, pages }: ShownMenu[number]): string {
  const items = pages.map(
    ({ label, href, isCurrent }) => `<li><a href="${href}"${isCurrent ? ' aria-current="page"' : ''}>${escaped(label)}</a></li>`,
  );
  return `<h2>${escaped(title)} <small>${escaped(about)}</small></h2><ul>${items.join('')}</ul>`;
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => `&#${String(character.charCodeAt(0))};`);
}
