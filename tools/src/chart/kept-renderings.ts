// What Helm made of a set of values is kept beside it, deploy/chart/tests/NAME.yaml, and stands for it where there is no Helm. Its first line says of which
// state of the chart it is, so that it cannot be an old one.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { CHART } from './helm.js';
import type { RenderedObject } from './rendered-object.js';

const TESTS = join(CHART, 'tests');

/** A set of values, and what is kept of it. */
export interface ValueSet {
  readonly name: string;
  readonly valueFile: string;
  readonly keptFile: string;
}

/** Every set of values in the tests of the chart. */
export function valueSets(): readonly ValueSet[] {
  const names = readdirSync(TESTS).flatMap((file) => /^(.*)\.values\.yaml$/.exec(file)?.[1] ?? []);
  return names.map((name) => ({ name, valueFile: join(TESTS, `${name}.values.yaml`), keptFile: join(TESTS, `${name}.yaml`) }));
}

/** What is kept of a rendering: sorted, without what differs from run to run and from version to version. */
export function keptText(rendered: string, set: ValueSet): string {
  const objects = objectsIn(rendered).map(withoutChance);
  const sorted = objects.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return `${firstLineFor(set)}\n${sorted.map((object) => stringify(object, { lineWidth: 0, aliasDuplicateObjects: false })).join('---\n')}`;
}

/** What is kept, if it is of the chart as it is now. */
export function keptObjects(set: ValueSet): readonly RenderedObject[] | undefined {
  const text = existsSync(set.keptFile) ? readFileSync(set.keptFile, 'utf8') : '';
  return text.startsWith(`${firstLineFor(set)}\n`) ? objectsIn(text) : undefined;
}

/** The objects of a manifest. */
export function objectsIn(manifest: string): RenderedObject[] {
  const objects: unknown[] = parseAllDocuments(manifest).map((document) => document.toJS() as unknown);
  return objects.filter((object): object is RenderedObject => typeof object === 'object' && object !== null);
}

function firstLineFor({ valueFile }: ValueSet): string {
  const templates = readdirSync(join(CHART, 'templates'))
    .filter((file) => file !== 'NOTES.txt')
    .map((file) => join('templates', file));
  const hash = createHash('sha256');
  for (const file of [...templates.sort(), 'values.yaml', 'files/alerts.yaml'])
    hash.update(`${file}\0${readFileSync(join(CHART, file), 'utf8')}\0`);
  hash.update(readFileSync(valueFile, 'utf8'));
  return `# Rendered by Helm from the state ${hash.digest('hex').slice(0, 16)} of chart and values; "npm run chart -- --write" renders again.`;
}

function keyOf({ kind, metadata }: RenderedObject): string {
  return `${kind}/${metadata.name}`;
}

function withoutChance(object: RenderedObject): RenderedObject {
  const { version } = parse(readFileSync(join(CHART, 'Chart.yaml'), 'utf8')) as { readonly version: string };
  const text = JSON.stringify(object)
    .replaceAll(`"dep-ctrl-${version}"`, '"dep-ctrl-VERSION"')
    .replaceAll(`"dep-ctrl:${version}"`, '"dep-ctrl:VERSION"')
    .replaceAll(`"app.kubernetes.io/version":"${version}"`, '"app.kubernetes.io/version":"VERSION"');
  const kept = JSON.parse(text) as RenderedObject;
  if (kept.kind !== 'Secret' && kept.kind !== 'ConfigMap') return kept;
  const instead = kept.kind === 'Secret' ? Buffer.from('made by Helm').toString('base64') : 'deploy/dashboards/dep-ctrl.json\n';
  return { ...kept, data: Object.fromEntries(Object.keys(kept.data ?? {}).map((key): [string, string] => [key, instead])) };
}
