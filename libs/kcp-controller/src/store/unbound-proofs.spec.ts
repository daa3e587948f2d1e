import { describe, expect, it } from '@jest/globals';
import { CLUSTER_ANNOTATION, parsed, type KubeObject, type LogicalClusterName, type WorkspacePath } from '@dep-ctrl/kcp-names';
import {
  ClusterClient,
  KcpError,
  VirtualWorkspace,
  type KcpErrorCode,
  type Requester,
  type VirtualWorkspaceUrl,
} from '@dep-ctrl/kcp-client';
import { ManualClock } from '@dep-ctrl/kcp-client/testing';
import { clusterNamed, endpointOf, parseWidget, widget, WIDGETS } from '../spec-support/widgets.js';
import { FedStores } from '../testing/index.js';
import { UnboundProofs } from './unbound-proofs.js';

const BINDINGS = { group: 'apis.kcp.io', version: 'v1alpha2', resource: 'apibindings' };
const EXPORT = 'example.com';
const SLICE_MADE_MS = 1_000;
const [OLD, OTHER, RENAMED] = ['old', 'other', 'renamed'].map(endpointOf) as [
  VirtualWorkspaceUrl,
  VirtualWorkspaceUrl,
  VirtualWorkspaceUrl,
];
const cluster = clusterNamed('cluster-1');

describe('what a withdrawn endpoint showed', () => {
  it.each<{ given: string; answer: Answer; isForgotten: boolean }>([
    { given: 'the endpoint lists no binding', answer: [], isForgotten: true },
    { given: 'the endpoint lists the binding of another export', answer: [binding('other.example.com')], isForgotten: true },
    { given: 'the endpoint lists the binding', answer: [binding()], isForgotten: false },
    { given: 'the endpoint is away', answer: 'unreachable', isForgotten: false },
    { given: 'the endpoint refuses', answer: 'forbidden', isForgotten: false },
  ])('given that $given, then it is forgotten: $isForgotten', async ({ answer, isForgotten }) => {
    const { fed, widgets, show, look, told, kcp } = world();
    fed.name(OLD);
    show(OLD);
    fed.name();
    kcp.answer = answer;

    await look();

    expect([widgets.size, told]).toEqual(isForgotten ? [0, ['unbound cluster-1']] : [1, []]);
  });

  it('given another endpoint that has listed the workspace, then it is forgotten without a question, and before that it is not', async () => {
    const { fed, widgets, bindings, look, told, show, kcp } = world();
    fed.name(OLD);
    show(OLD);
    fed.name(RENAMED);
    fed.list(BINDINGS, [binding()], RENAMED);
    kcp.answer = [];
    await look();
    expect(widgets.withdrawn().size).toBe(1);
    kcp.asked.splice(0);

    fed.list(WIDGETS, [widget('x')], RENAMED);
    await look();

    expect([widgets.withdrawn().size, bindings.withdrawn().size, widgets.size, told, kcp.asked]).toEqual([0, 0, 1, [], []]);
  });
});

describe('a workspace that no endpoint shows, and that is missed', () => {
  it.each<{ given: string; answer: Answer; boundMs?: number; isProof: boolean }>([
    { given: 'it lists no binding', answer: [], isProof: true },
    { given: 'it lists the binding', answer: [binding()], isProof: false },
    { given: 'kcp starts', answer: 'not-served', isProof: false },
    { given: 'its shard is away', answer: 'unreachable', isProof: false },
    { given: 'it has more bindings than are looked through', answer: 'too-large', isProof: false },
    { given: 'kcp refuses, and it was bound before there was this slice', answer: 'forbidden', boundMs: SLICE_MADE_MS - 1, isProof: false },
    { given: 'kcp refuses, and it was bound since', answer: 'forbidden', boundMs: SLICE_MADE_MS, isProof: true },
    { given: 'kcp refuses, and nobody knows when it was bound', answer: 'forbidden', boundMs: Number.NaN, isProof: false },
  ])('given that $given, then that is a proof after a minute: $isProof', async ({ answer, boundMs = 0, isProof }) => {
    const { fed, show, look, wait, told, kcp } = world({ missed: [{ key: 'k', cluster: clusterNamed('cluster-2'), boundMs }] });
    fed.name(OTHER);
    show(OTHER);
    kcp.answer = answer;
    await look();
    await wait(59_999);
    expect(told).toEqual([]);

    await wait(1);

    expect(told).toEqual(isProof ? ['nowhere k'] : []);
  });

  it('given an endpoint that has not listed, or that shows it meanwhile, then the minute begins anew', async () => {
    const { fed, show, look, wait, told } = world({ missed: [{ key: 'k', cluster, boundMs: 0 }] });
    fed.name(OTHER);
    fed.list(BINDINGS, [], OTHER);
    await wait(70_000);
    fed.list(WIDGETS, [], OTHER);
    await look();
    await wait(50_000);
    fed.apply(BINDINGS, binding(), OTHER);
    await wait(10_000);
    fed.delete(BINDINGS, binding(), OTHER);
    await look();
    await wait(59_999);
    expect(told).toEqual([]);

    await wait(1);

    expect(told).toEqual(['nowhere k']);
    show(OTHER);
  });

  it('given one that an endpoint shows all the time, then it is not asked: it may have very many bindings', async () => {
    const { fed, show, wait, told, kcp } = world({ missed: [{ key: 'k', cluster, boundMs: 0 }] });
    fed.name(OTHER);
    show(OTHER);

    await wait(100_000);

    expect([told, kcp.asked]).toEqual([[], []]);
  });

  it('given a slice that cannot be read, then a refusal is no proof', async () => {
    const { fed, show, look, wait, told, kcp } = world({
      missed: [{ key: 'k', cluster: clusterNamed('cluster-2'), boundMs: SLICE_MADE_MS }],
    });
    fed.name(OTHER);
    show(OTHER);
    kcp.answer = 'forbidden';
    kcp.sliceMadeMs = () => Promise.reject(new Error('no slice'));

    await look();
    await wait(200_000);

    expect(told).toEqual([]);
  });
});

type Answer = KcpErrorCode | readonly KubeObject[];

function binding(exportName = EXPORT): KubeObject {
  return {
    metadata: { name: exportName, annotations: { [CLUSTER_ANNOTATION]: cluster } },
    spec: { reference: { export: { name: exportName } } },
  };
}

function world({ missed = [] }: { readonly missed?: readonly { key: string; cluster: LogicalClusterName; boundMs: number }[] } = {}) {
  const clock = new ManualClock();
  const fed = new FedStores({ keepsWithdrawn: true });
  const widgets = fed.store({ type: WIDGETS, parse: parseWidget });
  const bindings = fed.store({ type: BINDINGS, parse: parsed<KubeObject> });
  const kcp = new ListedBindings();
  const told: string[] = [];
  const proofs = new UnboundProofs({
    connection: kcp,
    exportName: EXPORT,
    stores: [widgets, bindings],
    judgedBy: [widgets, bindings],
    bindings,
    sliceMadeMs: () => kcp.sliceMadeMs(),
    missed: () => missed,
    onUnbound: (gone) => told.push(`unbound ${gone}`),
    onNowhere: ({ key }) => told.push(`nowhere ${key}`),
    clock,
  });
  const look = () => proofs.look(new AbortController().signal);
  return {
    ...{ fed, widgets, bindings, kcp, told, look },
    /** An endpoint lists one workspace. */
    show: (at: VirtualWorkspaceUrl) => {
      fed.list(BINDINGS, [binding()], at);
      fed.list(WIDGETS, [widget('x')], at);
    },
    /** Looks every ten seconds, and once more when the time is over. */
    wait: async (ms: number): Promise<void> => {
      const untilMs = clock.ms + ms;
      while (clock.ms < untilMs) {
        clock.ms = Math.min(untilMs, clock.ms + 10_000);
        await look();
      }
    },
  };
}

/** Clients of a kcp where bindings can be listed, and nothing else. */
class ListedBindings {
  answer: Answer = [];
  sliceMadeMs = () => Promise.resolve(SLICE_MADE_MS);
  /** What was asked for. */
  readonly asked: string[] = [];
  readonly #requester: Requester = {
    request: ({ asked, url }) => {
      this.asked.push(url);
      if (typeof this.answer === 'string')
        return Promise.reject(new KcpError({ code: this.answer, asked, at: 'kcp', problem: 'so it is' }));
      const list = { kind: 'List', apiVersion: 'apis.kcp.io/v1alpha2', metadata: { resourceVersion: '1' }, items: this.answer };
      return Promise.resolve({ status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(list)) });
    },
    open: () => Promise.reject(new Error('nothing is watched here')),
  };

  virtualWorkspace(url: VirtualWorkspaceUrl): VirtualWorkspace {
    return new VirtualWorkspace(this.#requester, url);
  }

  cluster(address: WorkspacePath | LogicalClusterName): ClusterClient {
    return new ClusterClient(this.#requester, { baseUrl: 'https://kcp:6443', address });
  }
}
