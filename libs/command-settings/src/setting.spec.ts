import { describe, expect, it } from '@jest/globals';
import { parseChoice, parsePort, parseText } from './parse-values.js';
import { environmentName, optional, readSettings, repeated, required, toggle, variableOf, withDefault } from './setting.js';

const settings = {
  url: required({ flag: '--webhook-url', value: 'URL', about: '', parse: parseText }),
  port: withDefault({ flag: '--webhook-port', value: 'PORT', about: '', parse: parsePort }, '9443'),
  dir: optional({ flag: '--dir', value: 'DIR', about: '', parse: parseText }),
  shards: repeated({ flag: '--shard-kubeconfig', value: 'FILE', about: '', parse: parseText }),
  once: toggle('--once', ''),
  elect: toggle('--elect', '', 'on'),
};

const PREFIX = 'MY_OPERATOR';

const read = (given: Record<string, readonly string[]>, env: Record<string, string | undefined> = {}) =>
  readSettings(settings, new Map(Object.entries(given)), { env, prefix: PREFIX });

describe(variableOf, () => {
  const flag = { flag: '--workspace', value: 'PATH', about: 'a workspace', parse: parseText };

  it('given a flag that another variable sets, or none, then its own name sets nothing', () => {
    const settings = { own: optional(flag), none: optional({ ...flag, variable: 'none' }), other: optional({ ...flag, variable: 'ELSE' }) };

    const env = { MY_OPERATOR_WORKSPACE: 'w', ELSE: 'e', undefined: 'u' };

    expect(readSettings(settings, new Map(), { env, prefix: PREFIX })).toEqual({
      ok: true,
      value: { own: 'w', none: undefined, other: 'e' },
    });
  });
});

describe(readSettings, () => {
  it('given only what is required, then the rest has its defaults', () => {
    expect(read({ '--webhook-url': ['u'] })).toEqual({
      ok: true,
      value: { url: 'u', port: 9443, dir: undefined, shards: [], once: false, elect: true },
    });
  });

  it('given only variables, then they count, and lists are split at commas', () => {
    const env = {
      MY_OPERATOR_WEBHOOK_URL: 'u',
      MY_OPERATOR_WEBHOOK_PORT: '1',
      MY_OPERATOR_DIR: 'd',
      MY_OPERATOR_SHARD_KUBECONFIG: 'a,b',
      MY_OPERATOR_ONCE: 'true',
    };

    expect(read({}, env)).toEqual({ ok: true, value: { url: 'u', port: 1, dir: 'd', shards: ['a', 'b'], once: true, elect: true } });
  });

  it.each([
    { given: 'a flag and its variable', flags: { '--webhook-port': ['2'] }, env: { MY_OPERATOR_WEBHOOK_PORT: '1' }, expected: { port: 2 } },
    { given: 'an empty variable', flags: {}, env: { MY_OPERATOR_WEBHOOK_PORT: '' }, expected: { port: 9443 } },
    { given: 'a switch whose variable says false', flags: {}, env: { MY_OPERATOR_ONCE: 'false' }, expected: { once: false } },
    { given: 'a switch that is on, and a flag that says false', flags: { '--elect': ['false'] }, env: {}, expected: { elect: false } },
    { given: 'a list whose variable is empty', flags: {}, env: { MY_OPERATOR_SHARD_KUBECONFIG: '' }, expected: { shards: [] } },
    { given: 'a list that is given twice', flags: { '--shard-kubeconfig': ['a,b', 'c'] }, env: {}, expected: { shards: ['a,b', 'c'] } },
    { given: 'a text with a comma', flags: {}, env: { MY_OPERATOR_DIR: 'a,b' }, expected: { dir: 'a,b' } },
    { given: 'a list whose variable ends in a comma', flags: {}, env: { MY_OPERATOR_SHARD_KUBECONFIG: 'a,' }, expected: { shards: ['a'] } },
  ])('given $given, then the value is $expected', ({ flags, env, expected }) => {
    expect(read({ '--webhook-url': ['u'], ...flags }, env)).toEqual({ ok: true, value: expect.objectContaining(expected) });
  });

  it.each([
    { given: 'nothing', flags: {}, env: {}, problem: '--webhook-url is missing: give it, or set MY_OPERATOR_WEBHOOK_URL' },
    {
      given: 'a bad value',
      flags: { '--webhook-url': ['u'], '--webhook-port': ['x'] },
      env: {},
      problem: '--webhook-port must be a port between 0 and 65535, not "x"',
    },
    {
      given: 'a bad value that may be left out',
      flags: { '--webhook-url': ['u'], '--dir': [' '] },
      env: {},
      problem: '--dir must be a text, not " "',
    },
    {
      given: 'a bad value among several',
      flags: { '--webhook-url': ['u'], '--shard-kubeconfig': ['a', '', 'b'] },
      env: {},
      problem: '--shard-kubeconfig must be a text, not ""',
    },
    { given: 'a bad value that is required', flags: { '--webhook-url': [''] }, env: {}, problem: '--webhook-url must be a text, not ""' },
    {
      given: 'a bad variable',
      flags: { '--webhook-url': ['u'] },
      env: { MY_OPERATOR_ONCE: 'yes' },
      problem: '--once must be "true" or "false", not "yes"',
    },
  ])('given $given, then the problem names flag and remedy', ({ flags, env, problem }) => {
    expect(read(flags, env)).toEqual({ ok: false, problem });
  });
});

describe('what the help shows', () => {
  const flag = { flag: '--output', short: '-o', value: 'FORMAT', about: 'how', parse: parseChoice('json', 'yaml') };
  const shown = { flag: '--output', short: '-o', value: 'FORMAT', about: 'how', choices: ['json', 'yaml'] };

  it.each([
    { kind: 'optional', setting: optional(flag), expected: shown },
    { kind: 'required', setting: required(flag), expected: shown },
    { kind: 'with a default', setting: withDefault(flag, 'json'), expected: { ...shown, fallback: 'json' } },
    { kind: 'repeated', setting: repeated(flag), expected: { ...shown, repeatable: true } },
    { kind: 'a switch', setting: toggle('--once', 'not again'), expected: { flag: '--once', about: 'not again' } },
    {
      kind: 'without words of its own',
      setting: optional({ flag: '--dir', value: 'DIR', about: 'where', parse: parseText }),
      expected: { flag: '--dir', value: 'DIR', about: 'where' },
    },
  ])('given a flag that is $kind, then it has its words', ({ setting: { read, ...setting }, expected }) => {
    expect(setting).toStrictEqual(expected);
    expect(typeof read).toBe('function');
  });

  it('given a required flag without a variable, then the problem names the flag alone', () => {
    expect(readSettings({ output: required({ ...flag, variable: 'none' }) }, new Map(), { env: {}, prefix: PREFIX })).toEqual({
      ok: false,
      problem: '--output is missing: give it',
    });
  });
});

describe(environmentName, () => {
  it('given a flag, then the variable has its words in capitals', () => {
    expect(environmentName('--health-probe-bind-address', PREFIX)).toBe('MY_OPERATOR_HEALTH_PROBE_BIND_ADDRESS');
    expect(environmentName('-o', PREFIX)).toBe('MY_OPERATOR_O');
    expect(environmentName('log-level', PREFIX)).toBe('MY_OPERATOR_LOG_LEVEL');
  });
});
