// What is in a release, and whether a folder holds all of it, unchanged.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Subject } from './provenance.js';

/** Names of the files in a release folder that are about the others. */
export const CHECKSUMS = 'SHA256SUMS';
export const PROVENANCE = 'provenance.intoto.json';

/** An artefact that a release has. `needs`: what a machine must have to make it; without that a dry run goes on, and says so. */
export interface Artefact {
  readonly name: string;
  readonly needs?: 'helm' | 'a container engine';
}

/** Every artefact of a version; `libs` are the names of the published packages, `platform` is that of the executable: `linux-x64`. */
export function artefactsOf(
  version: string,
  { libs, platform }: { readonly libs: readonly string[]; readonly platform: string },
): readonly Artefact[] {
  return [
    { name: 'CHANGELOG.md' },
    { name: `dep-ctrl-${version}-${platform}` },
    { name: `dep-ctrl-${version}-${platform}.cdx.json` },
    { name: `dep-ctrl-${version}.cjs.cdx.json` },
    ...['dep-ctrl', ...libs].map((name) => ({ name: `${name.replace('@', '').replace('/', '-')}-${version}.tgz` })),
    { name: `dep-ctrl-chart-${version}.tgz`, needs: 'helm' as const },
    { name: `dep-ctrl-image-${version}.tar`, needs: 'a container engine' as const },
  ];
}

/** The files of a folder by content, without those that are about the others. */
export function subjectsIn(folder: string): readonly Subject[] {
  const names = readdirSync(folder).filter((name) => name !== CHECKSUMS && name !== PROVENANCE);
  return names.toSorted().map((name) => ({ name, sha256: sha256Of(join(folder, name)) }));
}

/** As sha256sum writes and reads them. */
export function checksumLines(subjects: readonly Subject[]): string {
  return subjects.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join('');
}

/** The checksum of a file. */
export function sha256Of(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/** What is wrong with a release folder. `without`: what this machine lacks. */
export function problemsOf(folder: string, artefacts: readonly Artefact[], without: readonly string[]): readonly string[] {
  const wanted = artefacts.filter(({ needs }) => needs === undefined || !without.includes(needs)).map(({ name }) => name);
  const there = subjectsIn(folder);
  const missing = wanted.filter((name) => !there.some((subject) => subject.name === name));
  const surplus = there.filter(({ name }) => !wanted.includes(name));
  return [
    ...missing.map((name) => `${name} is missing`),
    ...surplus.map(({ name }) => `${name} is no part of a release`),
    ...checksumProblems(folder, there),
    ...provenanceProblems(folder, there),
  ];
}

function checksumProblems(folder: string, there: readonly Subject[]): readonly string[] {
  const file = join(folder, CHECKSUMS);
  if (!existsSync(file)) return [`${CHECKSUMS} is missing`];
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  const listed = new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
  const expected = [
    ...there,
    ...(existsSync(join(folder, PROVENANCE)) ? [{ name: PROVENANCE, sha256: sha256Of(join(folder, PROVENANCE)) }] : []),
  ];
  return [
    ...expected
      .filter(({ name, sha256 }) => listed.get(name) !== sha256)
      .map(({ name }) => (listed.has(name) ? `${name} is not what ${CHECKSUMS} says` : `${name} has no checksum`)),
    ...[...listed.keys()]
      .filter((name) => !expected.some((each) => each.name === name))
      .map((name) => `${CHECKSUMS} names ${name}, which is not there`),
  ];
}

function provenanceProblems(folder: string, there: readonly Subject[]): readonly string[] {
  const file = join(folder, PROVENANCE);
  if (!existsSync(file)) return [`${PROVENANCE} is missing`];
  const { subject } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly subject: readonly { name: string; digest: { sha256: string } }[];
  };
  const named = new Map(subject.map(({ name, digest }) => [name, digest.sha256]));
  return there.filter(({ name, sha256 }) => named.get(name) !== sha256).map(({ name }) => `${PROVENANCE} does not vouch for ${name}`);
}
