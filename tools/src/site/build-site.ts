// `npm run docs`: the documents as a site in dist/docs, to be opened as a file. With --check it writes nothing. Either way it fails when a link
// leads nowhere, or an exported name of a lib has no comment.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { apiReference, type EntryPoint } from './api-reference.js';
import { buildSite, type Site } from './site.js';
import { MENU } from './navigation.js';
import { searchIndex } from './search-index.js';

const OUT = 'dist/docs';
const ASSETS = 'tools/src/site/assets';

async function main(args: readonly string[]): Promise<number> {
  if (args.some((arg) => arg !== '--check')) {
    process.stderr.write(`docs: unknown argument ${args.join(' ')}: expected nothing or --check\n`);
    return 2;
  }
  const reference = apiReference(entryPoints());
  const files = [...ownFiles(), ...reference.pages.keys()];
  const site = await buildSite({ files, read: (path) => reference.pages.get(path) ?? readFileSync(path, 'utf8') }, MENU);
  const problems = [...reference.problems, ...site.problems];
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length > 0) return 1;
  if (!args.includes('--check')) write(site);
  const where = args.includes('--check') ? '' : `; open ${join(process.cwd(), OUT, 'index.html')}`;
  process.stdout.write(`${String(site.written.size)} pages, ${String(site.links)} links lead somewhere${where}\n`);
  return 0;
}

/** What the manifests of the libs say. */
function entryPoints(): readonly EntryPoint[] {
  return readdirSync('libs').flatMap((lib) => {
    const manifest = JSON.parse(readFileSync(join('libs', lib, 'package.json'), 'utf8')) as {
      readonly name: string;
      readonly exports: Readonly<Record<string, string | { readonly '@dep-ctrl/source'?: string }>>;
    };
    return Object.entries(manifest.exports).flatMap(([entry, target]) => {
      const source = typeof target === 'string' ? undefined : target['@dep-ctrl/source'];
      return source === undefined ? [] : [{ lib, name: join(manifest.name, entry), source: resolve('libs', lib, source) }];
    });
  });
}

function ownFiles(): readonly string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8', maxBuffer: 2 ** 26 });
  return listed.split('\n').filter((file) => file !== '' && existsSync(file));
}

function write({ written, copied, search }: Site): void {
  rmSync(OUT, { recursive: true, force: true });
  const minisearch = createRequire(join(process.cwd(), 'package.json'))
    .resolve('minisearch')
    .replace(/dist\/cjs\/index\.cjs$/, 'dist/umd/index.js');
  const texts = new Map([...written, ['search-index.js', searchIndex(search)] as const]);
  const copies = [...copied].map((path) => [path, path] as const);
  const assets = ['site.css', 'site.js'].map((name) => [join(ASSETS, name), name] as const);
  for (const [path, text] of texts) writeFileSync(made(path), text);
  for (const [from, to] of [...copies, ...assets, [minisearch, 'minisearch.js'] as const]) copyFileSync(from, made(to));
}

/** A path of the site, in a folder that there is. */
function made(path: string): string {
  const file = join(OUT, path);
  mkdirSync(dirname(file), { recursive: true });
  return file;
}

process.exitCode = await main(process.argv.slice(2));
