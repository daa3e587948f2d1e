import { describe, expect, it } from '@jest/globals';
import { systemClock, type Clock } from '@dep-ctrl/kcp-client';
import { PATH_ANNOTATION } from '@dep-ctrl/kcp-names';
import { ensureWorkspace, LOGICAL_CLUSTERS } from '@dep-ctrl/kcp-objects';
import { WorkspaceResolver } from '@dep-ctrl/workspace-resolver';
import { onEmbeddedKcp } from '../testing/embedded-world.js';
import { pathOf } from '../testing/path-of.js';
import { WorkspacePaths } from './workspace-paths.js';

const options = () => ({ signal: AbortSignal.timeout(30_000), clock: systemClock, timeoutMs: 30_000 });

describe(WorkspacePaths, () => {
  it('given clusters, then those are named whose path leads to them, and no name that only an owner gave', () =>
    onEmbeddedKcp(async ({ admin }) => {
      const { cluster: honest } = await ensureWorkspace(admin, pathOf('root:honest'), options());
      const { cluster: liar } = await ensureWorkspace(admin, pathOf('root:liar'), options());
      const client = admin.cluster(liar);
      const own = await client.get(LOGICAL_CLUSTERS, { name: 'cluster' }, options());
      const annotations = { ...own.metadata.annotations, [PATH_ANNOTATION]: 'root:honest' };
      await client.replace(LOGICAL_CLUSTERS, { ...own, metadata: { ...own.metadata, annotations } }, options());
      const paths = new WorkspacePaths({ connection: admin, resolver: new WorkspaceResolver({ connection: admin }), clock: systemClock });

      const found = await paths.find([honest, liar, 'nobody', 'NO NAME'], options());

      expect([honest, liar, 'nobody', 'NO NAME'].map((cluster) => found.get(cluster))).toEqual([
        'root:honest',
        undefined,
        undefined,
        undefined,
      ]);
    }));

  it('given many clusters, then 20 are asked about at a time, the rest later; after a minute all are asked about again', () =>
    onEmbeddedKcp(async ({ admin }) => {
      let nowMs = 0;
      const clock: Clock = { ...systemClock, monotonic: () => nowMs };
      const paths = new WorkspacePaths({ connection: admin, resolver: new WorkspaceResolver({ connection: admin }), clock });
      const clusters = Array.from({ length: 50 }, (_, at) => `cluster${String(at)}`);
      const known = async (): Promise<number> => (await paths.find(clusters, options())).size;

      expect([await known(), await known(), await known(), await known()]).toEqual([20, 40, 50, 50]);
      nowMs = 60_001;
      expect(await known()).toBe(20);
    }));
});
