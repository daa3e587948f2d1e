import { describe, expect, it } from '@jest/globals';
import { Chance } from '../chance.js';
import { expectedOf } from './expected.js';
import { drawScript, narrowed, parseScript, pickSteps, printScript, printSteps } from './script.js';
import { opening } from './state.js';
import { after, isPossible, STEP_KINDS } from './step-kinds.js';
import type { Step } from './step.js';

const SEEDS = Array.from({ length: 500 }, (_, n) => n + 1);
const scripts = SEEDS.map((seed) => drawScript(new Chance(seed)));

describe(drawScript, () => {
  it('given the same seed, then it is the same script', () => {
    expect(drawScript(new Chance(7))).toEqual(drawScript(new Chance(7)));
  });

  it('given 500 seeds, then every kind of step is played in at least ten', () => {
    const counts = STEP_KINDS.map((kind) => ({
      kind,
      seeds: scripts.filter(({ entries }) => entries.some(({ step }) => step.kind === kind)).length,
    }));

    expect(counts.filter(({ seeds }) => seeds < 10)).toEqual([]);
  });

  it('given 500 seeds, then there are topologies of every size', () => {
    const providers = new Set(scripts.map(({ topology }) => topology.providers.length));
    const consumers = new Set(scripts.map(({ topology }) => topology.consumers.length));

    expect([Math.min(...providers), Math.max(...providers), Math.min(...consumers), Math.max(...consumers)]).toEqual([1, 5, 1, 8]);
  });

  it('given any seed, then each step makes sense where it comes', () => {
    for (const { topology, entries } of scripts) {
      let state = opening(topology);
      for (const { step } of entries) {
        expect(isPossible(state, step)).toBe(true);
        state = after(state, step);
      }
    }
  });

  it('given 500 seeds, then a third of the deletes at least is of what is held, and a third of what is free', () => {
    const verdicts = scripts.flatMap(({ topology, entries }) => {
      let state = opening(topology);
      return entries.flatMap(({ step }) => {
        const before = state;
        state = after(state, step);
        const subject = step.kind === 'delete' ? before.objects.find((object) => object.name === step.object.name) : undefined;
        return subject === undefined ? [] : [expectedOf(before, subject).verdict];
      });
    });
    const share = (isSo: (verdict: string) => boolean): number => verdicts.filter(isSo).length / verdicts.length;

    expect(share((verdict) => verdict === 'refused')).toBeGreaterThan(1 / 4);
    expect(share((verdict) => verdict !== 'refused')).toBeGreaterThan(1 / 4);
  });
});

describe(parseScript, () => {
  it('given what was printed, then it is the script again', () => {
    for (const script of scripts.slice(0, 50)) expect(parseScript(printScript(script))).toEqual(script);
  });

  it.each(['{}', '{"topology": {}, "entries": []}', '{"topology": {"consumers": []}, "entries": [{"step": {"kind": "no such thing"}}]}'])(
    'given %s, then it throws',
    (text) => {
      expect(() => parseScript(text)).toThrow('this is no script');
    },
  );
});

describe(printSteps, () => {
  it('given steps that are not those of the script, then there are no positions', () => {
    const [script = drawScript(new Chance(1))] = scripts;
    const changed = script.entries.map(({ step, at }) => ({ step, at }));

    expect(printSteps(script, changed)).toBeUndefined();
  });
});

describe(narrowed, () => {
  it('given any seed, then exactly the consumers of its steps are left', () => {
    for (const script of scripts.slice(0, 50)) {
      const named = new Set(script.entries.flatMap(({ step }) => consumersOf(step)));

      expect(
        narrowed(script)
          .topology.consumers.map(({ consumer }) => consumer)
          .sort(),
      ).toEqual([...named].sort());
    }
  });
});

describe(pickSteps, () => {
  it('given the positions that are printed of some steps, then it is these steps', () => {
    const [script = drawScript(new Chance(1))] = scripts;
    const some = script.entries.filter((_, n) => n % 3 !== 0 || n < 6);

    expect(pickSteps(script, printSteps(script, some) ?? '').entries).toEqual(some);
  });

  it('given anything else, then it says how steps are named', () => {
    expect(() => pickSteps(scripts[0] ?? drawScript(new Chance(1)), '3,x')).toThrow('"x" names no steps: write 3,7-9');
  });
});

function consumersOf(step: Step): readonly number[] {
  if ('consumer' in step) return [step.consumer];
  if ('object' in step) return [step.object.consumer];
  return 'collection' in step ? [step.collection.consumer] : [];
}
