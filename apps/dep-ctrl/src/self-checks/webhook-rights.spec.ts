import { describe, expect, it } from '@jest/globals';
import {
  parseVirtualWorkspaceUrl,
  silentLogger,
  systemClock,
  type Clock,
  type ClusterClient,
  type EndpointsState,
  type VirtualWorkspaceUrl,
} from '@dep-ctrl/kcp-client';
import { logicalCluster, type GroupVersionResource, type KubeObject } from '@dep-ctrl/kcp-names';
import { hurriedClock } from '@dep-ctrl/kcp-client/testing';
import { ensureWorkspace } from '@dep-ctrl/kcp-objects';
import { readerManifests } from '../bootstrap/manifests.js';
import { DEV_PATHS } from '../dev/dev-paths.js';
import type { Seen } from '../rules/watched-objects.js';
import { connectTo, onEmbeddedKcp, type EmbeddedWorld } from '../testing/embedded-world.js';
import { WebhookRights, workspacesToAsk } from './webhook-rights.js';

const urlOf = (text: string): VirtualWorkspaceUrl => {
  const url = parseVirtualWorkspaceUrl(text);
  if (!url.ok) throw new Error(url.problem);
  return url.value;
};
const ONE = urlOf('https://one:6443/services/apiexport/home/dependencies.opendefense.cloud');
const TWO = urlOf('https://two:6443/services/apiexport/home/dependencies.opendefense.cloud');
const bindingIn = (endpoint: VirtualWorkspaceUrl, cluster: string, more: object = {}): Seen => {
  const metadata = { name: 'dep-ctrl', ...more };
  return { endpoint, cluster: logicalCluster(cluster), metadata, value: { metadata } };
};
const BOTH = new Set([ONE, TWO]);
const WITHIN_MS = 60_000;
const options = () => ({ clock: systemClock, signal: AbortSignal.timeout(WITHIN_MS) });

describe(workspacesToAsk, () => {
  it.each<{ given: string; bindings: readonly Seen[]; wanted: ReadonlySet<VirtualWorkspaceUrl>; expected: readonly unknown[] }>([
    { given: 'no binding', bindings: [], wanted: BOTH, expected: [] },
    {
      given: 'several on each shard',
      bindings: [bindingIn(ONE, 'a'), bindingIn(ONE, 'b'), bindingIn(TWO, 'c'), bindingIn(TWO, 'd')],
      wanted: BOTH,
      expected: [
        [ONE, 'a'],
        [TWO, 'c'],
      ],
    },
    {
      given: 'a shard that has granted',
      bindings: [bindingIn(ONE, 'a'), bindingIn(TWO, 'c')],
      wanted: new Set([TWO]),
      expected: [[TWO, 'c']],
    },
    {
      given: 'the workspace of the export before another',
      bindings: [bindingIn(ONE, 'home'), bindingIn(ONE, 'a')],
      wanted: BOTH,
      expected: [[ONE, 'a']],
    },
    {
      given: 'a workspace that unbinds before another',
      bindings: [bindingIn(ONE, 'a', { deletionTimestamp: '2026-01-01T00:00:00Z' }), bindingIn(ONE, 'b')],
      wanted: BOTH,
      expected: [[ONE, 'b']],
    },
  ])('given $given, then one other workspace of each shard is asked', ({ bindings, wanted, expected }) => {
    expect([...workspacesToAsk(bindings, wanted)]).toEqual(expected);
  });

  it.each<{ given: string; wanted: ReadonlySet<VirtualWorkspaceUrl>; expected: number }>([
    { given: 'no shard that is to be asked', wanted: new Set(), expected: 0 },
    { given: 'one whose workspace comes second', wanted: new Set([TWO]), expected: 2 },
    { given: 'both', wanted: BOTH, expected: 2 },
    { given: 'one of which nothing is seen', wanted: new Set([urlOf(ONE.replace('one', 'three'))]), expected: 3 },
  ])('given $given, then $expected of three bindings are looked at', ({ wanted, expected }) => {
    let lookedAt = 0;
    function* bindings(): Iterable<Seen> {
      for (const binding of [bindingIn(ONE, 'a'), bindingIn(TWO, 'b'), bindingIn(TWO, 'c')]) {
        lookedAt += 1;
        yield binding;
      }
    }

    workspacesToAsk(bindings(), wanted);

    expect(lookedAt).toBe(expected);
  });
});

describe(WebhookRights, () => {
  it(
    'given rights that uninstall took away, then one warning says so and what to do, one line says when they are back, and one warning when they go again',
    () =>
      onEmbeddedKcp(async (world) => {
        const { cluster } = await ensureWorkspace(world.admin, DEV_PATHS.depCtrl, options());
        const seen = { bindings: [bindingIn(ONE, cluster)] };
        const webhook = connectTo(world.kcp.kubeconfig({ user: 'webhook' }));
        const said = new Lines();
        const logger = { ...silentLogger, info: said.take, warn: said.take };
        const stop = new AbortController();
        const rights = new WebhookRights({ connection: webhook, source: { seen, state: () => live }, clock: hurriedClock(100), logger });

        const running = rights.run(stop.signal);
        const refused = await said.next();
        const whileRefused = rights.readiness.check();
        await grant(world);
        const granted = await said.next();
        const afterwards = rights.readiness.check();
        await revoke(world);
        const again = await said.next();
        stop.abort();
        await running;
        await webhook.close();

        expect(refused).toMatchObject({
          message: 'the webhook may not read workspaces of this shard: every guarded delete there is refused',
          fields: {
            endpoint: ONE,
            cluster,
            fix: expect.stringMatching(
              /^run dep-ctrl bootstrap again, with --shard-kubeconfig .*or give this role the kubeconfig .*webhook\.kubeconfig/,
            ),
          },
        });
        expect(whileRefused).toEqual({
          ready: true,
          note: expect.stringMatching(new RegExp(`^every guarded delete is refused on ${ONE}: run dep-ctrl bootstrap again, `)),
        });
        expect(afterwards).toEqual({ ready: true });
        expect(granted).toEqual({ message: 'the webhook may read workspaces of this shard now', fields: { endpoint: ONE } });
        expect(again).toMatchObject({
          message: 'the webhook may not read workspaces of this shard: every guarded delete there is refused',
        });
        expect(said.left).toEqual([]);
      }),
    WITHIN_MS,
  );

  it('given a binding that is seen only after the first look, then missing rights are told within three seconds, before somebody deletes', () =>
    onEmbeddedKcp(async (world) => {
      const { cluster } = await ensureWorkspace(world.admin, DEV_PATHS.depCtrl, options());
      const webhook = connectTo(world.kcp.kubeconfig({ user: 'webhook' }));
      const bindings: Seen[] = [];
      const stop = new AbortController();
      let nowMs = 0;
      // Time passes by what is slept alone.
      const clock: Clock = {
        now: () => nowMs,
        monotonic: () => nowMs,
        sleep: (ms) => {
          if (nowMs === 0) bindings.push(bindingIn(ONE, cluster));
          nowMs += ms;
          return Promise.resolve();
        },
      };
      const toldAt: number[] = [];
      const warn = (): void => {
        toldAt.push(nowMs);
        stop.abort();
      };

      const rights = new WebhookRights({
        connection: webhook,
        source: { seen: { bindings }, state: () => live },
        clock,
        logger: { ...silentLogger, warn },
      });
      await rights.run(stop.signal);
      await webhook.close();

      expect(toldAt).toEqual([2_500]);
    }));

  it('given a shard that has granted, then its bindings are gone through again every half minute only', () =>
    onEmbeddedKcp(async (world) => {
      const { cluster } = await ensureWorkspace(world.admin, DEV_PATHS.depCtrl, options());
      let shown = 0;
      const bindings = {
        *[Symbol.iterator]() {
          shown += 1;
          yield bindingIn(ONE, cluster);
        },
      };
      const stop = new AbortController();
      let [nowMs, looks] = [0, 0];
      const clock: Clock = {
        now: () => nowMs,
        monotonic: () => nowMs,
        sleep: (ms) => {
          [nowMs, looks] = [nowMs + ms, looks + 1];
          if (looks === 100) stop.abort();
          return Promise.resolve();
        },
      };

      const rights = new WebhookRights({
        connection: world.admin,
        source: { seen: { bindings }, state: () => live },
        clock,
        logger: silentLogger,
      });
      await rights.run(stop.signal);

      // 50 s
      expect([looks, shown]).toEqual([100, 2]);
    }));
});

const live: EndpointsState = { slice: { kind: 'read' }, sliceFreshness: { synced: true }, endpoints: new Map([[ONE, new Map()]]) };

/** What bootstrap writes into system:admin, for the user `webhook`. */
function grant(world: EmbeddedWorld): Promise<void> {
  return eachReaderObject(world, (admin, type, object) => admin.create(type, object, options()));
}

function revoke(world: EmbeddedWorld): Promise<void> {
  return eachReaderObject(world, (admin, type, { metadata: { name = '' } }) => admin.delete(type, { name }, options()));
}

async function eachReaderObject(
  { kcp }: EmbeddedWorld,
  change: (admin: ClusterClient, type: GroupVersionResource, object: KubeObject) => Promise<unknown>,
): Promise<void> {
  const shard = connectTo(kcp.kubeconfig(), { context: 'system:admin' });
  const subjects = { controller: [], webhook: [{ kind: 'User', name: 'webhook' } as const], ownSecrets: [] };
  for (const object of readerManifests(subjects, { kind: 'wildcard' })) {
    const resource = object.kind === 'ClusterRole' ? 'clusterroles' : 'clusterrolebindings';
    await change(shard.ownWorkspace(), { group: 'rbac.authorization.k8s.io', version: 'v1', resource }, object);
  }
  await shard.close();
}

interface Line {
  readonly message: string;
  readonly fields: unknown;
}

/** Log lines, one after the other, as they come. */
class Lines {
  readonly left: Line[] = [];
  readonly #waiting: ((line: Line) => void)[] = [];
  readonly take = (message: string, fields?: unknown): void => {
    const line = { message, fields };
    const waiting = this.#waiting.shift();
    if (waiting === undefined) this.left.push(line);
    else waiting(line);
  };

  next(): Promise<Line> {
    const line = this.left.shift();
    return line === undefined ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve(line);
  }
}
