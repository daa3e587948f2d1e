// docs/kubernetes.md tells what became of each value of the original's chart, and the values of which it speaks exist.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const textOf = (name: string) => readFileSync(join(ROOT, name), 'utf8');
const page = textOf('docs/kubernetes.md');
const values: unknown = parse(textOf('deploy/chart/values.yaml'));

/** Values that people replace as a whole. */
const WHOLE = /(?:resources|annotations|nodeSelector|tolerations|affinity|imagePullSecrets|additionalDnsNames)$/;

describe('docs/kubernetes.md', () => {
  it('given the values of the original, then the table has each of them once', () => {
    const rows = (page.split('## Coming from')[1] ?? '').split('\n').filter((line) => line.startsWith('| `'));
    const named = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, value]) => value));

    expect([...named].sort()).toEqual([...leavesOf(parse(textOf('deploy/chart/tests/original.values.yaml')))].sort());
  });

  it('given a value that it names, then the chart has it', () => {
    const named = [...page.matchAll(/`((?:webhook|controller|all|urlToken|image|networkPolicy)\.[A-Za-z.]+)(?:[:=][^`]*)?`/g)].map(
      ([, path]) => path,
    );

    expect(named.length).toBeGreaterThan(20);
    for (const path of named) expect([path, find(values, path?.split('.') ?? [])]).not.toEqual([path, undefined]);
  });
});

function leavesOf(value: unknown, path = ''): readonly string[] {
  if (WHOLE.test(path) || typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, child]) => leavesOf(child, path === '' ? key : `${path}.${key}`));
}

function find(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return value;
  return typeof value === 'object' && value !== null ? find((value as Record<string, unknown>)[key], rest) : undefined;
}
