import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { provenanceOf, type BuildFacts } from './provenance.js';
import { CHECKSUMS, PROVENANCE, artefactsOf, checksumLines, problemsOf, sha256Of, subjectsIn } from './release-folder.js';

const FACTS: BuildFacts = {
  repository: 'file:.',
  commit: 'c0ffee',
  isDirty: false,
  node: '20.20.2',
  npm: '11.0.0',
  platform: 'linux-x64',
  command: ['npm', 'run', 'release'],
  startedOn: '2026-01-01T00:00:00.000Z',
  finishedOn: '2026-01-01T00:01:00.000Z',
};
const ARTEFACTS = artefactsOf('1.2.3', { libs: ['@dep-ctrl/kcp-names'], platform: 'linux-x64' });
const HELM = 'helm';
const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** A release folder that has all that is wanted of a machine without helm. */
function released(): string {
  const folder = mkdtempSync(join(tmpdir(), 'release-'));
  folders.push(folder);
  for (const { name, needs } of ARTEFACTS) if (needs !== HELM) writeFileSync(join(folder, name), `content of ${name}`);
  writeFileSync(join(folder, PROVENANCE), JSON.stringify(provenanceOf(subjectsIn(folder), FACTS)));
  writeChecksums(folder);
  return folder;
}

function writeChecksums(folder: string): void {
  const provenance = { name: PROVENANCE, sha256: sha256Of(join(folder, PROVENANCE)) };
  writeFileSync(join(folder, CHECKSUMS), checksumLines([...subjectsIn(folder), provenance]));
}

describe(artefactsOf, () => {
  it('given a version, then program, packages, lists of parts, chart, image and changelog are there under it', () => {
    expect(ARTEFACTS.map(({ name }) => name)).toEqual([
      'CHANGELOG.md',
      'dep-ctrl-1.2.3-linux-x64',
      'dep-ctrl-1.2.3-linux-x64.cdx.json',
      'dep-ctrl-1.2.3.cjs.cdx.json',
      'dep-ctrl-1.2.3.tgz',
      'dep-ctrl-kcp-names-1.2.3.tgz',
      'dep-ctrl-chart-1.2.3.tgz',
      'dep-ctrl-image-1.2.3.tar',
    ]);
  });
});

describe(problemsOf, () => {
  it('given a whole release of a machine without helm, then nothing is wrong; with helm the chart is missing', () => {
    const folder = released();

    expect(problemsOf(folder, ARTEFACTS, [HELM])).toEqual([]);
    expect(problemsOf(folder, ARTEFACTS, [])).toEqual(['dep-ctrl-chart-1.2.3.tgz is missing']);
  });

  it.each(ARTEFACTS.filter(({ needs }) => needs !== HELM))('given a release without $name, then it is missing', ({ name }) => {
    const folder = released();
    rmSync(join(folder, name));

    expect(problemsOf(folder, ARTEFACTS, [HELM])).toEqual([`${name} is missing`, `${CHECKSUMS} names ${name}, which is not there`]);
  });

  it('given an artefact that was changed afterwards, then neither checksum nor provenance fit', () => {
    const folder = released();
    appendFileSync(join(folder, 'CHANGELOG.md'), 'more');

    expect(problemsOf(folder, ARTEFACTS, [HELM])).toEqual([
      `CHANGELOG.md is not what ${CHECKSUMS} says`,
      `${PROVENANCE} does not vouch for CHANGELOG.md`,
    ]);
  });

  it('given an artefact whose checksum was left out, then that is told', () => {
    const folder = released();
    const lines = readFileSync(join(folder, CHECKSUMS), 'utf8').split('\n');
    writeFileSync(join(folder, CHECKSUMS), lines.filter((line) => !line.endsWith('  dep-ctrl-1.2.3.tgz')).join('\n'));

    expect(problemsOf(folder, ARTEFACTS, [HELM])).toEqual(['dep-ctrl-1.2.3.tgz has no checksum']);
  });

  it('given a file that is no artefact, then that is told', () => {
    const folder = released();
    writeFileSync(join(folder, 'notes.txt'), 'x');
    writeChecksums(folder);

    expect(problemsOf(folder, ARTEFACTS, [HELM])).toEqual([
      'notes.txt is no part of a release',
      `${PROVENANCE} does not vouch for notes.txt`,
    ]);
  });

  it('given no checksums and no provenance, then both are missing', () => {
    const folder = released();
    rmSync(join(folder, CHECKSUMS));
    rmSync(join(folder, PROVENANCE));

    expect(problemsOf(folder, ARTEFACTS, [HELM])).toEqual([`${CHECKSUMS} is missing`, `${PROVENANCE} is missing`]);
  });
});

describe(provenanceOf, () => {
  it('given artefacts and a build, then the statement names each with its content, the commit and what built it', () => {
    expect(provenanceOf([{ name: 'a', sha256: 'abc' }], FACTS)).toMatchObject({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [{ name: 'a', digest: { sha256: 'abc' } }],
      predicateType: 'https://slsa.dev/provenance/v1',
      predicate: {
        buildDefinition: { resolvedDependencies: [{ digest: { gitCommit: 'c0ffee' } }, { uri: 'pkg:generic/node@20.20.2' }] },
        runDetails: { builder: { id: 'local' }, metadata: { startedOn: FACTS.startedOn } },
      },
    });
  });
});
