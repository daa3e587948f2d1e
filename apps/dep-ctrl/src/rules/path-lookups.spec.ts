import { describe, expect, it } from '@jest/globals';
import type { WorkspacePath } from '@dep-ctrl/kcp-names';
import { createRegistry, reportRule } from '@dep-ctrl/rule-registry';
import type { Resolution } from '@dep-ctrl/workspace-resolver';
import { LivePaths } from './live-paths.js';
import { PathLookups } from './path-lookups.js';
import { endpoint, ManualClock, name, path, rule, settle } from './spec-support/objects.js';

const network = path('root:network');
const found: Resolution = { state: 'found', cluster: name('network1'), from: 'workspaces', terminating: false };
const missing: Resolution = { state: 'missing', path: network };
const unreachable: Resolution = { state: 'unreachable', problem: 'no answer', retryable: true };

describe(PathLookups, () => {
  it('given a rule about a path that no endpoint shows, then it is looked up and the registry knows', async () => {
    await lookingUp(async ({ answers, addRule, reader, lookups }) => {
      answers.set(network, found);
      await addRule();

      expect(reader.guarded(name('network1')).matches).toHaveLength(1);
      expect(lookups.resolutionOf(network)).toEqual(found);
    });
  });

  it('given a path of one segment, then it is the name of a cluster, without asking anybody', async () => {
    await lookingUp(({ lookups }) => {
      expect(lookups.resolutionOf(path('storage'))).toMatchObject({ state: 'found', cluster: 'storage', from: 'name' });
      return Promise.resolve();
    });
  });

  it('given a workspace that is made again, then that is noticed within the bound', async () => {
    await lookingUp(async ({ answers, addRule, reader, clock }) => {
      answers.set(network, found);
      await addRule();

      answers.set(network, { ...found, cluster: name('network2') });
      await clock.advance(30_000);

      expect(reader.paths.clustersOf(network)).toEqual(['network2']);
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

      expect(reader.paths.clustersOf(network)).toEqual(['network1']);
    });
  });

  it('given a path that nobody can look up and news all the time, then it is asked for with growing pauses all the same', async () => {
    await lookingUp(async ({ answers, addRule, clock, lookups, asked }) => {
      answers.set(network, unreachable);
      await addRule();

      for (let passed = 0; passed < 60_000; passed += 100) {
        lookups.wake();
        await clock.advance(100);
      }

      expect(asked.length).toBeGreaterThan(4);
      expect(asked.length).toBeLessThan(10);
    });
  });

  it('given an answer that cannot be renewed, then it counts for a while and then no more', async () => {
    await lookingUp(async ({ answers, addRule, reader, clock }) => {
      answers.set(network, missing);
      await addRule();
      answers.set(network, unreachable);

      for (let passed = 0; passed < 4 * 60_000; passed += 30_000) await clock.advance(30_000);
      expect(reader.paths.clustersOf(network)).toEqual([]);

      for (let passed = 0; passed < 2 * 60_000; passed += 30_000) await clock.advance(30_000);
      expect(reader.paths.clustersOf(network)).toBeUndefined();
    });
  });

  it('given an endpoint that shows the path, then its answer counts and the one that was looked up is dropped', async () => {
    await lookingUp(async ({ answers, addRule, reader, clock, livePaths, writer, lookups }) => {
      answers.set(network, found);
      await addRule();

      livePaths.see('b', name('network2'), network);
      writer.workspaceApplied(endpoint('a'), { cluster: name('network2'), path: network });
      await clock.advance(30_000);

      expect(reader.paths.clustersOf(network)).toEqual(['network2']);
      expect(lookups.resolutionOf(network)).toMatchObject({ cluster: 'network2', from: 'live-map' });
    });
  });

  it('given a path that no rule names any more, then it is not asked for again', async () => {
    await lookingUp(async ({ answers, addRule, removeRule, clock, asked }) => {
      answers.set(network, found);
      await addRule();
      removeRule();
      await clock.advance(30_000);
      const before = asked.length;

      await clock.advance(30_000);

      expect(asked).toHaveLength(before);
    });
  });

  it('given a rule that names thousands of paths, then few are asked for at a time, a later rule does not wait, and all come in the end', async () => {
    const { reader, writer } = createRegistry();
    writer.ruleApplied(endpoint('a'), naming('large', 3_000));
    let asking = 0;
    let most = 0;
    const asked: WorkspacePath[] = [];
    const resolve = async (wanted: WorkspacePath): Promise<Resolution> => {
      asking += 1;
      asked.push(wanted);
      most = Math.max(most, asking);
      await settle();
      asking -= 1;
      return { state: 'missing', path: wanted };
    };
    const clock = new ManualClock();
    const lookups = new PathLookups({
      reader,
      writer,
      livePaths: new LivePaths(),
      clock,
      resolver: { resolve },
      onChange: () => undefined,
    });
    const stop = new AbortController();

    const running = lookups.run(stop.signal);
    while (asked.length < 100) await settle();
    writer.ruleApplied(endpoint('a'), naming('later', 1));
    lookups.wake();
    while (asked.length < 3_001) await settle();
    stop.abort();
    await running;

    expect(most).toBeLessThan(10); // the connections that reviews share with it
    expect(asked.indexOf(path('root:later-0'))).toBeLessThan(120);
    expect(reader.unresolvedPaths()).toEqual([]);
  });
});

/** A rule with so many targets. */
function naming(ruleName: string, targets: number) {
  const { cluster, object } = rule({ name: ruleName });
  const spec = object['spec'] as { readonly dependencies: readonly [{ readonly apiExportRef: object }] };
  const [one] = spec.dependencies;
  const dependencies = Array.from({ length: targets }, (_, at) => ({
    ...one,
    apiExportRef: { ...one.apiExportRef, path: `root:${ruleName}-${at}` },
  }));
  return reportRule(cluster, { ...object, spec: { ...spec, dependencies } });
}

async function lookingUp(test: (world: ReturnType<typeof makeWorld>) => Promise<void>): Promise<void> {
  const world = makeWorld();
  const stop = new AbortController();
  const running = world.lookups.run(stop.signal);
  await test(world);
  stop.abort();
  await running;
}

function makeWorld() {
  const { reader, writer } = createRegistry();
  const livePaths = new LivePaths();
  const clock = new ManualClock();
  const answers = new Map<WorkspacePath, Resolution>();
  const asked: WorkspacePath[] = [];
  const told: string[] = [];
  const resolve = (wanted: WorkspacePath): Promise<Resolution> => {
    asked.push(wanted);
    return Promise.resolve(answers.get(wanted) ?? unreachable);
  };
  const lookups = new PathLookups({
    reader,
    writer,
    livePaths,
    clock,
    resolver: { resolve },
    onChange: ({ rules }) => told.push(...rules),
  });
  const { cluster, object } = rule();
  const report = reportRule(cluster, object);
  const addRule = async (): Promise<void> => {
    writer.ruleApplied(endpoint('a'), report);
    lookups.wake();
    await settle();
  };
  const removeRule = (): void => void writer.ruleRemoved(endpoint('a'), report.key);
  return { reader, writer, livePaths, clock, answers, asked, told, lookups, addRule, removeRule };
}
