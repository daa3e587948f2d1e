import { deepEqual } from 'node:assert/strict';
import { listAll, parseVirtualWorkspaceUrl, Reflector, type VirtualWorkspaceUrl } from '@dep-ctrl/kcp-client';
import { zone } from '../stage/example-types.js';
import { eventually } from '../stage/eventually.js';
import type { Export } from '../stage/exports.js';
import type { Workspace } from '../stage/stage.js';
import { clusterNamed } from './connect.js';
import { Follower, toldOf } from './follower.js';
import { Forwarder } from './forwarder.js';
import { provided } from './l1-watches.js';
import type { Library, LibraryCase } from './library-case.js';
import { viewOf, type Told } from './verdict.js';
import { revisionOf, ZONES } from './writer.js';

// Short watches, so that their end is seen soon; the law is the same for longer ones.
const BOUNDS = { watchSeconds: 6, silenceMs: 15_000 };

/** L1.4: what a watch was told by one shard means nothing to another. */
export const movedEndpoint: readonly LibraryCase[] = [
  {
    id: 'L1.4',
    title: 'another shard answers at the address of an endpoint: its resource versions are not believed, and all is listed anew',
    needs: ['two-shards'],
    slow: true,
    run: async (library) => {
      const { target, consumers } = await provided(library, [0, 1]);
      const [near, far] = consumers;
      if (near === undefined || far === undefined) throw new Error('two consumers are needed');
      for (const [workspace, name] of [
        [near, 'near'],
        [far, 'far'],
        [far, 'further'],
      ] as const)
        await write(library, workspace, name);
      const [nearUrl, farUrl] = await endpointsOf(library, target, [near, far]);

      const up = await move(library, { from: nearUrl, to: farUrl, expected: far });
      const down = await move(library, { from: farUrl, to: nearUrl, expected: near });

      library.tell(`from root to shard-1: right after ${up}; from shard-1 to root: right after ${down}`);
    },
  },
];

interface Move {
  readonly from: string;
  readonly to: string;
  /** The consumer to be seen at the end; writes go there meanwhile. */
  readonly expected: Workspace;
}

/** Follows one endpoint, puts the other behind its address, and waits until that one's objects are seen; says how that went. */
async function move(library: Library, { from, to, expected }: Move): Promise<string> {
  await using forwarder = await Forwarder.to(from);
  const stop = new AbortController();
  const told: Told[] = [];
  const client = library.connection.virtualWorkspace(parsed(forwarder.url)).wildcard();
  const reflector = new Reflector({ client, type: ZONES, bounds: BOUNDS, onEvent: (event) => void told.push(toldOf(event)) });
  const ended = reflector.run(stop.signal);
  try {
    await eventually('the first endpoint is followed', () => {
      const { disconnectedSinceMs } = reflector.freshness();
      return disconnectedSinceMs === undefined ? Promise.resolve() : Promise.reject(new Error('it is not'));
    });
    const listsBefore = told.length;

    const movedMs = performance.now();
    forwarder.move(to);
    await eventually('the other endpoint is seen as it is', async () => deepEqual(viewOf(told), await objectsOf(library, expected)));
    const tookMs = performance.now() - movedMs;

    await write(library, expected, library.kcp.unique('z'));
    await eventually('a write behind that is told', async () => deepEqual(viewOf(told), await objectsOf(library, expected)));
    const lists = told.slice(listsBefore).filter(({ kind }) => kind === 'replaced').length;
    return `${(tookMs / 1_000).toFixed(1)} s by ${String(lists)} list`;
  } finally {
    stop.abort();
    await ended;
  }
}

async function endpointsOf({ connection }: Library, target: Export, consumers: readonly Workspace[]): Promise<readonly [string, string]> {
  await using follower = new Follower(connection, target);
  return await eventually('both endpoints are known', () => {
    const [near = '', far = ''] = consumers.map(({ cluster }) => follower.endpointOf(cluster));
    return Promise.resolve([near, far] as const);
  });
}

async function write({ connection }: Library, { cluster }: Workspace, name: string): Promise<void> {
  await connection
    .cluster(clusterNamed(cluster))
    .create(ZONES, { ...zone(name), metadata: { name } }, { signal: new AbortController().signal });
}

async function objectsOf({ connection }: Library, { cluster }: Workspace): Promise<ReadonlyMap<string, number>> {
  const { objects } = await listAll(connection.cluster(clusterNamed(cluster)), ZONES, {}, { signal: new AbortController().signal });
  return new Map(objects.map((object) => [`${cluster}/${String(object.metadata.name)}`, revisionOf(object)]));
}

function parsed(url: string): VirtualWorkspaceUrl {
  const address = parseVirtualWorkspaceUrl(url);
  if (!address.ok) throw new Error(address.problem);
  return address.value;
}
