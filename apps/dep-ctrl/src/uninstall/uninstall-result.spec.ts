import { describe, expect, it } from '@jest/globals';
import { logicalCluster } from '@dep-ctrl/kcp-names';
import type { Removed } from './remove-in-order.js';
import { asText, type UninstallResult } from './uninstall-result.js';

const clean: UninstallResult = { removals: [], problems: [], others: [], stays: [], held: [], extending: [] };
const removed = (changes: Partial<Removed>): Removed => ({
  cluster: logicalCluster('c'),
  action: 'delete-guard',
  name: 'x',
  place: 'the shard of FILE',
  state: 'done',
  ...changes,
});
const NOTHING_LEFT = 'no configuration and no guard of dep-ctrl is left\n';

describe(asText, () => {
  it.each<{ action: Removed['action']; expected: string }>([
    { action: 'delete-admission', expected: 'c: admission configuration removed\n' },
    { action: 'delete-configuration', expected: 'c: configuration removed\n' },
    { action: 'delete-guard', expected: 'c: guard removed\n' },
    { action: 'release-guard', expected: "c: provider's guard released\n" },
    { action: 'mark-rule', expected: 'c: rule x marked as Uninstalled\n' },
    { action: 'delete-right', expected: 'x, the shard of FILE: removed\n' },
    { action: 'delete-protection', expected: 'c: x removed\n' },
    { action: 'delete-type', expected: 'c: WorkspaceType x removed\n' },
  ])('given $action that was done, then its line says so, and that nothing is left', ({ action, expected }) => {
    expect(asText({ ...clean, removals: [removed({ action })] })).toBe(`${expected}${NOTHING_LEFT}`);
  });

  it.each<{ given: string; changes: Partial<Removed>; expected: string }>([
    { given: 'with a path', changes: { path: 'root:a', state: 'planned' }, expected: 'root:a (c): guard would be removed\n' },
    { given: 'that is planned', changes: { state: 'planned' }, expected: 'c: guard would be removed\n' },
    { given: 'that failed', changes: { state: 'failed', problem: 'no answer' }, expected: 'c: guard not removed: no answer\n' },
    { given: 'that failed without a word', changes: { state: 'failed' }, expected: 'c: guard not removed: \n' },
  ])('given one $given, then its line says so, and nothing is said to be gone', ({ changes, expected }) => {
    expect(asText({ ...clean, removals: [removed(changes)] })).toBe(expected);
  });

  it('given one that was done and one that failed, then nothing is said to be gone', () => {
    expect(asText({ ...clean, removals: [removed({}), removed({ state: 'failed', problem: 'p' })] })).toBe(
      'c: guard removed\nc: guard not removed: p\n',
    );
  });

  it.each<{ given: string; changes: Partial<UninstallResult>; expected: string }>([
    { given: 'nothing to remove', changes: {}, expected: NOTHING_LEFT },
    {
      given: 'a place that could not be looked at',
      changes: { problems: ['https://s: no answer'] },
      expected: 'cannot look at https://s: no answer\n',
    },
    {
      given: 'another installation on the same shards',
      changes: { others: [{ owner: 'o', workspaces: [] }] },
      expected: 'no configuration and no guard of this installation is left\n',
    },
    {
      given: 'an owner that is gone',
      changes: { goneOwner: logicalCluster('g'), others: [{ owner: 'o', workspaces: [] }] },
      expected: 'no configuration and no guard of the installation "g" is left\n',
    },
    {
      given: 'things that stay',
      changes: { stays: [{ what: 'a binding', removedBy: 'kubectl delete' }] },
      expected: `${NOTHING_LEFT}stays: a binding: kubectl delete\n`,
    },
    {
      given: 'among harmless things one that may refuse deletes',
      changes: {
        stays: [
          { what: 'a binding', removedBy: 'kubectl delete' },
          { what: 'a shard', removedBy: 'give it', refuses: true },
        ],
      },
      expected: 'stays: a binding: kubectl delete\nstays: a shard: give it\n',
    },
    {
      given: 'a reason to stop',
      changes: { stop: 'a controller runs' },
      expected: `${NOTHING_LEFT}it would stop, and remove nothing: a controller runs\n`,
    },
  ])('given $given, then that is told', ({ changes, expected }) => {
    expect(asText({ ...clean, ...changes })).toBe(expected);
  });
});
