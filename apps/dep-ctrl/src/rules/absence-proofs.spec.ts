import { describe, expect, it } from '@jest/globals';
import type { LogicalClusterName, WorkspacePath } from '@dep-ctrl/kcp-names';
import { ClusterClient, KcpError, VirtualWorkspace, type KcpErrorCode, type Observed, type Requester } from '@dep-ctrl/kcp-client';
import { createRegistry, type Touched } from '@dep-ctrl/rule-registry';
import { AbsenceProofs } from './absence-proofs.js';
import { LivePaths } from './live-paths.js';
import { RegistryFeed } from './registry-feed.js';
import { SeenObjects, type SeenKind } from './seen-objects.js';
import { binding, endpoint, entry, EXPORT, guard, ManualClock, name, rule, settle } from './spec-support/objects.js';

const { signal } = new AbortController();
const VPCS = { group: 'network.example.com', resource: 'vpcs' };
const NETWORK = binding();
const COMPUTE = binding({ cluster: 'compute1', path: 'root:compute' });
const [old, other, renamed] = [endpoint('old'), endpoint('other'), endpoint('renamed')];

describe(AbsenceProofs, () => {
  it('given a withdrawn endpoint that lists no binding of a workspace, then what it said of it is forgotten', async () => {
    const { reader, writer, seen, look } = twoShards();

    writer.endpointsRead([other]);
    expect(rulesAbout(reader)).toEqual(['vms']);
    await look();

    expect(rulesAbout(reader)).toEqual([]);
    expect(seen.clustersAt(old)).toEqual(new Set());
  });

  it('given a withdrawn endpoint that still lists the binding, or does not answer, then its rules stay', async () => {
    const { reader, writer, look, kcp } = twoShards();

    writer.endpointsRead([other]);
    kcp.answer = () => Promise.resolve([COMPUTE]);
    await look();
    expect(rulesAbout(reader)).toEqual(['vms']);

    kcp.answer = () => Promise.reject(failure('unavailable'));
    await look();
    expect(rulesAbout(reader)).toEqual(['vms']);
  });

  it('given a workspace that binds again while its absence is being proven, then the proof says nothing any more', async () => {
    const { reader, writer, seen, look, kcp, compute } = twoShards();
    writer.endpointsRead([other]);
    const answers: ((bindings: readonly Observed[]) => void)[] = [];
    kcp.answer = () => new Promise((resolve) => answers.push(resolve));
    const looking = look();
    await settle();
    expect(answers).toHaveLength(1);

    writer.endpointsRead([old, other]);
    compute(old);
    for (const answer of answers) answer([]);
    await looking;

    expect(rulesAbout(reader)).toEqual(['vms']);
    expect(seen.clustersAt(old)).toEqual(new Set(['compute1']));
  });

  it('given a shard whose URL changed, then what the old one showed is forgotten and nothing is gone, without asking the old one', async () => {
    const { reader, writer, seen, look, kcp, compute, told } = twoShards();
    kcp.answer = () => Promise.reject(new Error('the old one was asked'));

    writer.endpointsRead([other, renamed]);
    compute(renamed);
    await look();

    expect(seen.endpoints()).toEqual([other, renamed]);
    expect(rulesAbout(reader)).toEqual(['vms']);
    expect(told).toContainEqual({ guarded: new Set(['compute1']), rules: new Set(['compute1/vms']) });
  });

  it('given one workspace of a shard on another one now, and one that nobody serves, then only the first is left to the other shard', async () => {
    const { writer, seen, look, kcp, compute, list } = twoShards();
    list(old, 'bindings', COMPUTE, binding({ cluster: 'alone1', path: 'root:alone' }));
    kcp.answer = () => Promise.reject(failure('unreachable'));

    writer.endpointsRead([other, renamed]);
    compute(renamed);
    await look();

    expect(seen.clustersAt(old)).toEqual(new Set(['alone1']));
  });

  describe('a rule that a guard names, after a restart, and whose workspace no endpoint shows', () => {
    it('given a workspace that answers for a minute and shows no binding, then the rule is gone', async () => {
      const { reader, look, clock } = afterRestart();

      await look();
      clock.ms += 59_999;
      await look();
      expect(reader.guarding(name('network1'), VPCS).state).toBe('syncing');
      clock.ms += 1;
      await look();

      expect(reader.guarding(name('network1'), VPCS).state).toBe('known');
    });

    it('given a workspace that may not be looked into, then that it answers is enough', async () => {
      const { reader, look, clock, kcp } = afterRestart();
      kcp.answer = () => Promise.reject(failure('forbidden'));

      await look();
      clock.ms += 60_000;
      await look();

      expect(reader.guarding(name('network1'), VPCS).state).toBe('known');
    });

    it.each<{ given: string; answer: () => Promise<readonly Observed[]> }>([
      { given: 'a shard that is down', answer: () => Promise.reject(failure('unavailable')) },
      { given: 'a shard that cannot be reached', answer: () => Promise.reject(failure('unreachable')) },
      { given: 'a shard that starts', answer: () => Promise.reject(failure('not-served')) },
      { given: 'a workspace that is bound', answer: () => Promise.resolve([COMPUTE]) },
    ])('given $given and a slice without its endpoint, then the rule still holds, however long', async ({ answer }) => {
      const { reader, look, clock, kcp } = afterRestart();
      await look();

      kcp.answer = answer;
      for (let looks = 0; looks < 20; looks += 1) {
        clock.ms += 10_000;
        await look();
      }

      expect(reader.guarding(name('network1'), VPCS).state).toBe('syncing');
      kcp.answer = () => Promise.resolve([]);
      await look();
      clock.ms += 50_000;
      await look();
      expect(reader.guarding(name('network1'), VPCS).state).toBe('syncing');
    });

    it('given a path that names another workspace and a shard that is down, then the rule holds: anybody could have written that path', async () => {
      const { reader, look, kcp } = afterRestart();
      kcp.found = 'compute2';
      kcp.answer = () => Promise.reject(failure('unavailable'));

      await look();

      expect(reader.guarding(name('network1'), VPCS).state).toBe('syncing');
    });

    it('given many such workspaces of one parent, then that is read once per look', async () => {
      const { list, look, kcp, inspected } = afterRestart();
      kcp.answer = () => Promise.reject(failure('unavailable'));
      const many = ['one', 'two', 'three'].map((each) => entry({ cluster: each, path: `root:teams:${each}` }));
      list(other, 'guards', guard({ names: many }));

      await look();
      await look();

      expect(inspected).toEqual([true, false, false, true, false, false]);
    });

    it('given a path that names another workspace now, then the rule is gone at once', async () => {
      const { reader, look, kcp } = afterRestart();
      kcp.found = 'compute2';

      await look();

      expect(reader.guarding(name('network1'), VPCS).state).toBe('known');
    });
  });
});

/** The compute provider on a shard of its own, whose rule guards the network provider on another. */
function twoShards() {
  const world = quietWorld();
  world.writer.endpointsRead([old, other]);
  world.network(other);
  world.compute(old);
  return world;
}

/** The guard of the network provider names a rule of a workspace behind an endpoint that the export does not name. */
function afterRestart() {
  const world = quietWorld();
  world.writer.endpointsRead([other]);
  world.network(other);
  return world;
}

function quietWorld() {
  const { reader, writer } = createRegistry();
  const seen = new SeenObjects();
  const feed = new RegistryFeed({ exportName: EXPORT, registry: writer, seen, livePaths: new LivePaths() });
  const kcp: { answer: () => Promise<readonly Observed[]>; found: string } = { answer: () => Promise.resolve([]), found: 'compute1' };
  const clock = new ManualClock();
  const told: Touched[] = [];
  const inspected: (boolean | undefined)[] = [];
  const list = (from: typeof old, kind: SeenKind, ...objects: Observed[]): void => {
    feed.take(from, kind, { kind: 'replaced', objects });
  };
  const proofs = new AbsenceProofs({
    connection: connectionTo(() => kcp.answer()),
    exportName: EXPORT,
    reader,
    writer,
    seen,
    resolver: {
      inspect: (_, { fresh }) => {
        inspected.push(fresh);
        return Promise.resolve({ state: 'found', cluster: name(kcp.found), from: 'workspaces', terminating: false });
      },
    },
    clock,
    onChange: (touched) => told.push(touched),
  });
  return {
    reader,
    writer,
    seen,
    kcp,
    clock,
    told,
    inspected,
    list,
    network: (at: typeof old) => {
      list(at, 'bindings', NETWORK);
      list(at, 'guards', guard({ names: [entry()] }));
      list(at, 'rules');
      list(at, 'configurations');
    },
    compute: (at: typeof old) => {
      list(at, 'bindings', COMPUTE);
      list(at, 'guards');
      list(at, 'rules', rule());
      list(at, 'configurations');
    },
    look: () => proofs.look(signal),
  };
}

function rulesAbout(reader: ReturnType<typeof createRegistry>['reader']): readonly string[] {
  return reader.guarding(name('network1'), VPCS).matches.map((match) => match.rule.name);
}

function failure(code: KcpErrorCode): KcpError {
  return new KcpError({ code, asked: 'list', at: 'kcp', problem: code });
}

/** Clients whose every list is answered from one place. */
function connectionTo(answer: () => Promise<readonly Observed[]>) {
  const requester: Requester = {
    request: async () => {
      const items = (await answer()).map(({ object }) => object);
      const list = { kind: 'APIBindingList', apiVersion: 'apis.kcp.io/v1alpha2', metadata: { resourceVersion: '1' }, items };
      return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(list)) };
    },
    open: () => Promise.reject(new Error('nothing is watched here')),
  };
  return {
    virtualWorkspace: (url: typeof old) => new VirtualWorkspace(requester, url),
    cluster: (address: WorkspacePath | LogicalClusterName) => new ClusterClient(requester, { baseUrl: 'https://kcp:6443', address }),
  };
}
