import { describe, expect, it } from '@jest/globals';
import { DeletionGuard, type DeletionGuardDependencies } from './deletion-guard.js';
import type { ReviewMode } from '../server/review-target.js';
import type { Decision } from './decide-deletion.js';
import type { LookupFailure } from './lookup.js';
import { readConsumerBinding, type ConsumerBinding } from '../lookup/consumer-bindings.js';
import type { RulesQuestion } from '../fresh-rules/guarding-rules.js';
import { cluster, dependent, finding, listed, subject } from '../testing/builders.js';
import { ManualClock } from '../testing/manual-clock.js';
import { computeBinding, match } from '../testing/objects.js';
import { failure } from '../testing/scripted-workspaces.js';

const NETWORK = cluster('network');
const CONSUMER = cluster('consumer');
const COMPUTE = readConsumerBinding(computeBinding());
const BINDINGS = [vpcsFrom('network'), COMPUTE];
const nothingToRead = (): Promise<never> => Promise.reject(new Error('nothing to read'));
const known: DeletionGuardDependencies['rules'] = { guarding: () => Promise.resolve({ state: 'known', matches: [match()] }) };
const clear: DeletionGuardDependencies['lookup'] = { find: () => Promise.resolve([finding(listed())]) };
const { signal: forever } = new AbortController();

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
      change: { rules: { guarding: () => Promise.resolve({ state: 'known', matches: [] }) }, lookup: { find: nothingToRead } },
      expected: 'allow: not-guarded',
    },
    {
      given: 'rules that nobody knows',
      change: { rules: { guarding: () => Promise.resolve({ state: 'unknown' }) } },
      expected: 'deny: rules-unknown',
    },
  ])('given $given, then $expected', async ({ change, expected }) => {
    expect(print(await judge(change))).toBe(expected);
  });

  it.each<{ given: string; bindings: readonly ConsumerBinding[]; asking: string | undefined; expected: string }>([
    {
      given: 'a consumer that has bound the type from the workspace that asks',
      bindings: BINDINGS,
      asking: 'network',
      expected: 'network',
    },
    { given: 'the same where nobody says who asks', bindings: BINDINGS, asking: undefined, expected: 'network' },
    { given: 'a consumer that has bound the type from another workspace', bindings: BINDINGS, asking: 'hostile', expected: 'not asked' },
    {
      given: 'a consumer that has bound other types from the workspace that asks',
      bindings: BINDINGS,
      asking: 'compute',
      expected: 'not asked',
    },
    { given: 'a consumer that has bound nothing', bindings: [], asking: 'network', expected: 'not asked' },
    { given: 'a workspace that asks about itself and its own type', bindings: [COMPUTE], asking: 'consumer', expected: 'consumer' },
    { given: 'a workspace that asks about itself and a type of others', bindings: BINDINGS, asking: 'consumer', expected: 'not asked' },
    { given: 'a type of its own where nobody says who asks', bindings: [], asking: undefined, expected: 'consumer' },
  ])('given $given, then the rules that are read are those about: $expected', async ({ bindings, asking, expected }) => {
    const questions: RulesQuestion[] = [];
    const rules: DeletionGuardDependencies['rules'] = {
      guarding: (question) => {
        questions.push(question);
        return Promise.resolve({ state: 'known', matches: [] });
      },
    };

    const decision = await judge({ reads: { bindings: () => Promise.resolve(bindings) }, rules }, { asking });

    expect(questions.map(({ where }) => where)).toEqual(expected === 'not asked' ? [] : [expected]);
    expect(print(decision)).toBe(expected === 'not asked' ? 'deny: not-exported-here' : 'allow: not-guarded');
  });

  it('given a question by somebody whom it does not concern, on a lenient entry, then it is allowed in doubt and nothing is looked up', async () => {
    const nobody = { rules: { guarding: nothingToRead }, lookup: { find: nothingToRead } };

    expect(await judge(nobody, { asking: 'hostile', mode: 'advisory' })).toEqual({
      verdict: 'allow',
      because: 'in-doubt',
      doubt: 'not-exported-here',
    });
  });

  it('given what the consumer has bound, then that is read once, and rules and dependents are looked up with it', async () => {
    const seen: unknown[] = [];
    const rules: DeletionGuardDependencies['rules'] = {
      guarding: ({ bindings }) => (seen.push(bindings), Promise.resolve({ state: 'known', matches: [match()] })),
    };
    const lookup: DeletionGuardDependencies['lookup'] = {
      find: (_, __, { bindings }) => (seen.push(bindings), Promise.resolve([])),
    };

    await judge({ rules, lookup });

    expect(seen).toEqual([BINDINGS, BINDINGS]);
  });

  it.each<{ code: 'forbidden' | 'unauthorized' | 'not-found' | 'unavailable' | 'invalid-response'; failure: LookupFailure }>([
    { code: 'forbidden', failure: { code: 'forbidden', lasting: true } },
    { code: 'unauthorized', failure: { code: 'unauthorized', lasting: true } },
    { code: 'not-found', failure: { code: 'not-served', lasting: false } },
    { code: 'unavailable', failure: { code: 'unavailable', lasting: false } },
    { code: 'invalid-response', failure: { code: 'unreadable', lasting: false } },
  ])('given bindings that answer $code, then that is no answer: it is refused, and never "nothing is bound"', async (of) => {
    const reads = { bindings: () => Promise.reject(failure(of.code)) };

    expect(await judge({ reads })).toMatchObject({ verdict: 'deny', because: 'bindings-unknown', failure: of.failure });
    expect(await judge({ reads }, { mode: 'advisory' })).toMatchObject({ verdict: 'allow', doubt: 'bindings-unknown' });
  });

  it('given bindings that take longer than there is time, then it is refused in time, for that', async () => {
    const clock = new ManualClock();
    const reads: DeletionGuardDependencies['reads'] = { bindings: (_, { signal }) => untilAborted(signal) };
    const judging = judge({ reads }, { clock });

    await clock.advance(9_000);

    expect(await judging).toEqual({ verdict: 'deny', because: 'bindings-unknown', failure: { code: 'timeout', lasting: false } });
  });

  it.each([
    { timeoutMs: 10_000, budgetMs: 9_000 },
    { timeoutMs: 2_000, budgetMs: 1_750 },
    { timeoutMs: 30_000, budgetMs: 27_000 },
    { timeoutMs: 100, budgetMs: 0 },
  ])('given kcp waits $timeoutMs ms, then the answer is there after $budgetMs ms at the latest', async ({ timeoutMs, budgetMs }) => {
    const clock = new ManualClock();
    const endless = { guarding: (...[, { signal }]: Parameters<DeletionGuardDependencies['rules']['guarding']>) => untilAborted(signal) };
    let decision: string | undefined;
    void judge({ rules: endless }, { clock, timeoutMs }).then((decided) => (decision = print(decided)));

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

    await judge({ lookup }, { clock });

    expect(told).toEqual({ patienceMs: 3_000, untilMs: clock.monotonic() + 9_000 });
  });

  it('given a defect, then it is not taken for a decision', async () => {
    await expect(judge({ lookup: { find: () => Promise.reject(new TypeError('a defect')) } })).rejects.toThrow('a defect');
  });
});

interface Circumstances {
  readonly asking?: string | undefined;
  readonly mode?: ReviewMode;
  readonly clock?: ManualClock;
  readonly timeoutMs?: number;
}

function judge(change: Partial<DeletionGuardDependencies> = {}, circumstances: Circumstances = {}): Promise<Decision> {
  const { asking, mode = 'enforcing', clock = new ManualClock(), timeoutMs = 10_000 } = { asking: NETWORK, ...circumstances };
  const guard = new DeletionGuard({ reads: { bindings: () => Promise.resolve(BINDINGS) }, rules: known, lookup: clear, clock, ...change });
  const guardedCluster = asking === undefined ? undefined : cluster(asking);
  return guard.decide(subject({ cluster: CONSUMER }), { guardedCluster, mode, timeoutMs, signal: forever });
}

/** The binding by which the consumer gets VPCs. */
function vpcsFrom(exporter: string): ConsumerBinding {
  const { status, ...binding } = computeBinding({ exporter });
  const boundResources = [{ group: 'network.example.com', resource: 'vpcs' }];
  return readConsumerBinding({ ...binding, metadata: { name: exporter }, status: { ...(status as object), boundResources } });
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
}

function print({ verdict, because }: Decision): string {
  return `${verdict}: ${because}`;
}
