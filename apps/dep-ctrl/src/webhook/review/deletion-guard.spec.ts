import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@dep-ctrl/kcp-client/testing';
import { readApiBinding, type ApiBinding } from '@dep-ctrl/exported-types';
import { DeletionGuard, type DeletionGuardDependencies } from './deletion-guard.js';
import type { ReviewMode } from '../decision/review-target.js';
import type { Decision } from '../decision/decide-deletion.js';
import type { GuardingMatch } from '../lookup/type-question.js';
import type { LookupFailure } from '../decision/lookup.js';
import type { RulesQuestion } from '../fresh-rules/guarding-rules.js';
import { BindingMemory } from '../lookup/binding-memory.js';
import { cluster, dependent, finding, listed, subject } from '../testing/builders.js';
import { computeBinding, match } from '../testing/objects.js';
import { failure } from '../testing/scripted-workspaces.js';

const NETWORK = cluster('network');
const CONSUMER = cluster('consumer');
const COMPUTE = readApiBinding(computeBinding());
const BINDINGS = [vpcsFrom('network'), COMPUTE];
const nothingToRead = (): Promise<never> => Promise.reject(new Error('nothing to read'));
const known: DeletionGuardDependencies['rules'] = {
  guarding: () => Promise.resolve({ state: 'known', matches: [match()], areOthers: false }),
};
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
      change: {
        rules: { guarding: () => Promise.resolve({ state: 'known', matches: [], areOthers: false }) },
        lookup: { find: nothingToRead },
      },
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

  it.each<{ given: string; bindings: readonly ApiBinding[]; asking: string | undefined; expected: string }>([
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
        return Promise.resolve({ state: 'known', matches: [], areOthers: false });
      },
    };

    const decision = await judge({ reads: reading(bindings), rules }, { asking });

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
      guarding: ({ bindings }) => (seen.push(bindings), Promise.resolve({ state: 'known', matches: [match()], areOthers: false })),
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
    const reads = { ...reading([]), bindings: () => Promise.reject(failure(of.code)) };

    expect(await judge({ reads })).toMatchObject({ verdict: 'deny', because: 'bindings-unknown', failure: of.failure });
    expect(await judge({ reads }, { mode: 'advisory' })).toMatchObject({ verdict: 'allow', doubt: 'bindings-unknown' });
  });

  it('given bindings that take longer than there is time, then it is refused in time, for that', async () => {
    const clock = new ManualClock();
    const reads: DeletionGuardDependencies['reads'] = { ...reading([]), bindings: (_, { signal }) => untilAborted(signal) };
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

  describe('given that it is remembered what the consumer had bound', () => {
    const elsewhere = { ...COMPUTE, name: 'elsewhere' };
    const databases = match({ rule: { cluster: cluster('database') }, dependent: { resource: 'databases' } });
    const cases: readonly (Remembered & { readonly given: string; readonly read: readonly string[]; readonly by: readonly string[] })[] = [
      { given: 'that it still holds', read: ['get network', 'get compute'], by: ['network compute'] },
      { given: 'no rule', matches: [], read: ['get network'], by: [] },
      { given: 'rules of others and that it still holds', areOthers: true, read: ['list'], by: ['network compute'] },
      {
        given: 'rules of others, one of whom it has bound by now',
        areOthers: true,
        now: [...BINDINGS, elsewhere],
        read: ['list'],
        by: ['network compute elsewhere'],
      },
      { given: 'a type that it had not bound', matches: [match(), databases], read: ['list'], by: ['network compute'] },
      {
        given: 'a binding that is gone',
        now: [vpcsFrom('network'), elsewhere],
        read: ['get network', 'get compute', 'list'],
        by: ['network compute', 'network elsewhere'],
      },
      {
        given: 'a binding that serves another schema',
        now: [vpcsFrom('network'), readApiBinding(computeBinding({ schemaUid: 'schema-2' }))],
        read: ['get network', 'get compute', 'list'],
        by: ['network compute', 'network compute'],
      },
      {
        given: 'a binding that cannot be read',
        fails: 'compute',
        read: ['get network', 'get compute', 'list'],
        by: ['network compute', 'network compute'],
      },
    ];

    it.each(cases)('and $given, then $read is read, and dependents are looked up by: $by', async ({ read, by, ...remembered }) => {
      const told = await judgeRemembering(remembered);

      expect(told.read).toEqual(read);
      expect(told.by).toEqual(by);
      expect(print(told.decision)).toBe(remembered.matches?.length === 0 ? 'allow: not-guarded' : 'allow: no-dependents');
    });

    it('and a workspace that asks about a type that came from another, then only a list says that it does not concern it', async () => {
      const told = await judgeRemembering({ asking: 'hostile' });

      expect(told).toMatchObject({ read: ['list'], by: [], decision: { verdict: 'deny', because: 'not-exported-here' } });
    });

    it('and the type comes from another workspace by now, then rules and dependents of that are looked up, and what was found before is not used', async () => {
      const told = await judgeRemembering({ asking: 'network-2', was: BINDINGS, now: [vpcsFrom('network-2'), COMPUTE] });

      expect(told).toMatchObject({ read: ['list'], by: ['network-2 compute'] });
    });

    it('and lookups that do not end before that no longer holds, then they are called off', async () => {
      const signals: AbortSignal[] = [];
      const lookup: DeletionGuardDependencies['lookup'] = {
        find: (_, __, { signal }) => (
          signals.push(signal),
          signals.length === 1 ? untilAborted(signal) : Promise.resolve([finding(listed())])
        ),
      };

      const told = await judgeRemembering({ now: [vpcsFrom('network'), elsewhere], lookup });

      expect(print(told.decision)).toBe('allow: no-dependents');
      expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    });

    it('and rules of others, then dependents are listed after the bindings: what is made between the two would be missed', async () => {
      const order: string[] = [];
      const lookup: DeletionGuardDependencies['lookup'] = { find: () => (order.push('dependents'), Promise.resolve([finding(listed())])) };
      const reads = { ...reading(BINDINGS), bindings: () => Promise.resolve(BINDINGS).finally(() => order.push('bindings')) };

      await judgeRemembering({ areOthers: true, lookup, reads });

      expect(order).toEqual(['bindings', 'dependents']);
    });

    it('and somebody asks whom it does not concern, then nothing that is listed for it is remembered', async () => {
      const bindings = new BindingMemory();

      await judge({ bindings }, { asking: 'hostile' });
      const before = bindings.of(CONSUMER);
      await judge({ bindings });

      expect([before, bindings.of(CONSUMER)]).toEqual([undefined, BINDINGS]);
    });

    it('and a list that fails, then that is no answer, whatever was found', async () => {
      const told = await judgeRemembering({ areOthers: true, fails: 'list' });

      expect(told.decision).toMatchObject({ verdict: 'deny', because: 'bindings-unknown' });
    });
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

interface Remembered {
  /** What was bound when it was listed last, and is bound now. */
  readonly was?: readonly ApiBinding[];
  readonly now?: readonly ApiBinding[];
  readonly matches?: readonly GuardingMatch[];
  readonly areOthers?: boolean;
  readonly asking?: string;
  /** The name of what cannot be read, or the list. */
  readonly fails?: string;
  readonly lookup?: DeletionGuardDependencies['lookup'];
  readonly reads?: DeletionGuardDependencies['reads'];
}

/** Judges with a memory, and tells what was read and by which bindings dependents were looked up. */
async function judgeRemembering({
  was = BINDINGS,
  now = was,
  matches = [match()],
  areOthers = false,
  asking = NETWORK,
  ...rest
}: Remembered) {
  const read: string[] = [];
  const by: string[] = [];
  const bindings = new BindingMemory();
  bindings.note(CONSUMER, was);
  const tell = <T>(what: string, name: string, answer: T): Promise<T> => {
    read.push(what);
    return name === rest.fails ? Promise.reject(failure('unavailable')) : Promise.resolve(answer);
  };
  const reads: DeletionGuardDependencies['reads'] = rest.reads ?? {
    bindings: () => tell('list', 'list', now),
    binding: (_, name) =>
      tell(
        `get ${name}`,
        name,
        now.find((binding) => binding.name === name),
      ),
  };
  const rules = { guarding: () => Promise.resolve({ state: 'known' as const, matches, areOthers }) };
  const lookup: DeletionGuardDependencies['lookup'] = rest.lookup ?? {
    find: (_, __, { bindings: used }) => (by.push(used.map(({ name }) => name).join(' ')), Promise.resolve([finding(listed())])),
  };
  const decision = await judge({ reads, rules, lookup, bindings }, { asking });
  return { read, by, decision };
}

function judge(change: Partial<DeletionGuardDependencies> = {}, circumstances: Circumstances = {}): Promise<Decision> {
  const { asking, mode = 'enforcing', clock = new ManualClock(), timeoutMs = 10_000 } = { asking: NETWORK, ...circumstances };
  const guard = new DeletionGuard({
    reads: reading(BINDINGS),
    rules: known,
    lookup: clear,
    bindings: new BindingMemory(),
    clock,
    ...change,
  });
  const guardedCluster = asking === undefined ? undefined : cluster(asking);
  return guard.decide(subject({ cluster: CONSUMER }), { guardedCluster, mode, timeoutMs, signal: forever });
}

/** A consumer that has bound these, by list and by name. */
function reading(bindings: readonly ApiBinding[]): DeletionGuardDependencies['reads'] {
  return {
    bindings: () => Promise.resolve(bindings),
    binding: (_, name) => Promise.resolve(bindings.find((binding) => binding.name === name)),
  };
}

/** The binding by which the consumer gets VPCs. */
function vpcsFrom(exporter: string): ApiBinding {
  const { status, ...binding } = computeBinding({ exporter });
  const boundResources = [{ group: 'network.example.com', resource: 'vpcs' }];
  return readApiBinding({ ...binding, metadata: { name: exporter }, status: { ...(status as object), boundResources } });
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
}

function print({ verdict, because }: Decision): string {
  return `${verdict}: ${because}`;
}
