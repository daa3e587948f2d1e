import { describe, expect, it } from '@jest/globals';
import type { LogicalClusterName, WorkspacePath } from '@dep-ctrl/kcp-names';
import { createRegistry, reportRule } from '@dep-ctrl/rule-registry';
import { PathHints, PathLookups, type Resolution } from '@dep-ctrl/workspace-resolver';
import { ManualClock } from '@dep-ctrl/kcp-client/testing';
import { tellPaths } from './told-paths.js';
import { endpoint, name, path, rule } from './spec-support/objects.js';

const network = path('root:network');
const found: Resolution = { state: 'found', cluster: name('network1'), from: 'workspaces', terminating: false };
const madeAgain: Resolution = { ...found, cluster: name('network2') };
const unreachable: Resolution = { state: 'unreachable', problem: 'no answer', retryable: true };
const MINUTE = 60_000;

type PathAnswer = LogicalClusterName | 'missing' | 'unknown';

describe(PathLookups, () => {
  it('given a rule about a path, then it is looked up and the registry knows', async () => {
    await lookingUp(async ({ answers, addRule, reader, lookups }) => {
      answers.set(network, found);
      await addRule();

      expect(reader.guarded(name('network1')).matches).toHaveLength(1);
      expect(lookups.resolutionOf(network)).toEqual(found);
    });
  });

  it('given a path of one segment, then it is the name of a cluster, without asking anybody', async () => {
    await lookingUp(async ({ lookups, hint, asked }) => {
      await hint('compute1', path('storage'));

      expect(lookups.resolutionOf(path('storage'))).toMatchObject({ state: 'found', cluster: 'storage', from: 'name' });
      expect(asked).toEqual([]);
    });
  });

  it.each([
    { given: 'binds the export', isBound: true, withinMs: 30_000 },
    { given: 'does not bind the export', isBound: false, withinMs: 10 * MINUTE },
  ])('given a workspace that $given and is made again, then that is noticed within $withinMs ms', async ({ isBound, withinMs }) => {
    await lookingUp(async ({ answers, addRule, reader, writer, clock }) => {
      answers.set(network, found);
      await addRule();
      if (isBound) writer.workspaceApplied(endpoint('a'), name('network1'));

      answers.set(network, madeAgain);
      for (let passedMs = 0; passedMs < withinMs; passedMs += 10_000) {
        expect(reader.paths.clusterOf(network)).toBe('network1');
        await clock.advance(10_000);
      }

      expect(reader.paths.clusterOf(network)).toBe('network2');
    });
  });

  it('given a look-up that fails, then it is tried again soon and those who wait are told why', async () => {
    await lookingUp(async ({ answers, addRule, reader, clock, lookups, told }) => {
      answers.set(network, unreachable);
      await addRule();
      expect(lookups.resolutionOf(network)).toEqual(unreachable);
      expect(told).toContain('compute1/vms');

      answers.set(network, found);
      await clock.advance(2_000);

      expect(reader.paths.clusterOf(network)).toBe('network1');
    });
  });

  it('given a path that nobody can look up and news all the time, then it is asked for with growing pauses all the same', async () => {
    await lookingUp(async ({ answers, addRule, clock, lookups, asked }) => {
      answers.set(network, unreachable);
      await addRule();

      for (let passed = 0; passed < MINUTE; passed += 100) {
        lookups.wake();
        await clock.advance(100);
      }

      expect(asked.length).toBeGreaterThan(4);
      expect(asked.length).toBeLessThan(10);
    });
  });

  it('given an answer that cannot be renewed, then it counts for a while and then no more', async () => {
    await lookingUp(async ({ answers, addRule, reader, writer, clock }) => {
      answers.set(network, found);
      await addRule();
      writer.workspaceApplied(endpoint('a'), name('network1'));
      answers.set(network, unreachable);

      for (let passed = 0; passed < 4 * MINUTE; passed += 30_000) await clock.advance(30_000);
      expect(reader.paths.clusterOf(network)).toBe('network1');

      for (let passed = 0; passed < 2 * MINUTE; passed += 30_000) await clock.advance(30_000);
      expect(reader.paths.clusterOf(network)).toBe('unknown');
    });
  });

  it('given an answer about a workspace that does not bind the export, when kcp fails once as it is renewed, then the answer still counts', async () => {
    await lookingUp(async ({ answers, addRule, reader, clock }) => {
      answers.set(network, found);
      await addRule();

      answers.set(network, unreachable);
      await clock.advance(10 * MINUTE);

      expect(reader.paths.clusterOf(network)).toBe('network1');
    });
  });

  it('given a path that no rule names any more, then its answer is forgotten and it is not asked for again', async () => {
    await lookingUp(async ({ answers, addRule, removeRule, reader, clock, lookups, asked }) => {
      answers.set(network, found);
      await addRule();

      removeRule();
      lookups.wake();
      await clock.advance(10 * MINUTE);
      await clock.advance(10 * MINUTE);

      expect(asked).toHaveLength(1);
      expect(lookups.resolutionOf(network)).toBeUndefined();
      expect(reader.paths.clusterOf(network)).toBe('unknown');
    });
  });

  describe('the path that a binding says its workspace has', () => {
    it('given one that no rule names, then it is asked for, and the answer of kcp counts', async () => {
      await lookingUp(async ({ answers, hint, reader }) => {
        answers.set(network, found);
        await hint('network1', network);

        expect(reader.paths.pathOf(name('network1'))).toBe(network);
      });
    });

    it('given a forged one, which is the path of another workspace, then kcp is asked, and what the path names stays as it was', async () => {
      await lookingUp(async ({ answers, addRule, hint, reader, asked }) => {
        answers.set(network, found);
        await addRule();

        await hint('hostile1', network);

        expect(asked).toEqual([network, network]);
        expect(reader.paths.clusterOf(network)).toBe('network1');
        expect(reader.paths.pathOf(name('hostile1'))).toBeUndefined();
        expect(reader.guarded(name('hostile1')).matches).toEqual([]);
      });
    });

    it('given a forged one, while nobody can look that path up, then nothing is known about the path', async () => {
      await lookingUp(async ({ answers, addRule, hint, reader }) => {
        answers.set(network, unreachable);
        await addRule();

        await hint('hostile1', network);

        expect(reader.paths.clusterOf(network)).toBe('unknown');
      });
    });

    it('given one that is new and an answer that is not due yet, then kcp is asked again at once, and only once', async () => {
      await lookingUp(async ({ answers, addRule, hint, reader, clock, lookups, asked }) => {
        answers.set(network, found);
        await addRule();

        answers.set(network, madeAgain);
        await hint('network2', network);
        expect(reader.paths.clusterOf(network)).toBe('network2');

        for (let times = 0; times < 10; times += 1) {
          lookups.wake();
          await clock.advance(1_000);
        }
        expect(asked).toEqual([network, network]);
      });
    });
  });

  describe('authors who name a thousand paths together', () => {
    it('given no others, then few are asked for at a time, and all are in the end', async () => {
      await lookingUp(async ({ addThousand, reader, most, asked, clock }) => {
        await addThousand('large1');

        await clock.advance(10_000);

        expect(asked).toHaveLength(1_000);
        expect(reader.unresolvedPaths()).toEqual([]);
        expect(most()).toBeLessThan(10); // the connections that reviews share with it
      });
    });

    it('given that kcp was asked for a part of them, then not for all; given that it was asked for the last, then for all', async () => {
      await lookingUp(async ({ addThousand, lookups, clock }) => {
        const before = lookups.haveAsked();
        await addThousand('evil');
        const first = lookups.haveAsked();
        for (let second = 0; second < 10; second += 1) await clock.advance(1_000);

        expect([before, first, lookups.haveAsked()]).toEqual([true, false, true]);
      });
    });

    it('given time that passes, then kcp is asked for a few hundred at once and for a hundred in each second after that', async () => {
      await lookingUp(async ({ addThousand, clock, asked }) => {
        await addThousand('large1');
        expect(asked).toHaveLength(256);

        for (let seconds = 1; seconds <= 5; seconds += 1) {
          await clock.advance(1_000);
          expect(asked).toHaveLength(256 + seconds * 100);
        }
      });
    });

    it('given a rule of another author that comes later, then its path is among the next that are asked for', async () => {
      await lookingUp(async ({ addThousand, addRule, clock, asked }) => {
        await addThousand('large1');
        const before = asked.length;

        await addRule();
        await clock.advance(80);

        expect(asked.slice(before)).toContain(network);
        expect(asked.length).toBeLessThan(before + 20);
      });
    });

    it('given an answer for another author that is to be renewed, then that does not wait for the thousand', async () => {
      await lookingUp(async ({ answers, addRule, addThousand, reader, writer, clock }) => {
        answers.set(network, found);
        await addRule();
        writer.workspaceApplied(endpoint('a'), name('network1'));
        await clock.advance(29_000);

        answers.set(network, madeAgain);
        await addThousand('large1');
        await clock.advance(2_000);

        expect(reader.paths.clusterOf(network)).toBe('network2');
      });
    });

    it('given a binding of another workspace that says something new about its path, then that does not wait for the thousand', async () => {
      await lookingUp(async ({ answers, addRule, addThousand, hint, reader, clock }) => {
        answers.set(network, found);
        await addRule();
        await addThousand('large1');

        answers.set(network, madeAgain);
        await hint('network2', network);
        await clock.advance(1_000);

        expect(reader.paths.clusterOf(network)).toBe('network2');
      });
    });

    it('given a binding of a new workspace that says which path it has, then that does not wait for the thousand', async () => {
      await lookingUp(async ({ answers, addThousand, hint, reader, clock }) => {
        answers.set(network, found);
        await addThousand('large1');

        await hint('network1', network);
        await clock.advance(1_000);

        expect(reader.paths.pathOf(name('network1'))).toBe(network);
      });
    });
  });
});

describe(tellPaths, () => {
  const network1 = name('network1');

  it.each<{ given: string; isNamed: boolean; before: PathAnswer; now: PathAnswer; isNews: boolean; expected: readonly string[] }>([
    {
      ...{ given: 'what is known already', isNamed: true, before: network1, now: network1, isNews: false },
      expected: [],
    },
    {
      ...{ given: 'what is known already, with a new reason', isNamed: true, before: 'unknown', now: 'unknown', isNews: true },
      expected: ['rule compute1/vms'],
    },
    {
      ...{ given: 'the cluster of a path that only a binding says', isNamed: false, before: 'unknown', now: network1, isNews: false },
      expected: ['workspace network1'],
    },
    {
      ...{ given: 'that a path leads nowhere, which a rule names', isNamed: true, before: 'unknown', now: 'missing', isNews: false },
      expected: ['rule compute1/vms'],
    },
    {
      ...{ given: 'that a path leads nowhere, which nobody names', isNamed: false, before: 'unknown', now: 'missing', isNews: false },
      expected: [],
    },
    {
      ...{ given: 'the cluster of a path that a rule names', isNamed: true, before: 'unknown', now: network1, isNews: false },
      expected: ['workspace network1 rule compute1/vms'],
    },
  ])('given $given, then the registry knows it, and told is $expected', ({ isNamed, before, now, isNews, expected }) => {
    const { reader, writer } = createRegistry();
    const { cluster, object } = rule();
    if (isNamed) writer.ruleApplied(endpoint('a'), reportRule(cluster, object));
    writer.pathResolved(network, before);
    const told: string[] = [];
    const tell = tellPaths({
      reader,
      writer,
      onChange: ({ guarded, rules }) =>
        told.push([...[...guarded].map((each) => `workspace ${each}`), ...[...rules].map((each) => `rule ${each}`)].join(' ')),
    });

    tell(network, now, isNews);

    expect(told).toEqual(expected);
    expect(reader.paths.clusterOf(network)).toBe(now);
  });
});

async function lookingUp(test: (world: ReturnType<typeof makeWorld>) => Promise<void>): Promise<void> {
  const world = makeWorld();
  const stop = new AbortController();
  const running = world.lookups.run(stop.signal);
  try {
    await test(world);
  } finally {
    stop.abort();
    await running;
  }
}

function makeWorld() {
  const { reader, writer } = createRegistry();
  const hints = new PathHints();
  const clock = new ManualClock();
  const answers = new Map<WorkspacePath, Resolution>();
  const asked: WorkspacePath[] = [];
  const told: string[] = [];
  let asking = 0;
  let most = 0;
  const resolve = async (wanted: WorkspacePath): Promise<Resolution> => {
    asked.push(wanted);
    most = Math.max(most, (asking += 1));
    await Promise.resolve();
    asking -= 1;
    return answers.get(wanted) ?? { state: 'missing', path: wanted };
  };
  const lookups = new PathLookups({
    names: reader,
    hints,
    clock,
    resolver: { resolve },
    tell: tellPaths({ reader, writer, onChange: ({ rules }) => told.push(...rules) }),
  });
  const { cluster, object } = rule();
  const report = reportRule(cluster, object);
  const news = (): Promise<void> => {
    lookups.wake();
    return clock.advance(20);
  };
  const addRule = (): Promise<void> => {
    writer.ruleApplied(endpoint('a'), report);
    return news();
  };
  const removeRule = (): void => void writer.ruleRemoved(endpoint('a'), report.key);
  const addThousand = (author: string): Promise<void> => {
    const authors = [1, 2, 3, 4].map((each) => `${author}${each}`);
    for (const each of authors.flatMap((one) => naming(one, 250))) writer.ruleApplied(endpoint('a'), each);
    return news();
  };
  /** A binding in a workspace says that this is the path of it. */
  const hint = (from: string, hinted: WorkspacePath): Promise<void> => {
    hints.see(endpoint('a'), 'dep-ctrl', { cluster: name(from), path: hinted });
    return news();
  };
  return { reader, writer, clock, answers, asked, told, lookups, addRule, removeRule, addThousand, hint, most: () => most };
}

/** Rules of one author that together name so many paths. */
function naming(author: string, paths: number) {
  const targets = Array.from({ length: paths }, (_, at) => `root:${author}-${at}`);
  return Array.from({ length: Math.ceil(paths / 64) }, (_, at) => {
    const { cluster, object } = rule({ cluster: author, name: `rule-${at}` });
    const spec = object['spec'] as { readonly dependencies: readonly [{ readonly apiExportRef: object }] };
    const [one] = spec.dependencies;
    const own = targets.slice(at * 64, (at + 1) * 64);
    const dependencies = own.map((target) => ({ ...one, apiExportRef: { ...one.apiExportRef, path: target } }));
    return reportRule(cluster, { ...object, spec: { ...spec, dependencies } });
  });
}
