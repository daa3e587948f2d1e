import { describe, expect, it } from '@jest/globals';
import { facts, installation, read, server, shard } from '../doctor/spec-support/whole-facts.js';
import type { Facts } from './facts.js';
import type { Unread } from './reading.js';
import { wholeInstallation } from './whole-installation.js';

const unread: Unread = { state: 'unread', what: 'the rules', because: 'silent', why: 'no answer' };

describe(wholeInstallation, () => {
  it('given an installation of which everything was read, then it is that', () => {
    const whole = installation({ shards: [shard(), shard()] });

    expect(wholeInstallation(facts({ installation: whole }), 'nothing is done')).toBe(whole);
  });

  it.each<{ given: string; facts: Facts; says: string }>([
    { given: 'a kcp that does not answer', facts: { nowMs: 0, server: server({ version: unread }) }, says: 'no answer' },
    { given: 'a kcp of which only the version is known', facts: { nowMs: 0, server: server() }, says: 'kcp does not answer' },
    {
      given: 'no workspace of dep-ctrl',
      facts: facts({ installation: installation({ home: { presence: { state: 'in-doubt', text: 'not to be seen' } } }) }),
      says: 'not to be seen',
    },
    ...(['bindings', 'rules', 'guards'] as const).map((kind) => ({
      given: `${kind} of the second shard that were not read`,
      facts: facts({ installation: installation({ shards: [shard(), shard({ [kind]: { ...unread, what: kind } })] }) }),
      says: `nothing is done, as not everything could be read: ${kind}: no answer`,
    })),
    {
      given: 'endpoints that were not read',
      facts: facts({ installation: installation({ home: { slice: { ...unread, what: 'the slice' } } }) }),
      says: 'nothing is done, as not everything could be read: the slice: no answer',
    },
  ])('given $given, then it ends with "$says"', ({ facts: given, says }) => {
    expect(() => wholeInstallation(given, 'nothing is done')).toThrow(new Error(says));
  });

  it('given configurations that were not read, then it is whole all the same: they are no rules', () => {
    const given = installation({ shards: [shard({ configurations: unread, rules: read([]) })] });

    expect(wholeInstallation(facts({ installation: given }), '')).toBe(given);
  });
});
