import { describe, expect, it } from '@jest/globals';
import { GUARD_FINALIZER } from '@dep-ctrl/rule-registry';
import { guardSight, heldGuard, includesEntries, isHeld, newGuard, releasedGuard, sortedEntries } from './guard-objects.js';
import { entry, guard } from './spec-support/some-guard.js';

describe('the finalizer of a guard', () => {
  it('given a guard of the provider, when it is held and released, then it is as before', () => {
    const held = heldGuard(guard);

    expect(held.metadata.finalizers).toEqual(['other', GUARD_FINALIZER]);
    expect(isHeld(held)).toBe(true);
    expect(heldGuard(held)).toEqual(held);
    expect(releasedGuard(held)).toEqual(guard);
  });

  it('given a spec, when the guard is made again, then it has the spec and is held', () => {
    const again = newGuard({ allowRulesFrom: ['root:a'] });

    expect(again.spec).toEqual({ allowRulesFrom: ['root:a'] });
    expect(isHeld(again)).toBe(true);
    expect('spec' in newGuard(undefined)).toBe(false);
  });
});

describe(guardSight, () => {
  it('given a guard that cannot be parsed, then it counts as the provider’s: it is never deleted', () => {
    expect(guardSight(guard, undefined)).toEqual({
      state: 'present',
      deleting: false,
      held: false,
      madeByProvider: true,
      namesEveryRule: false,
    });
  });
});

describe('entries', () => {
  it('given one rule with two fields on a resource, then it is named once, in stable order', () => {
    const other = { ...entry, cluster: 'a0' };

    expect(sortedEntries([entry, other, { ...entry }])).toEqual([other, entry]);
    expect(includesEntries([entry, other], [other])).toBe(true);
    expect(includesEntries([entry], [other])).toBe(false);
  });

  it('given a rule that was edited from Warn to Deny, then a guard that names it under Warn does not name what will be installed', () => {
    const warned = { ...entry, enforcement: 'Warn' as const };

    expect(includesEntries([warned], [entry])).toBe(false);
    expect(includesEntries([entry], [warned])).toBe(true);
    expect(includesEntries([warned], [{ ...entry, enforcement: 'Audit' }, entry])).toBe(false);
  });

  it('given what is named under Deny and wanted under Warn, then it stays Deny', () => {
    const warned = { ...entry, path: 'root:new', enforcement: 'Warn' as const };

    expect(sortedEntries([warned, { ...entry, enforcement: 'Deny' }])).toEqual([{ ...warned, enforcement: 'Deny' }]);
    expect(sortedEntries([{ ...warned, enforcement: 'Audit' }, warned])).toEqual([warned]);
  });
});
