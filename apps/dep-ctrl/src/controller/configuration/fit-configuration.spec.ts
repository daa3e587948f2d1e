import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { groupResourceKey, type GroupResource } from '@dep-ctrl/kcp-names';
import type { GuardRuleEntry } from '@dep-ctrl/rule-registry';
import { resourceOf } from '../../rules/guard-entries.js';
import { entry, name } from '../../rules/spec-support/objects.js';
import { desiredWebhooks } from './desired-webhooks.js';
import { fittingEntries, isCrowded, MOST_CHARACTERS } from './fit-configuration.js';

const VPCS: GroupResource = { group: 'network.example.com', resource: 'vpcs' };
const honest = entry({ cluster: 'honest' });
/** Types that no workspace exports, as long together as a configuration has room for. */
const filler = entry({ cluster: 'greedy', resource: `x.${'g'.repeat(MOST_CHARACTERS - 2)}` });
const more = entry({ cluster: 'greedy', rule: 'more', resource: 'y.example.com' });
/** Types that find room together, and not if the long one counts twice. */
const [long, short] = [0.6, 0.3].map((part) => `z.${'l'.repeat(part * MOST_CHARACTERS)}`) as [string, string];

describe(isCrowded, () => {
  it('given names that just find room, then it is not crowded; given one more, then it is', () => {
    expect(isCrowded([])).toBe(false);
    expect(isCrowded([filler])).toBe(false);
    expect(isCrowded([filler, more])).toBe(true);
  });
});

describe(fittingEntries, () => {
  it.each<{
    given: string;
    entries: readonly GuardRuleEntry[];
    exported: readonly GroupResource[] | undefined;
    expected: readonly string[];
  }>([
    { given: 'no rule', entries: [], exported: [VPCS], expected: [] },
    {
      given: 'rules that find room, of types that nobody exports: those may be exported later',
      entries: [honest, more],
      exported: [],
      expected: ['honest', 'greedy'],
    },
    {
      given: 'an author who names more than there is room for, beside one who names what is exported',
      entries: [honest, filler, more],
      exported: [VPCS],
      expected: ['honest'],
    },
    {
      given: 'an author who names more than there is room for, and what is exported among it: that stays',
      entries: [honest, filler, more, entry({ cluster: 'greedy' })],
      exported: [VPCS],
      expected: ['honest', 'greedy'],
    },
    {
      given: 'an author who leaves room for nobody else, beside one who names what will be exported one day',
      entries: [filler, honest],
      exported: [],
      expected: ['honest'],
    },
    {
      given: 'a type of the author for whom there is no room, which another one names, too: it stays for both',
      entries: [filler, more, entry({ cluster: 'honest', resource: more.resource })],
      exported: [],
      expected: ['greedy', 'honest'],
    },
    {
      given: 'two authors of a long type, which takes its room once, and one of them names another type, too',
      entries: [
        entry({ cluster: 'one', resource: long }),
        entry({ cluster: 'two', resource: long }),
        entry({ cluster: 'two', resource: short }),
      ],
      exported: [],
      expected: ['one', 'two', 'two'],
    },
    {
      given: 'an author who names as much as there is room for, and what is exported, which takes none of it',
      entries: [filler, more],
      exported: [resourceOf(more)],
      expected: ['greedy', 'greedy'],
    },
    {
      given: 'exports that nobody may read',
      entries: [honest, filler, more],
      exported: undefined,
      expected: ['honest'],
    },
  ])('given $given, then the room is shared', ({ entries, exported, expected }) => {
    expect(fittingEntries(entries, exported).map(({ cluster }) => cluster)).toEqual(expected);
  });

  it('given exports that cannot be read for a moment, then what is configured keeps its room, and nothing comes on top of a full configuration', () => {
    const exported = entry({ cluster: 'honest', resource: long });
    const strangers = ['a', 'b'].map((who) => entry({ cluster: who, resource: `${who}.${short}` }));
    const entries = [exported, ...strangers];

    const configured = fittingEntries(entries, [resourceOf(exported)]);

    expect(configured).toEqual(entries);
    expect(fittingEntries(entries, undefined)).toEqual(strangers);
    expect(fittingEntries(entries, undefined, configured.map(resourceOf))).toEqual(entries);
    expect(fittingEntries([...entries, more], undefined, configured.map(resourceOf))).toEqual(entries);
  });

  it('given more exported types than find room for types that are not, then all of them stay: they are as many as their owner made', () => {
    const exported = Array.from({ length: 1_000 }, (_, at): GroupResource => ({ group: 'g'.repeat(250), resource: `r${String(at)}` }));
    const entries = exported.map(({ group, resource }) => entry({ resource: `${resource}.${group}` }));

    expect(isCrowded(entries)).toBe(true);
    expect(fittingEntries(entries, exported)).toEqual(entries);
  });
});

describe('laws of what fits into a configuration', () => {
  const anyType = fc.record({ letter: fc.constantFrom('a', 'b', 'c', 'd'), length: fc.integer({ min: 3, max: 70_000 }) });
  const anyEntry = fc
    .record({ cluster: fc.constantFrom('one', 'two', 'three', 'four'), rule: fc.constantFrom('r', 's'), type: anyType })
    .map(({ type, ...who }) => entry({ ...who, resource: nameOf(type) }));
  const anyEntries = fc.array(anyEntry, { maxLength: 12 });
  const anyExports = fc.option(
    fc.array(
      anyType.map((type) => resourceOf({ resource: nameOf(type) })),
      { maxLength: 4 },
    ),
    {
      nil: undefined,
    },
  );

  it('what is exported stays, and of any other type what all rules say of it or nothing', () => {
    fc.assert(
      fc.property(anyEntries, anyExports, (entries, others) => {
        const exported = others && [...others, ...entries.slice(0, 1).map(resourceOf)];
        const fitting = fittingEntries(entries, exported);

        const types = new Set(fitting.map(({ resource }) => resource));
        for (const each of entries) {
          if (isIn(exported, each)) expect(fitting).toContain(each);
          expect(fitting.includes(each)).toBe(types.has(each.resource));
        }
      }),
    );
  });

  it('whoever asks for least of what is not exported is never dropped for one who asks for more', () => {
    fc.assert(
      fc.property(anyEntries, anyExports, (entries, exported) => {
        const fitting = fittingEntries(entries, exported);

        const rest = entries.filter((each) => !isIn(exported, each));
        const asked = (author: string): number => charactersOf(rest.filter(({ cluster }) => cluster === author));
        // A type stays for all who ask for it as soon as there is room for one of them.
        const leastAsked = (of: string): number =>
          Math.min(...rest.filter(({ resource }) => resource === of).map(({ cluster }) => asked(cluster)));
        const kept = rest.filter((each) => fitting.includes(each));
        for (const dropped of rest.filter((each) => !fitting.includes(each))) {
          for (const { resource } of kept) expect(leastAsked(resource)).toBeLessThanOrEqual(asked(dropped.cluster));
        }
      }),
    );
  });

  it('the order of the entries means nothing but their order', () => {
    const shuffled = anyEntries.chain((entries) =>
      fc.tuple(fc.constant(entries), fc.shuffledSubarray(entries, { minLength: entries.length })),
    );
    fc.assert(
      fc.property(shuffled, anyExports, ([entries, others], exported) => {
        const fitting = new Set(fittingEntries(entries, exported));

        expect(fittingEntries(others, exported)).toEqual(others.filter((each) => fitting.has(each)));
      }),
    );
  });

  it('whatever rules name that is not exported, the configuration fits into an object of etcd', () => {
    fc.assert(
      fc.property(anyEntries, (entries) => {
        const guarded = fittingEntries(entries, []).map((each) => ({ ...resourceOf(each), enforcement: each.enforcement }));
        const address = { guardedCluster: name('network1'), webhookUrl: 'https://dep-ctrl.example.com/validate' };

        expect(JSON.stringify(desiredWebhooks(guarded, address)).length).toBeLessThan(1.5 * 1024 * 1024);
      }),
    );
  });
});

function nameOf({ letter, length }: { readonly letter: string; readonly length: number }): string {
  return `${letter}.${letter.repeat(length - 2)}`;
}

function isIn(exported: readonly GroupResource[] | undefined, each: GuardRuleEntry): boolean {
  return (exported ?? []).some((type) => groupResourceKey(type) === groupResourceKey(resourceOf(each)));
}

/** Each type once, however many rules name it. */
function charactersOf(entries: readonly GuardRuleEntry[]): number {
  return [...new Set(entries.map(({ resource }) => resource))].reduce((sum, { length }) => sum + length, 0);
}
