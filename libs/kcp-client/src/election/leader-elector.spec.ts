import { describe, expect, it } from '@jest/globals';
import { LeaderElector } from '../index.js';
import { Candidate, ElectionWorld, type CandidateClock } from '../spec-support/election-world.js';

const calm = [{ requestMs: 5, answerMs: 5, lost: 'nothing' as const }];
const clock = { rate: 1, offMs: 0 };

describe(LeaderElector, () => {
  it('given two candidates, then one leads and keeps leading', async () => {
    const { world, a, b } = await elected();

    await world.pass(300_000, () => expect([a.elector.isLeader(), b.elector.isLeader()]).toEqual([true, false]));
  });

  it('given a leader that is killed, then the other leads within 20 s', async () => {
    const { world, a, b } = await elected();

    a.kill();
    await world.pass(world.nowMs + 20_000);

    expect(b.isWorking).toBe(true);
  });

  it('given a leader that stops in order, then it releases the lease and the other leads at its next look', async () => {
    const { world, a, b } = await elected();

    a.stop.abort();
    await world.pass(world.nowMs + 3_100);

    await expect(a.ended).resolves.toBeUndefined();
    expect([a.isWorking, b.isWorking]).toEqual([false, true]);
  });

  it('given a leader that can no longer reach kcp, then its work is told to stop before anybody else leads', async () => {
    const world = new ElectionWorld([...Array.from({ length: 6 }, () => calm[0]!), { requestMs: 0, answerMs: 0, lost: 'request' }]);
    const a = new Candidate(world, 'a', clock);
    a.run();

    await world.pass(8_000);
    expect(a.isWorking).toBe(true);
    await world.pass(60_000, () => expect(a.isWorking && !a.elector.isLeader()).toBe(false));
  });

  it('given a lease that somebody deletes, then its holder makes it anew, and nobody leads beside it', async () => {
    const { world, a, b } = await elected();

    world.deleteLease();

    await world.pass(world.nowMs + 60_000, () => expect([a.elector.isLeader(), b.elector.isLeader()]).toEqual([true, false]));
    expect(world.holder).toBe('a');
  });

  it('given a lease that somebody deletes after its holder was killed, then another leads once it could have taken the lease', async () => {
    const { world, a, b } = await elected();

    a.kill();
    world.deleteLease();

    await world.pass(world.nowMs + 12_000, () => expect(b.isWorking).toBe(false));
    await world.pass(world.nowMs + 8_000);
    expect(b.isWorking).toBe(true);
  });

  it('given a leader that was frozen past its deadline, then at once it no longer leads', async () => {
    const { world, a } = await elected();

    a.frozenUntilMs = world.nowMs + 30_000;
    await world.pass(world.nowMs + 12_000);

    expect(a.elector.isLeader()).toBe(false);
  });

  it('given work that ends by itself, then the election ends and the lease is free', async () => {
    const world = new ElectionWorld(calm);
    const a = new Candidate(world, 'a', clock);

    const ended = a.elector.run(() => Promise.resolve(), a.stop.signal);
    await world.pass(1_000);

    await expect(ended).resolves.toBeUndefined();
    expect(world.holder).toBe('');
  });

  it('given work that breaks, then the election rejects with that and the lease is free', async () => {
    const world = new ElectionWorld(calm);
    const a = new Candidate(world, 'a', clock);

    const ended = a.elector.run(() => Promise.reject(new Error('bug')), a.stop.signal);
    const rejected = expect(ended).rejects.toThrow('bug');
    await world.pass(1_000);

    await rejected;
    expect(world.holder).toBe('');
  });

  it('given a wall clock that stands still, then renewals are seen all the same', async () => {
    const { world, a, b } = await elected({ rate: 1, offMs: -1e12, stoppedWall: true });

    await world.pass(120_000, () => expect([a.elector.isLeader(), b.elector.isLeader()]).toEqual([true, false]));
  });

  it.each([
    { leaseMs: 10_000, renewDeadlineMs: 10_000, retryMs: 2_000 },
    { leaseMs: 15_000, renewDeadlineMs: 2_000, retryMs: 2_000 },
    { leaseMs: 500, renewDeadlineMs: 400, retryMs: 100 },
    { leaseMs: 15_000, renewDeadlineMs: 10_000, retryMs: 0 },
  ])('given the durations %j, then they are refused: they could make two leaders', (durations) => {
    const client = new ElectionWorld(calm).clientOf(new Candidate(new ElectionWorld(calm), 'a', clock));

    expect(() => new LeaderElector({ client, namespace: 'n', name: 'l', identity: 'a', durations })).toThrow(RangeError);
  });
});

/** A world where `a` leads and `b` stands by. */
async function elected(
  clockOfA: CandidateClock = clock,
): Promise<{ readonly world: ElectionWorld; readonly a: Candidate; readonly b: Candidate }> {
  const world = new ElectionWorld(calm);
  const [a, b] = [new Candidate(world, 'a', clockOfA), new Candidate(world, 'b', clock)];
  a.run();
  await world.pass(1_000);
  b.run();
  await world.pass(10_000);
  expect(a.isWorking).toBe(true);
  return { world, a, b };
}
