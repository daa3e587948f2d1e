import { describe, expect, it } from '@jest/globals';
import type { KubeObject, LogicalClusterName, WorkspacePath } from '@dep-ctrl/kcp-names';
import {
  ClusterClient,
  KcpError,
  VirtualWorkspace,
  type KcpErrorCode,
  type Observed,
  type RawRequest,
  type Requester,
} from '@dep-ctrl/kcp-client';
import { ManualClock, settled } from '@dep-ctrl/kcp-client/testing';
import { AbsenceProofs } from './absence-proofs.js';
import { FedSource, type SeenKind } from './spec-support/fed-source.js';
import { binding, endpoint, entry, EXPORT, guard, name, path, rule } from './spec-support/objects.js';

const { signal } = new AbortController();
const VPCS = { group: 'network.example.com', resource: 'vpcs' };
const NETWORK = binding();
const COMPUTE = binding({ cluster: 'compute1', path: 'root:compute' });
const BEFORE_THE_SLICE = '2026-01-01T00:00:00Z';
const SLICE_MADE_AT = '2026-02-01T00:00:00Z';
const AFTER_THE_SLICE = '2026-03-01T00:00:00Z';
const refused = (): Promise<never> => Promise.reject(failure('forbidden'));
const [old, other, renamed] = [endpoint('old'), endpoint('other'), endpoint('renamed')];

describe(AbsenceProofs, () => {
  it('given a withdrawn endpoint that lists no binding of a workspace, then what it said of it is forgotten', async () => {
    const { matches, look, endpoints, clustersAt } = twoShards();

    endpoints(other);
    expect(matches()).toEqual(['vms']);
    await look();

    expect(matches()).toEqual([]);
    expect(clustersAt(old)).toEqual(new Set());
  });

  it('given a withdrawn endpoint that still lists the binding, or does not answer, then its rules stay', async () => {
    const { matches, look, kcp, endpoints } = twoShards();

    endpoints(other);
    kcp.answer = () => Promise.resolve([COMPUTE]);
    await look();
    expect(matches()).toEqual(['vms']);

    kcp.answer = () => Promise.reject(failure('unavailable'));
    await look();
    expect(matches()).toEqual(['vms']);
  });

  it('given a workspace that binds again while its absence is being proven, then the proof says nothing any more', async () => {
    const { matches, look, kcp, compute, endpoints, clustersAt } = twoShards();
    endpoints(other);
    const answers: ((bindings: readonly Observed[]) => void)[] = [];
    kcp.answer = () => new Promise((resolve) => answers.push(resolve));
    const looking = look();
    await settled();
    expect(answers).toHaveLength(1);

    endpoints(old, other);
    compute(old);
    for (const answer of answers) answer([]);
    await looking;

    expect(matches()).toEqual(['vms']);
    expect(clustersAt(old)).toEqual(new Set(['compute1']));
  });

  it('given a shard whose URL changed, then what the old one showed is forgotten and nothing is gone, without asking the old one', async () => {
    const { matches, seen, look, kcp, compute, told, endpoints } = twoShards();
    kcp.answer = () => Promise.reject(new Error('the old one was asked'));
    told.splice(0);

    endpoints(other, renamed);
    compute(renamed);
    await look();

    expect(seen.bindings.withdrawn()).toEqual(new Map());
    expect(matches()).toEqual(['vms']);
    expect(new Set(told.flatMap(({ guarded }) => [...guarded]))).toContain('compute1');
    expect(new Set(told.flatMap(({ rules }) => [...rules]))).toContain('compute1/vms');
  });

  it('given one workspace of a shard on another one now, and one that nobody serves, then only the first is left to the other shard', async () => {
    const { look, kcp, compute, list, endpoints, clustersAt } = twoShards();
    list(old, 'bindings', COMPUTE, binding({ cluster: 'alone1', path: 'root:alone' }));
    kcp.answer = () => Promise.reject(failure('unreachable'));

    endpoints(other, renamed);
    compute(renamed);
    await look();

    expect(clustersAt(old)).toEqual(new Set(['alone1']));
  });

  describe('a rule that a guard names, after a restart, and whose workspace no endpoint shows', () => {
    it('given a workspace that lists no binding for a minute, then the rule is gone, and not before', async () => {
      const { state, look, wait } = afterRestart();
      await look();

      await wait(59_999);
      expect(state()).toBe('syncing');
      await wait(1);

      expect(state()).toBe('known');
    });

    it.each<{ given: string; answer: () => Promise<readonly Observed[]> }>([
      { given: 'a shard that is down', answer: () => Promise.reject(failure('unavailable')) },
      { given: 'a shard that cannot be reached', answer: () => Promise.reject(failure('unreachable')) },
      { given: 'a shard that starts', answer: () => Promise.reject(failure('not-served')) },
      { given: 'credentials that do not count', answer: () => Promise.reject(failure('unauthorized')) },
      { given: 'a workspace that is bound', answer: () => Promise.resolve([COMPUTE]) },
    ])('given $given and a slice without its endpoint, then the rule still holds, however long', async ({ answer }) => {
      const { state, look, wait, kcp } = afterRestart();
      await look();

      kcp.answer = answer;
      await wait(200_000);

      expect(state()).toBe('syncing');
      kcp.answer = () => Promise.resolve([]);
      await look();
      await wait(50_000);
      expect(state()).toBe('syncing');
    });

    it('given a workspace that refuses, then that is a proof only where the slice was there before the guard that names the rule', async () => {
      const older = afterRestart({ guardMadeAt: BEFORE_THE_SLICE });
      const younger = afterRestart({ guardMadeAt: AFTER_THE_SLICE });

      for (const { kcp, look, wait } of [older, younger]) {
        kcp.answer = () => Promise.reject(failure('forbidden'));
        await look();
        await wait(59_999);
      }
      expect([older.state(), younger.state()]).toEqual(['syncing', 'syncing']);
      for (const { wait } of [older, younger]) await wait(200_000);

      expect([older.state(), younger.state()]).toEqual(['syncing', 'known']);
    });

    it.each<{ given: string; slice: KcpErrorCode | readonly KubeObject[] }>([
      { given: 'cannot be read', slice: 'unavailable' },
      { given: 'is gone', slice: [] },
      { given: 'is of another export', slice: [sliceOf('other.example.com')] },
    ])('given a workspace that answers 403 and a slice that $given, then the rule still holds', async ({ slice }) => {
      const { state, look, wait, kcp } = afterRestart({ guardMadeAt: AFTER_THE_SLICE });
      kcp.answer = refused;
      kcp.slice = () => (typeof slice === 'string' ? Promise.reject(failure(slice)) : Promise.resolve(slice));

      await look();
      await wait(200_000);

      expect(state()).toBe('syncing');
    });

    it('given a path that names another workspace now and a shard that is down, then the rule holds: anybody may have written that path', async () => {
      const { state, look, wait, kcp, writer } = afterRestart();
      kcp.answer = () => Promise.reject(failure('unavailable'));

      writer.pathResolved(path('root:compute'), name('compute2'));
      await look();
      await wait(200_000);

      expect(state()).toBe('syncing');
    });

    it('given an endpoint that has not listed, then nothing is proven, and the minute begins once it has', async () => {
      const { state, look, wait, nothing, endpoints } = afterRestart();
      endpoints(other, renamed);

      await look();
      await wait(200_000);
      expect(state()).toBe('syncing');

      nothing(renamed);
      await look();
      await wait(59_999);
      expect(state()).toBe('syncing');
      await wait(1);
      expect(state()).toBe('known');
    });

    it('given an endpoint that shows the workspace before the minute is over, then the rule holds', async () => {
      const { state, look, wait, compute, matches, endpoints } = afterRestart();
      await look();
      await wait(50_000);

      endpoints(other, old);
      compute(old);
      await wait(200_000);

      expect(state()).toBe('known');
      expect(matches()).toEqual(['vms']);
    });

    it('given an endpoint that shows the workspace after all, then what was proven counts no more', async () => {
      const { look, wait, list, state, endpoints } = afterRestart();
      await look();
      await wait(60_000);
      expect(state()).toBe('known');

      endpoints(other, old);
      list(old, 'bindings', COMPUTE);

      expect(state()).toBe('syncing');
    });

    it('F6: given a shard that returns and answers 403 before its endpoint has listed, then that proves nothing', async () => {
      const { state, look, wait, kcp, compute, matches, endpoints } = afterRestart({ guardMadeAt: AFTER_THE_SLICE });
      endpoints(other, old);
      kcp.answer = () => Promise.reject(failure('unavailable'));
      await look();
      await wait(120_000);

      kcp.answer = refused;
      await wait(120_000);
      expect(state()).toBe('syncing');
      compute(old);
      await wait(120_000);

      expect(state()).toBe('known');
      expect(matches()).toEqual(['vms']);
    });

    it('F6: given somebody else whose guard names the same rule with a path of their own, then what is proven for that guard counts for no other', async () => {
      const { list, reader, state, look, wait, kcp } = afterRestart({ guardMadeAt: BEFORE_THE_SLICE });
      const forged = guard({ cluster: 'hostile1', names: [entry({ path: 'root:hostile' })], madeAt: AFTER_THE_SLICE });
      list(other, 'guards', guard({ names: [entry()], madeAt: BEFORE_THE_SLICE }), forged);
      kcp.answer = refused;

      await look();
      await wait(120_000);

      expect(reader.guarded(name('hostile1')).state).toBe('known');
      expect(state()).toBe('syncing');
    });

    it('given a guard whose status names a hundred workspaces, then sixteen of them are asked at a time, and all in the end', async () => {
      const { list, look, wait, kcp, reader, matches, endpoints } = afterRestart();
      const names = Array.from({ length: 100 }, (_, at) => entry({ cluster: `made-up-${at}` }));
      endpoints(other);
      list(other, 'guards', guard({ names: [entry()] }), guard({ cluster: 'hostile1', names }));

      await look();
      expect(kcp.asked.filter((address) => address.startsWith('made-up'))).toHaveLength(16);
      await wait(70_000 * 7);

      expect(new Set(kcp.asked).size).toBe(101);
      expect(reader.guarded(name('hostile1')).state).toBe('known');
      expect(matches()).toEqual([]);
    });
  });
});

/** The compute provider on a shard of its own, whose rule guards the network provider on another. */
function twoShards() {
  const world = quietWorld();
  world.endpoints(old, other);
  world.network(other);
  world.compute(old);
  return world;
}

/** The guard of the network provider names a rule of a workspace behind an endpoint that the export does not name. */
function afterRestart({ guardMadeAt }: { readonly guardMadeAt?: string } = {}) {
  const world = quietWorld();
  world.endpoints(other);
  world.network(other, guardMadeAt);
  return world;
}

function quietWorld() {
  const source = new FedSource();
  const { reader, writer, seen, told } = source;
  const kcp = new BindingsAndSlices();
  const clock = new ManualClock();
  const list = (from: typeof old, kind: SeenKind, ...objects: Observed[]): void => source.list(from, kind, ...objects);
  const proofs = new AbsenceProofs({
    connection: kcp,
    home: { exportName: EXPORT, workspace: kcp.cluster(path('root:dep-ctrl')) },
    reader,
    writer,
    seen,
    clock,
    onChange: (touched) => told.push(touched),
  });
  const look = (): Promise<void> => proofs.look(signal);
  const answer = () => reader.guarding(name('network1'), VPCS, new Set([name('compute1')]));
  return {
    reader,
    writer,
    seen,
    kcp,
    told,
    list,
    endpoints: (...named: (typeof old)[]) => source.name(...named),
    /** The workspaces that an endpoint still shows. */
    clustersAt: (at: typeof old) => new Set(seen.all().flatMap((store) => store.at(at).map(({ cluster }) => cluster))),
    network: (at: typeof old, madeAt?: string) => {
      list(at, 'bindings', NETWORK);
      list(at, 'guards', guard({ names: [entry()], ...(madeAt !== undefined && { madeAt }) }));
      list(at, 'rules');
      list(at, 'configurations');
    },
    compute: (at: typeof old) => {
      list(at, 'bindings', COMPUTE);
      list(at, 'guards');
      list(at, 'rules', rule());
      list(at, 'configurations');
    },
    nothing: (at: typeof old) => {
      for (const kind of ['bindings', 'guards', 'rules', 'configurations'] as const) list(at, kind);
    },
    look,
    /** Looks every ten seconds, and once more when the time is over. */
    wait: async (ms: number): Promise<void> => {
      const untilMs = clock.ms + ms;
      while (clock.ms < untilMs) {
        clock.ms = Math.min(untilMs, clock.ms + 10_000);
        await look();
      }
    },
    /** What is known of the rules that guard the network provider. */
    state: () => answer().state,
    matches: () => answer().matches.map((match) => match.rule.name),
  };
}

function failure(code: KcpErrorCode): KcpError {
  return new KcpError({ code, asked: 'list', at: 'kcp', problem: code });
}

function sliceOf(exportName: string): KubeObject {
  return {
    metadata: { name: exportName, creationTimestamp: SLICE_MADE_AT },
    spec: { export: { name: exportName } },
    status: { endpoints: [{ url: other }] },
  };
}

/** Clients of a kcp where all that is listed is the bindings of a workspace or of an endpoint, and endpoint slices. */
class BindingsAndSlices {
  /** What bindings are listed. */
  answer: () => Promise<readonly Observed[]> = () => Promise.resolve([]);
  /** What slices are. */
  slice: () => Promise<readonly KubeObject[]> = () => Promise.resolve([sliceOf(EXPORT)]);
  /** The workspaces whose bindings were asked for. */
  readonly asked: string[] = [];

  virtualWorkspace(url: typeof old): VirtualWorkspace {
    return new VirtualWorkspace(this.#requester(), url);
  }

  cluster(address: WorkspacePath | LogicalClusterName): ClusterClient {
    return new ClusterClient(this.#requester(address), { baseUrl: 'https://kcp:6443', address });
  }

  #requester(address?: string): Requester {
    return {
      request: async ({ url }: RawRequest) => {
        const isSlices = url.includes('apiexportendpointslices');
        if (!isSlices && address !== undefined) this.asked.push(address);
        const items = isSlices ? await this.slice() : (await this.answer()).map(({ object }) => object);
        const list = { kind: 'List', apiVersion: 'apis.kcp.io/v1alpha2', metadata: { resourceVersion: '1' }, items };
        return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(list)) };
      },
      open: () => Promise.reject(new Error('nothing is watched here')),
    };
  }
}
