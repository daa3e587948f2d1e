import { describe, expect, it } from '@jest/globals';
import type { WorkspacePath } from '@dep-ctrl/kcp-names';
import { namingPaths } from './naming-paths.js';

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;

describe(namingPaths, () => {
  it.each<{ given: string; fields: object | undefined; expected: object | undefined }>([
    {
      given: 'a cluster whose path is known',
      fields: { cluster: 'abc', rule: 'r' },
      expected: { cluster: 'abc', rule: 'r', path: 'root:compute' },
    },
    { given: 'a cluster whose path is not known', fields: { cluster: 'xyz' }, expected: { cluster: 'xyz' } },
    {
      given: 'a line that says the path itself',
      fields: { cluster: 'abc', path: 'root:old' },
      expected: { cluster: 'abc', path: 'root:old' },
    },
    { given: 'no cluster', fields: { rule: 'r' }, expected: { rule: 'r' } },
    { given: 'no fields', fields: undefined, expected: undefined },
  ])('given $given, then the line of any level says $expected', ({ fields, expected }) => {
    const written: unknown[] = [];
    const write = (message: string, given?: object): void => void written.push([message, given]);
    const logger = namingPaths({ debug: write, info: write, warn: write, error: write }, (cluster) =>
      cluster === 'abc' ? ('root:compute' as WorkspacePath) : undefined,
    );

    for (const level of LEVELS) logger[level]('a message', fields as Record<string, unknown> | undefined);

    expect(written).toEqual(LEVELS.map(() => ['a message', expected]));
  });
});
