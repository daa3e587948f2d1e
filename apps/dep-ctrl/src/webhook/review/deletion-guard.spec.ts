import { describe, expect, it } from '@jest/globals';
import { DeletionGuard, type DeletionGuardDependencies } from './deletion-guard.js';
import type { Decision } from './decide-deletion.js';
import { dependent, finding, listed, subject } from '../testing/builders.js';
import { ManualClock } from '../testing/manual-clock.js';
import type { Lookup } from './lookup.js';
import { held, match } from '../testing/objects.js';

const known: DeletionGuardDependencies['rules'] = { guarding: () => Promise.resolve({ state: 'known', matches: [match()], held: [] }) };
const clear: DeletionGuardDependencies['lookup'] = { find: () => Promise.resolve([finding(listed())]) };
const nothingHeld: DeletionGuardDependencies['held'] = { find: () => Promise.reject(new Error('nothing to look up')) };
const { signal: forever } = new AbortController();

const unreadable: Lookup = { answer: 'cannot-tell', failure: { code: 'rule-unreadable', lasting: true, problem: '.spec: gone' } };

describe(DeletionGuard, () => {
  it.each<{ given: string; change: Partial<DeletionGuardDependencies>; expected: string }>([
    { given: 'rules and no dependents', change: {}, expected: 'allow: no-dependents' },
    {
      given: 'a dependent',
      change: { lookup: { find: () => Promise.resolve([finding(listed(dependent('a')))]) } },
      expected: 'deny: in-use',
    },
    {
      given: 'no rule',
      change: {
        rules: { guarding: () => Promise.resolve({ state: 'known', matches: [], held: [] }) },
        lookup: { find: () => Promise.reject(new Error('nothing to look up')) },
      },
      expected: 'allow: not-guarded',
    },
    {
      given: 'rules without dependents and a rule that cannot be read any more',
      change: {
        rules: { guarding: () => Promise.resolve({ state: 'known', matches: [match()], held: [held()] }) },
        held: { find: () => Promise.resolve([finding(unreadable)]) },
      },
      expected: 'deny: cannot-tell',
    },
    {
      given: 'nothing but a rule that cannot be read any more, of a workspace that the consumer has bound nothing of',
      change: {
        rules: { guarding: () => Promise.resolve({ state: 'known', matches: [], held: [held()] }) },
        lookup: { find: () => Promise.resolve([]) },
        held: { find: () => Promise.resolve([finding({ answer: 'not-bound' })]) },
      },
      expected: 'allow: no-dependents',
    },
    {
      given: 'rules that nobody knows',
      change: { rules: { guarding: () => Promise.resolve({ state: 'unknown' }) } },
      expected: 'deny: rules-unknown',
    },
  ])('given $given, then $expected', async ({ change, expected }) => {
    expect(print(await judge(change, new ManualClock()))).toBe(expected);
  });

  it.each([
    { timeoutMs: 10_000, budgetMs: 9_000 },
    { timeoutMs: 2_000, budgetMs: 1_750 },
    { timeoutMs: 30_000, budgetMs: 27_000 },
    { timeoutMs: 100, budgetMs: 0 },
  ])('given kcp waits $timeoutMs ms, then the answer is there after $budgetMs ms at the latest', async ({ timeoutMs, budgetMs }) => {
    const clock = new ManualClock();
    const endless = { guarding: (...[, , { signal }]: Parameters<DeletionGuardDependencies['rules']['guarding']>) => untilAborted(signal) };
    let decision: string | undefined;
    void judge({ rules: endless }, clock, timeoutMs).then((decided) => (decision = print(decided)));

    await clock.advance(Math.max(0, budgetMs - 1));
    const before = decision;
    await clock.advance(1);

    expect([before, decision]).toEqual([budgetMs === 0 ? 'deny: rules-unknown' : undefined, 'deny: rules-unknown']);
  });

  it('given a third of the time is over, then a lookup does not wait for shared lists any more, and it knows when its time is over', async () => {
    let told: object = {};
    const lookup: DeletionGuardDependencies['lookup'] = {
      find: (_, __, { patienceMs, untilMs }) => ((told = { patienceMs, untilMs }), Promise.resolve([])),
    };
    const clock = new ManualClock();

    await judge({ lookup }, clock, 10_000);

    expect(told).toEqual({ patienceMs: 3_000, untilMs: clock.monotonic() + 9_000 });
  });

  it('given a defect, then it is not taken for a decision', async () => {
    await expect(judge({ lookup: { find: () => Promise.reject(new TypeError('a defect')) } }, new ManualClock())).rejects.toThrow(
      'a defect',
    );
  });
});

function judge(change: Partial<DeletionGuardDependencies>, clock: ManualClock, timeoutMs = 10_000): Promise<Decision> {
  const guard = new DeletionGuard({ rules: known, lookup: clear, held: nothingHeld, clock, ...change });
  return guard.decide(subject(), { guardedCluster: undefined, mode: 'enforcing', timeoutMs, signal: forever });
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
}

function print({ verdict, because }: Decision): string {
  return `${verdict}: ${because}`;
}
