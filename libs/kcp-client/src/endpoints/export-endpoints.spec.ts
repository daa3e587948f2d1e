import { EmbeddedKcp } from '@dep-ctrl/embedded-kcp';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ExportEndpoints, type EndpointEvent, type ReflectorBounds } from '../index.js';
import { BINDINGS, connect, EXPORT_NAME, KcpWorld, VPCS } from '../spec-support/kcp-world.js';
import { Scratch } from '../spec-support/scratch.js';
import { EndpointMirrors, Told } from '../spec-support/told.js';

// One server for all: a start takes longer than a test. Every test has workspaces of its own.
let kcp: EmbeddedKcp;
let world: KcpWorld;

beforeAll(async () => {
  kcp = await EmbeddedKcp.start({ shards: 2, delays: 'fast' });
  using scratch = new Scratch();
  world = new KcpWorld(connect(scratch.write('config', kcp.kubeconfig())));
}, 30_000);

afterAll(async () => {
  await world.connection.close();
  await kcp.stop();
});

describe(ExportEndpoints, () => {
  it('given no export at all, then that is known, and it is no error', async () => {
    await world.workspace('root:nothing');
    await using watch = follow('root:nothing');

    await watch.told.until(() => watch.named().length > 0);

    expect(watch.endpoints.state()).toMatchObject({ slice: { kind: 'no-slice' }, endpoints: new Map() });
    expect(watch.named()).toEqual([[]]);
  });

  it('given bindings on two shards, then each shard is followed, and an endpoint goes and comes with its bindings', async () => {
    await world.workspace('root:net', 'root');
    await world.exportVpcs('root:net');
    await using watch = follow('root:net');
    await watch.told.until(() => watch.endpoints.state().slice.kind === 'read');
    expect(watch.named()).toEqual([[]]);

    await world.workspace('root:one', 'root');
    await world.workspace('root:two', 'shard-1');
    await world.bind('root:one', 'root:net');
    await world.bind('root:two', 'root:net');
    await world.createVpc('root:one', 'a');
    await world.createVpc('root:two', 'b');
    await watch.told.until(() => watch.mirrors.names('vpcs').join() === 'a,b');
    expect(watch.mirrors.names('apibindings')).toEqual(['network', 'network']);

    await world.unbind('root:two');
    await watch.told.until(() => watch.kinds().at(-2) === 'withdrawn');
    expect(watch.mirrors.names('vpcs')).toEqual(['a']);

    await world.bind('root:two', 'root:net');
    await world.createVpc('root:two', 'c');
    await watch.told.until(() => watch.mirrors.names('vpcs').join() === 'a,c');
    expect(watch.kinds()).toEqual(['named', 'appeared', 'named', 'appeared', 'named', 'withdrawn', 'named', 'appeared', 'named']);
  }, 30_000);

  it('given a shard that is away, then its endpoint is not withdrawn and its knowledge stays; back again, it is made whole', async () => {
    await world.workspace('root:net2', 'root');
    await world.exportVpcs('root:net2');
    await world.workspace('root:far', 'shard-1');
    await world.bind('root:far', 'root:net2');
    await world.createVpc('root:far', 'a');
    await using watch = follow('root:net2');
    await watch.told.until(() => watch.mirrors.names('vpcs').join() === 'a');

    const shard = kcp.shards[1]!;
    await shard.stop();
    await watch.until(() => watch.freshness().every(({ lastError }) => lastError !== undefined));
    expect(watch.mirrors.names('vpcs')).toEqual(['a']);
    expect(watch.freshness()[0]).toMatchObject({ synced: true, disconnectedSinceMs: expect.any(Number) });

    await shard.start();
    await world.createVpc('root:far', 'b');
    await watch.told.until(() => watch.mirrors.names('vpcs').join() === 'a,b');
    expect(watch.kinds()).toEqual(['appeared', 'named']);
    await watch.until(() => watch.freshness().every(({ lastError }) => lastError === undefined));
  }, 30_000);

  it('given an export whose workspace is deleted and made anew, then the endpoints of the new export take the place of the old ones', async () => {
    await world.workspace('root:net3', 'root');
    await world.exportVpcs('root:net3');
    await world.workspace('root:near', 'root');
    await world.bind('root:near', 'root:net3');
    await using watch = follow('root:net3', { watchSeconds: 1 });
    await watch.told.until(() => watch.kinds().length === 2);

    await world.removeWorkspace('root:net3');
    await world.workspace('root:net3', 'root');
    await world.exportVpcs('root:net3');
    await world.workspace('root:nearer', 'root');
    await world.bind('root:nearer', 'root:net3');

    await watch.told.until(() => watch.kinds().length === 5);
    expect(watch.kinds()).toEqual(['appeared', 'named', 'withdrawn', 'appeared', 'named']);
    expect(watch.named()[1]).not.toEqual(watch.named()[0]);
  }, 30_000);

  it('given a consumer that throws, then run rejects with that and everything has ended', async () => {
    const endpoints = new ExportEndpoints({
      connection: world.connection,
      workspace: world.at('root:net'),
      exportName: EXPORT_NAME,
      types: [VPCS],
      onEvent({ kind }) {
        if (kind === 'observed') throw new Error('bug');
      },
    });

    await expect(endpoints.run(new AbortController().signal)).rejects.toThrow('bug');
  });
});

class Followed {
  readonly told: Told<EndpointEvent>;
  readonly mirrors: EndpointMirrors;
  readonly endpoints: ExportEndpoints;
  readonly #stop: AbortController;
  readonly #ended: Promise<void>;

  constructor(path: string, bounds: Partial<ReflectorBounds>) {
    this.told = new Told();
    this.mirrors = new EndpointMirrors();
    this.#stop = new AbortController();
    this.endpoints = new ExportEndpoints({
      connection: world.connection,
      workspace: world.at(path),
      exportName: EXPORT_NAME,
      types: [VPCS, BINDINGS],
      bounds,
      logger: {
        debug: () => undefined,
        info: () => this.told.check(),
        warn: () => setImmediate(() => this.told.check()),
        error: () => undefined,
      },
      onEvent: (event) => {
        this.mirrors.take(event);
        this.told.take(event);
      },
    });
    this.#ended = this.endpoints.run(this.#stop.signal);
  }

  until(enough: () => boolean): Promise<void> {
    return this.told.until(enough);
  }

  kinds(): readonly string[] {
    return this.told.events.flatMap(({ kind }) => (kind === 'observed' ? [] : [kind]));
  }

  named(): readonly (readonly string[])[] {
    return this.told.events.flatMap((event) => (event.kind === 'named' ? [event.endpoints] : []));
  }

  freshness() {
    return [...this.endpoints.state().endpoints.values()].flatMap((types) => [...types.values()]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#ended;
  }
}

function follow(path: string, bounds: Partial<ReflectorBounds> = {}): Followed {
  return new Followed(path, bounds);
}
