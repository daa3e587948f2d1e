import { describe, expect, it } from '@jest/globals';
import { KcpError, VirtualWorkspace, type Observed, type Requester } from '@dep-ctrl/kcp-client';
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

    kcp.answer = () => Promise.reject(new KcpError({ code: 'unavailable', asked: 'list', at: 'kcp', problem: 'the shard is down' }));
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
    kcp.answer = () => Promise.reject(new KcpError({ code: 'unreachable', asked: 'list', at: 'kcp', problem: 'no such host' }));

    writer.endpointsRead([other, renamed]);
    compute(renamed);
    await look();

    expect(seen.clustersAt(old)).toEqual(new Set(['alone1']));
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

function quietWorld() {
  const { reader, writer } = createRegistry();
  const seen = new SeenObjects();
  const feed = new RegistryFeed({ exportName: EXPORT, registry: writer, seen, livePaths: new LivePaths() });
  const kcp: { answer: () => Promise<readonly Observed[]> } = { answer: () => Promise.resolve([]) };
  const clock = new ManualClock();
  const told: Touched[] = [];
  const list = (from: typeof old, kind: SeenKind, ...objects: Observed[]): void => {
    feed.take(from, kind, { kind: 'replaced', objects });
  };
  const proofs = new AbsenceProofs({
    connection: connectionTo(() => kcp.answer()),
    exportName: EXPORT,
    reader,
    writer,
    seen,
    resolver: { resolve: () => Promise.resolve({ state: 'unreachable', problem: 'nobody asked', retryable: true }) },
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

/** Virtual workspaces whose every list is answered from one place. */
function connectionTo(answer: () => Promise<readonly Observed[]>) {
  const requester: Requester = {
    request: async () => {
      const items = (await answer()).map(({ object }) => object);
      const list = { kind: 'APIBindingList', apiVersion: 'apis.kcp.io/v1alpha2', metadata: { resourceVersion: '1' }, items };
      return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(list)) };
    },
    open: () => Promise.reject(new Error('nothing is watched here')),
  };
  return { virtualWorkspace: (url: typeof old) => new VirtualWorkspace(requester, url) };
}
