// Writes deploy/kcp, docs/reference, docs/sabotage.md and what is generated of deploy/chart and deploy/dashboards from the sources: `npm run generate`. With --check it
// writes nothing and fails when a file is not what the sources say.

import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { stringify } from 'yaml';
import { chartFiles } from './chart/chart-files.js';
import { commands } from './app-sources.js';
import { manPages } from './man-pages.js';
import { manifestFiles, type ManifestFile } from './manifest-files.js';
import { referencePages, type ReferencePage } from './reference-pages.js';
import { sabotagePage } from './sabotage-page.js';

const MANIFESTS = 'deploy/kcp';
const REFERENCE = 'docs/reference';
const MAN = 'docs/reference/man';
const SABOTAGE = 'docs/sabotage.md';
const HOW = 'Generated: change the sources and run "npm run generate".';

async function main(args: readonly string[]): Promise<number> {
  if (args.some((arg) => arg !== '--check')) {
    process.stderr.write(`generate: unknown argument ${args.join(' ')}: expected nothing or --check\n`);
    return 2;
  }
  const wanted = new Map([
    ...manifestFiles().map((file) => [join(MANIFESTS, file.name), manifestText(file)] as const),
    ...(await Promise.all(referencePages().map(async (file) => [join(REFERENCE, file.name), await pageText(file)] as const))),
    ...(await Promise.all(chartFiles().map(async ({ path, text }) => [path, await laidOut(path, text)] as const))),
    [SABOTAGE, await laidOut(SABOTAGE, `<!-- ${HOW} -->\n\n${sabotagePage()}`)] as const,
    ...manPages(commands).map(({ name, text }) => [join(MAN, name), text] as const),
  ]);
  const existing = [...filesIn(MANIFESTS, '.yaml'), ...filesIn(REFERENCE, '.md'), ...filesIn(MAN, '.1')];
  const stale = existing.filter((path) => !wanted.has(path));
  const drifted = [...wanted].filter(([path, text]) => text !== readIfExists(path)).map(([path]) => path);
  if (!args.includes('--check')) {
    for (const path of stale) rmSync(path);
    for (const path of drifted) write(path, wanted.get(path) ?? '');
    return 0;
  }
  for (const path of drifted) process.stderr.write(`${path} is not what the sources say: run "npm run generate"\n`);
  for (const path of stale) process.stderr.write(`${path} has no source any more: run "npm run generate"\n`);
  return drifted.length + stale.length === 0 ? 0 : 1;
}

function manifestText({ about, objects }: ManifestFile): string {
  const comments = [...about, HOW].map((line) => `# ${line}\n`).join('');
  return comments + objects.map((object) => stringify(object, { lineWidth: 0, aliasDuplicateObjects: false })).join('---\n');
}

async function pageText({ name, text }: ReferencePage): Promise<string> {
  return laidOut(join(REFERENCE, name), `<!-- ${HOW} -->\n\n${text}`);
}

/** As the check of the format wants it. */
async function laidOut(file: string, text: string): Promise<string> {
  const path = join(process.cwd(), file);
  return format(text, { ...(await resolveConfig(path)), filepath: path });
}

function filesIn(folder: string, ending: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith(ending)).map((name) => join(folder, name));
}

function readIfExists(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

process.exitCode = await main(process.argv.slice(2));
