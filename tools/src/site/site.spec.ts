import { describe, expect, it } from '@jest/globals';
import { searchIndex } from './search-index.js';
import { buildSite } from './site.js';
import type { MenuPart } from './navigation.js';

const menuOf = (...paths: readonly string[]): readonly MenuPart[] => [
  { title: 'Start', about: 'for everybody', pages: paths.map((path) => ({ path, label: path })) },
];
const siteOf = (files: Readonly<Record<string, string>>, menu = menuOf('README.md')) =>
  buildSite({ files: Object.keys(files), read: (path) => files[path] ?? '' }, menu);

describe(buildSite, () => {
  it.each<{ given: string; files: Record<string, string>; problems: readonly string[] }>([
    {
      given: 'links to pages, headings, files and folders that there are',
      files: {
        'README.md': '# One\n\n[two](docs/two.md#part-1) [self](#one) [code](src/a.ts) [folder](src) [out](https://example.com/x.md)',
        'docs/two.md': '# Two\n\n## Part 1\n\n## Part 1\n\n[up](../README.md) [second](#part-1-1)',
        'src/a.ts': 'a < b',
      },
      problems: [],
    },
    {
      given: 'a link to a page that is gone',
      files: { 'README.md': '# One\n\n[two](docs/two.md)' },
      problems: ['README.md: docs/two.md does not exist'],
    },
    {
      given: 'a picture that is gone',
      files: { 'README.md': '# One\n\n![picture](docs/one.svg)' },
      problems: ['README.md: docs/one.svg does not exist'],
    },
    {
      given: 'a link to a heading that was renamed',
      files: { 'README.md': '# One\n\n[two](two.md#part)', 'two.md': '# Two\n\n## Another part' },
      problems: ['README.md: two.md#part names no heading'],
    },
    {
      given: 'a link to a heading of the same page that was renamed',
      files: { 'README.md': '# One\n\n[part](#part)' },
      problems: ['README.md: #part names no heading'],
    },
    {
      given: 'broken links in code, which are no links',
      files: { 'README.md': '# One\n\n`[a](gone.md)`\n\n```\n[a](gone.md)\n```\n' },
      problems: [],
    },
    {
      given: 'a lib whose README links out of its package',
      files: { 'README.md': '# One\n\n[lib](libs/a/README.md)', 'libs/a/README.md': '# a\n\n[up](../../README.md)' },
      problems: ['libs/a/README.md: ../../README.md is not in the package'],
    },
    {
      given: 'a page that nobody links to',
      files: { 'README.md': '# One', 'docs/lonely.md': '# Lonely' },
      problems: ['docs/lonely.md: no page links to it'],
    },
  ])('given $given, when the site is built, then exactly that is a problem', async ({ files, problems }) => {
    expect((await siteOf(files)).problems).toEqual(problems);
  });

  it('given a menu with a page that is gone, when the site is built, then that is a problem', async () => {
    expect((await siteOf({ 'README.md': '# One' }, menuOf('README.md', 'docs/gone.md'))).problems).toEqual([
      'the menu names docs/gone.md, which does not exist',
    ]);
  });

  it('given pages in folders, when the site is built, then their links lead to files of the site and nothing is loaded from elsewhere', async () => {
    const { written, copied } = await siteOf({
      'README.md': '# One\n\n![p](docs/p.svg) [two](docs/two.md#part-1) [docs](docs/README.md)',
      'docs/README.md': '# Docs\n\n[code](../src/a.ts)',
      'docs/two.md': '# Two\n\n## Part `1`',
      'docs/p.svg': '<svg/>',
      'src/a.ts': 'a < b',
    });

    expect(written.get('index.html')).toContain('<a href="docs/two.html#part-1">two</a>');
    expect(written.get('index.html')).toContain('<a href="docs/index.html">docs</a>');
    expect(written.get('docs/index.html')).toContain('<a href="../files/src/a.ts.html">code</a>');
    expect(written.get('docs/index.html')).toContain('href="../site.css"');
    expect(written.get('docs/two.html')).toContain('<h2 id="part-1">');
    expect(written.get('files/src/a.ts.html')).toContain('a &#60; b');
    expect([...copied]).toEqual(['docs/p.svg']);
    for (const html of written.values()) expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  });

  it('given the current page, when the site is built, then the menu marks it', async () => {
    const { written } = await siteOf({ 'README.md': '# One', 'two.md': '# Two' }, menuOf('README.md', 'two.md'));

    expect(written.get('two.html')).toContain('<a href="two.html" aria-current="page">two.md</a>');
    expect(written.get('two.html')).toContain('<a href="index.html">README.md</a>');
  });

  it('given text below a heading, when the site is built, then the search knows where it stands', async () => {
    const { search } = await siteOf({ 'README.md': '# One\n\nfirst\n\n## Two\n\nsecond `code`\n\n```\nthird\n```\n' });

    expect(search).toEqual([
      { id: 0, href: 'index.html#one', page: 'One', title: 'One', text: 'first' },
      { id: 1, href: 'index.html#two', page: 'One', title: 'Two', text: 'second code third\n' },
    ]);
    expect(searchIndex(search)).toContain('index.html#two');
  });

  it('given a flowchart, when the site is built, then it is drawn with its names; another kind of Mermaid stays text', async () => {
    const chart = '```mermaid\nflowchart LR\n  subgraph w["root:a"]\n    t["<b>one"]\n  end\n  t -->|".spec"| two & three\n```\n';
    const { written } = await siteOf({ 'README.md': `# One\n\n${chart}\n\`\`\`mermaid\npie title x\n\`\`\`\n` });

    const html = written.get('index.html') ?? '';
    expect(html.match(/<svg class="flowchart"/g)).toHaveLength(1);
    for (const text of ['root:a', '&#60;b&#62;one', '.spec', 'two', 'three']) expect(html).toContain(`>${text}</text>`);
    expect(html.match(/class="line"/g)).toHaveLength(2);
    expect(html).toContain('pie title x');
  });

  it('given arrows that follow from others, when a flowchart is drawn, then they are left out and the page says so', async () => {
    const chartOf = (lines: string): string => `# One\n\n\`\`\`mermaid\ngraph LR\n${lines}\n\`\`\`\n`;
    const linesIn = async (lines: string): Promise<readonly unknown[]> => {
      const html = (await siteOf({ 'README.md': chartOf(lines) })).written.get('index.html') ?? '';
      return [html.match(/class="line"/g)?.length, html.includes('Arrows that follow')];
    };

    expect(await linesIn('a --> b & c & d\nb --> c\nc --> d')).toEqual([3, true]);
    expect(await linesIn('a --> b & c\nb --> d\nc --> d')).toEqual([4, false]);
    expect(await linesIn('a --> b\nb --> a')).toEqual([2, false]);
  });
});
