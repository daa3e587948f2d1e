// `npm run sbom`: what is in the program, as CycloneDX: dep-ctrl.cjs.cdx.json of the bundle, dep-ctrl.cdx.json of the single file, which holds Node too.
// npm knows the packages with their licences; the bundle knows which of them are in it. The same bundle gives the same files.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ensureBundle } from './start.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const MOST_NAMED = 10;

/** Writes both lists beside the bundle, and answers how many components each has, by file. Throws where the bundle holds what npm does not know. */
export async function writeSboms() {
  const folder = dirname(await ensureBundle());
  const known = knownToNpm();
  const inBundle = refsIn(JSON.parse(readFileSync(join(folder, 'inputs.json'), 'utf8')).inputs);
  const parts = known.components.filter((component) => inBundle.has(component['bom-ref']));
  const missing = [...inBundle].filter((ref) => !parts.some((part) => part['bom-ref'] === ref)).sort();
  if (missing.length > 0) throw new Error(`in the bundle, and unknown to npm: ${missing.slice(0, MOST_NAMED).join(', ')}`);
  const lists = [
    [join(folder, 'dep-ctrl.cjs.cdx.json'), listOf(parts, known)],
    [join(folder, 'dep-ctrl.cdx.json'), listOf([...parts, nodeInside()], known)],
  ];
  for (const [file, list] of lists) writeFileSync(file, `${JSON.stringify(list, undefined, 2)}\n`);
  return lists.map(([file, { components }]) => ({ file, components: components.length }));
}

/** Every package that is installed, those for development too: the bundle says which count. */
function knownToNpm() {
  const printed = execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 2 ** 26,
  });
  return JSON.parse(printed);
}

/** The packages whose files went into the bundle, as npm refers to them. */
function refsIn(inputs) {
  const folders = inputs.flatMap((input) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+|^(?:libs|apps)\/[^/]+/.exec(input)?.[0] ?? []);
  return new Set([...new Set(folders)].map((folder) => refOf(packageIn(folder))));
}

function packageIn(folder) {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
}

function refOf({ name, version }) {
  return `${name}@${version}`;
}

function nodeInside() {
  const { node } = process.versions;
  const licenses = [{ license: { id: 'MIT' } }];
  return { 'bom-ref': `node@${node}`, type: 'platform', name: 'node', version: node, purl: `pkg:generic/node@${node}`, licenses };
}

function listOf(parts, { $schema, bomFormat, specVersion, metadata, dependencies }) {
  const { name, version, license: id } = packageIn('apps/dep-ctrl');
  const self = refOf({ name, version });
  const refs = new Set([self, ...parts.map((part) => part['bom-ref'])]);
  const content = {
    metadata: {
      lifecycles: metadata.lifecycles,
      tools: metadata.tools,
      component: {
        'bom-ref': self,
        type: 'application',
        name,
        version,
        purl: `pkg:npm/${name}@${version}`,
        licenses: [{ license: { id } }],
      },
    },
    components: parts.filter((part) => part['bom-ref'] !== self),
    dependencies: dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) })),
  };
  return { $schema, bomFormat, specVersion, serialNumber: `urn:uuid:${uuidOf(JSON.stringify(content))}`, version: 1, ...content };
}

/** A UUID (version 8) that is made of a text: neither the time nor chance is in the list. */
function uuidOf(text) {
  const hex = createHash('sha256').update(text).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-');
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const { file, components } of await writeSboms()) process.stdout.write(`${file}: ${String(components)} components\n`);
}
