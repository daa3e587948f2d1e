import { describe, expect, it } from '@jest/globals';
import { readSettings } from '@dep-ctrl/command-settings';
import { checkDev, devSettings } from './dev-settings.js';
import { VARIABLE_PREFIX } from '../command-line/define-command.js';

function check(flags: Record<string, string>) {
  const values = readSettings(devSettings, new Map(Object.entries(flags).map(([flag, text]) => [flag, [text]])), {
    env: {},
    prefix: VARIABLE_PREFIX,
  });
  return values.ok ? checkDev(values.value) : values;
}

describe(checkDev, () => {
  it('given nothing, then a new kcp with one shard tells the story and stays', () => {
    expect(check({})).toMatchObject({
      ok: true,
      value: { dir: '.dep-ctrl', once: false, empty: false, kcp: { kind: 'embedded', port: 6443, shards: 1 } },
    });
  });

  it('given a port and shards, then the new kcp has those', () => {
    expect(check({ '--port': '0', '--shards': '3', '--dir': 'x', '--empty': 'true' })).toMatchObject({
      ok: true,
      value: { dir: 'x', once: false, empty: true, kcp: { kind: 'embedded', port: 0, shards: 3 } },
    });
  });

  it('given a kubeconfig, then the story is told there', () => {
    expect(check({ '--against': 'a.kubeconfig', '--context': 'root', '--once': 'true' })).toMatchObject({
      ok: true,
      value: { once: true, kcp: { kind: 'given', kubeconfig: 'a.kubeconfig', context: 'root', adopt: false } },
    });
  });

  it.each([
    { flags: { '--once': 'true', '--empty': 'true' }, starts: '--once and --empty exclude each other' },
    { flags: { '--context': 'root', '--adopt': 'true' }, starts: '--context needs --against' },
    { flags: { '--adopt': 'true' }, starts: '--adopt needs --against' },
    { flags: { '--against': 'a', '--port': '1' }, starts: '--port belongs to the embedded kcp' },
    { flags: { '--against': 'a', '--shards': '2' }, starts: '--shards belongs to the embedded kcp' },
    { flags: { '--shards': '0' }, starts: '--shards must be a number of at least 1' },
    { flags: { '--port': '70000' }, starts: '--port must be a port between 0 and 65535' },
  ])('given $flags, then the problem starts with "$starts"', ({ flags, starts }) => {
    expect(check(flags)).toEqual({ ok: false, problem: expect.stringMatching(new RegExp(`^${starts}`)) });
  });
});

describe('the flags of dev', () => {
  it('given each flag, then it says in a sentence what it is about, and has a name of its value unless it is a switch', () => {
    const flags = Object.values(devSettings);

    expect(flags.filter(({ about }) => about.length < 20)).toEqual([]);
    expect(flags.map(({ flag, value = '' }) => `${flag} ${value}`.trim())).toEqual([
      '--dir DIR',
      '--port PORT',
      '--shards N',
      '--once',
      '--empty',
      '--against KUBECONFIG',
      '--context NAME',
      '--adopt',
      '--log-format FORMAT',
      '--log-level LEVEL',
    ]);
  });
});
