import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it } from '@jest/globals';

type Manifest = Readonly<Record<string, unknown>>;
interface Checks {
  readonly packageProblems: (manifest: Manifest, files: ReadonlyMap<string, string>, root: Manifest) => readonly string[];
}
interface Packing {
  readonly packedManifest: (manifest: Manifest, place: { readonly folder: string; readonly root: Manifest }) => Manifest;
}

const TOOLS = fileURLToPath(new URL('../..', import.meta.url));
const load = (file: string): Promise<unknown> => import(pathToFileURL(join(TOOLS, file)).href);
const { packageProblems } = (await load('checks/package-problems.mjs')) as Checks;
const { packedManifest } = (await load('packed-manifest.mjs')) as Packing;

const REPOSITORY = { type: 'git', url: 'git+https://git.example.com/a/b.git' };
const ROOT = { repository: REPOSITORY, bugs: { url: 'https://git.example.com/a/b/issues' } };
const ENTRY = { types: './dist/index.d.ts', import: './dist/index.js', default: './dist/index.js' };
const IN_REPOSITORY = {
  name: '@dep-ctrl/lib',
  version: '0.1.2',
  description: 'A lib.',
  license: 'Apache-2.0',
  type: 'module',
  engines: { node: '>=20.19' },
  files: ['dist'],
  exports: { '.': { '@dep-ctrl/source': './src/index.ts', ...ENTRY }, './package.json': './package.json' },
  types: './dist/index.d.ts',
  dependencies: { '@dep-ctrl/other': '0.1.2', yaml: '^2.9.1' },
  devDependencies: { '@dep-ctrl/tests': '0.1.2' },
};
const PACKED = packedManifest(IN_REPOSITORY, { folder: 'libs/lib', root: ROOT });
const FILES: Readonly<Record<string, string>> = {
  LICENSE: '',
  'README.md': 'ESM only',
  'package.json': '',
  'src/index.ts': '',
  'dist/index.js': '',
  'dist/index.d.ts': '',
  'dist/index.js.map': '{"sources":["../src/index.ts"]}',
};

describe('the manifest that a package is published with', () => {
  it('given the one of the repository, then it has ranges, the repository, and nothing that only helps here', () => {
    expect(PACKED).toEqual({
      name: '@dep-ctrl/lib',
      version: '0.1.2',
      description: 'A lib.',
      license: 'Apache-2.0',
      type: 'module',
      engines: { node: '>=20.19' },
      exports: { '.': ENTRY, './package.json': './package.json' },
      types: './dist/index.d.ts',
      dependencies: { '@dep-ctrl/other': '^0.1.2', yaml: '^2.9.1' },
      repository: { ...REPOSITORY, directory: 'libs/lib' },
      bugs: ROOT.bugs,
      publishConfig: { access: 'public' },
    });
  });

  it('given a root that names no repository, then it names none', () => {
    const { repository, bugs } = packedManifest(IN_REPOSITORY, { folder: 'libs/lib', root: {} });

    expect([repository, bugs]).toEqual([undefined, undefined]);
  });
});

describe('the check of packages', () => {
  it('given a package as it is packed, then it has no complaint', () => {
    expect(packageProblems(PACKED, new Map(Object.entries(FILES)), ROOT)).toEqual([]);
  });

  it.each<{ given: string; manifest?: Manifest; files?: Readonly<Record<string, string | undefined>>; says: string }>([
    { given: 'no licence', files: { LICENSE: undefined }, says: 'the tarball has no LICENSE' },
    { given: 'no engines', manifest: { engines: undefined }, says: 'package.json has no "engines"' },
    { given: 'a spec', files: { 'src/index.spec.ts': '' }, says: 'the tarball holds src/index.spec.ts' },
    { given: 'a file from elsewhere', files: { 'jest.config.mjs': '' }, says: 'the tarball holds jest.config.mjs' },
    { given: 'what specs share', files: { 'src/spec-support/a.ts': '' }, says: 'the tarball holds src/spec-support/a.ts' },
    { given: 'a pin', manifest: { dependencies: { yaml: '2.9.1' } }, says: 'it depends on yaml 2.9.1: a pin; give the range ^2.9.1' },
    {
      given: 'a package that npm would keep private',
      manifest: { publishConfig: {} },
      says: 'publishConfig.access is not "public": npm keeps a scoped package private otherwise',
    },
    { given: 'another repository', manifest: { repository: { url: 'x', directory: 'y' } }, says: '"repository" is not that of the root' },
    { given: 'a repository without the folder', manifest: { repository: REPOSITORY }, says: '"repository" names no directory' },
    { given: 'no place for bugs', manifest: { bugs: undefined }, says: '"bugs" is not that of the root' },
    {
      given: 'an entry that is not built',
      manifest: { exports: { './more': './dist/more.js' } },
      says: 'exports["./more"] names ./dist/more.js, which is not in the tarball',
    },
    {
      given: 'the condition for our sources',
      manifest: { exports: { '.': { '@dep-ctrl/source': './src/index.ts' } } },
      says: 'exports["."]["@dep-ctrl/source"] is a condition of this repository alone',
    },
    {
      given: 'a map of a source that is gone',
      files: { 'dist/old.js.map': '{"sources":["../src/old.ts"]}' },
      says: 'dist/old.js.map points to src/old.ts, which is not in the tarball',
    },
    {
      given: 'a README without a word on modules',
      files: { 'README.md': '# a' },
      says: 'README.md does not say which ways to import it are not claimed ("ESM only")',
    },
  ])('given $given, then it says so', ({ manifest = {}, files = {}, says }) => {
    const shipped = Object.entries({ ...FILES, ...files }).flatMap(([path, text]) => (text === undefined ? [] : [[path, text] as const]));

    expect(packageProblems({ ...PACKED, ...manifest }, new Map(shipped), ROOT)).toEqual([`@dep-ctrl/lib: ${says}`]);
  });
});
