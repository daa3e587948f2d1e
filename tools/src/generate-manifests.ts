// Writes deploy/kcp from the sources: `npm run generate`. With --check it writes nothing and fails when a file is not what the sources say.

import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { manifestFiles, type ManifestFile } from './manifest-files.js';

const FOLDER = join(process.cwd(), 'deploy/kcp');

function main(args: readonly string[]): number {
  if (args.some((arg) => arg !== '--check')) {
    process.stderr.write(`generate: unknown argument ${args.join(' ')}: expected nothing or --check\n`);
    return 2;
  }
  const wanted = new Map(manifestFiles().map((file) => [file.name, textOf(file)]));
  const stale = existingFiles().filter((name) => !wanted.has(name));
  const drifted = [...wanted].filter(([name, text]) => text !== readIfExists(join(FOLDER, name))).map(([name]) => name);
  if (!args.includes('--check')) {
    for (const name of stale) rmSync(join(FOLDER, name));
    for (const name of drifted) write(join(FOLDER, name), wanted.get(name) ?? '');
    return 0;
  }
  for (const name of drifted) process.stderr.write(`deploy/kcp/${name} is not what the sources say: run "npm run generate"\n`);
  for (const name of stale) process.stderr.write(`deploy/kcp/${name} has no source any more: run "npm run generate"\n`);
  return drifted.length + stale.length === 0 ? 0 : 1;
}

function textOf({ about, objects }: ManifestFile): string {
  const comments = [...about, 'Generated: change the sources and run "npm run generate".'].map((line) => `# ${line}\n`).join('');
  return comments + objects.map((object) => stringify(object, { lineWidth: 0, aliasDuplicateObjects: false })).join('---\n');
}

function existingFiles(): readonly string[] {
  if (!existsSync(FOLDER)) return [];
  return readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yaml'));
}

function readIfExists(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

process.exitCode = main(process.argv.slice(2));
