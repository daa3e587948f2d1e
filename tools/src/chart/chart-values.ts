// values.yaml, values.schema.json and the values of the tests speak of the same values.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { CHART } from './helm.js';
import type { ValueSet } from './kept-renderings.js';

/** Values that must be refused, and what a refusal names. */
export const WRONG_VALUES: readonly (readonly [values: object, named: string])[] = [
  [{ mode: 'both' }, 'mode'],
  [{ webhok: {} }, 'webhok'],
  [{ webhook: { url: 'http://example.com' } }, 'url'],
  [{ webhook: { port: '9443' } }, 'port'],
  [{ controller: { healthProbeBindAddress: '8081' } }, 'healthProbeBindAddress'],
  [{ kcpBaseHost: 'https://kcp.example.com/clusters/root' }, 'kcpBaseHost'],
  [{ networkPolicy: { kcpPorts: [] } }, 'kcpPorts'],
];

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
  readonly definitions?: Readonly<Record<string, Schema>>;
}

/** What is wrong with the values, one line each. */
export function valueProblems(sets: readonly ValueSet[]): readonly string[] {
  const schema = JSON.parse(readFileSync(join(CHART, 'values.schema.json'), 'utf8')) as Schema;
  const validate = new Ajv({ strict: false, allErrors: true }).compile(schema);
  const refused = (file: string): readonly string[] => {
    const isValid = validate(parse(readFileSync(file, 'utf8')));
    return isValid ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${file}: ${instancePath} ${message ?? ''}`);
  };
  const valuesFile = join(CHART, 'values.yaml');
  const values: unknown = parse(readFileSync(valuesFile, 'utf8'));
  return [
    ...[valuesFile, ...sets.map(({ valueFile }) => valueFile)].flatMap(refused),
    ...pathsOf(schema, schema, [])
      .filter((path) => !hasPath(values, path))
      .map((path) => `${valuesFile} lacks ${path.join('.')}, which the schema has`),
    ...WRONG_VALUES.filter(([wrong]) => validate(wrong)).map(([wrong]) => `the schema admits ${JSON.stringify(wrong)}`),
    ...versionProblems(),
  ];
}

function versionProblems(): readonly string[] {
  const { version: app } = JSON.parse(readFileSync('apps/dep-ctrl/package.json', 'utf8')) as { readonly version: string };
  const chart = parse(readFileSync(join(CHART, 'Chart.yaml'), 'utf8')) as { readonly version: string; readonly appVersion: string };
  const isOfTheApp = chart.version === app && chart.appVersion === app;
  return isOfTheApp ? [] : [`Chart.yaml says ${chart.version} and ${chart.appVersion}, but the app is ${app}`];
}

function pathsOf(node: Schema, root: Schema, path: readonly string[]): readonly (readonly string[])[] {
  const { properties = {}, additionalProperties } =
    node.$ref === undefined ? node : (root.definitions?.[node.$ref.replace(/^.*\//, '')] ?? {});
  if (additionalProperties !== false) return [path];
  // Helm itself gives "global" to charts within charts.
  return Object.entries(properties).flatMap(([key, child]) =>
    path.length === 0 && key === 'global' ? [] : pathsOf(child, root, [...path, key]),
  );
}

function hasPath(values: unknown, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined) return true;
  return typeof values === 'object' && values !== null && key in values && hasPath((values as Record<string, unknown>)[key], rest);
}
