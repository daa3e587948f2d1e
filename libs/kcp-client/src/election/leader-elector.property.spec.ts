import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Candidate, ElectionWorld, type Weather } from '../spec-support/election-world.js';

const weather: fc.Arbitrary<Weather> = fc.record({
  requestMs: fc.oneof({ weight: 3, arbitrary: fc.nat(50) }, { weight: 1, arbitrary: fc.nat(40_000) }),
  answerMs: fc.oneof({ weight: 3, arbitrary: fc.nat(50) }, { weight: 1, arbitrary: fc.nat(12_000) }),
  lost: fc.oneof({ weight: 6, arbitrary: fc.constant('nothing' as const) }, fc.constantFrom('request' as const, 'answer' as const)),
  wrongly: fc.oneof(
    { weight: 6, arbitrary: fc.constant(undefined) },
    fc.constantFrom('no such lease' as const, 'no such workspace' as const),
  ),
});
// A tenth faster or slower: far more than any clock, well inside what lease and deadline allow (15 to 10).
const clock = fc.record({ rate: fc.double({ min: 0.9, max: 1.1, noNaN: true }), offMs: fc.integer({ min: -10_000_000, max: 10_000_000 }) });
const freeze = fc.record({ who: fc.nat(2), atMs: fc.nat(90_000), forMs: fc.nat(60_000) });

describe('laws of an election', () => {
  it('whatever network, clocks and pauses do, no two processes believe at one moment that they lead', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(weather, { minLength: 1, maxLength: 40 }),
        fc.array(clock, { minLength: 3, maxLength: 3 }),
        fc.array(freeze, { maxLength: 4 }),
        async (skies, clocks, freezes) => {
          const world = new ElectionWorld(skies);
          const candidates = clocks.map((each, index) => new Candidate(world, `c${String(index)}`, each));
          let most = 0;
          const check = (): void => {
            for (const { who, atMs, forMs } of freezes) {
              const candidate = candidates[who];
              if (candidate !== undefined && world.nowMs >= atMs && world.nowMs < atMs + forMs) candidate.frozenUntilMs = atMs + forMs;
            }
            most = Math.max(most, candidates.filter(({ elector }) => elector.isLeader()).length);
            most = Math.max(most, candidates.filter(({ isWorking, frozenUntilMs }) => isWorking && frozenUntilMs < world.nowMs).length);
          };

          for (const candidate of candidates) candidate.run();
          await world.pass(120_000, check);

          expect(most).toBeLessThanOrEqual(1);
        },
      ),
      { numRuns: 100 },
    );
  }, 30_000);
});
