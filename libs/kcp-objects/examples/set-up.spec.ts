import { expect, it } from '@jest/globals';
import { systemClock } from '@dep-ctrl/kcp-client';
import { workspacePath } from '@dep-ctrl/kcp-names';
import { ensureObject, ensureWorkspace, lookForWorkspace, removeWorkspace } from '@dep-ctrl/kcp-objects';
import { onEmbeddedKcp } from '../src/spec-support/embedded-world.js';

it(
  'makes a workspace and what is in it, twice',
  () =>
    onEmbeddedKcp(async ({ admin: connection }) => {
      const options = { clock: systemClock, signal: AbortSignal.timeout(30_000) };
      const path = workspacePath('root:my-operator');

      expect(await ensureWorkspace(connection, path, options)).toMatchObject({ created: true });
      expect(await ensureWorkspace(connection, path, options)).toMatchObject({ created: false });

      const inside = connection.cluster(path);
      const configMaps = { group: '', version: 'v1', resource: 'configmaps' };
      const wanted = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'settings', namespace: 'default' },
        data: { colour: 'blue' },
      };
      expect(await ensureObject(inside, configMaps, wanted, options)).toBe('created');
      expect(await ensureObject(inside, configMaps, wanted, options)).toBe('unchanged');

      await removeWorkspace(connection, path, options);
      expect(await lookForWorkspace(connection, path, options)).toEqual({ state: 'missing', path: 'root:my-operator' });
    }),
  60_000,
);
