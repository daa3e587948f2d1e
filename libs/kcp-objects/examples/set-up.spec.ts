import { expect, it } from '@jest/globals';
import { systemClock } from '@dep-ctrl/kcp-client';
import { parseWorkspacePath } from '@dep-ctrl/kcp-names';
import { ensureObject, ensureWorkspace, lookForWorkspace, removeWorkspace } from '@dep-ctrl/kcp-objects';
import { onEmbeddedKcp } from '../src/spec-support/embedded-world.js';

it(
  'makes a workspace and what is in it, twice',
  () =>
    onEmbeddedKcp(async ({ admin: connection }) => {
      const options = { clock: systemClock, signal: AbortSignal.timeout(30_000) };
      const path = parseWorkspacePath('root:my-operator');
      if (!path.ok) throw new Error(path.problem);

      expect(await ensureWorkspace(connection, path.value, options)).toMatchObject({ created: true });
      expect(await ensureWorkspace(connection, path.value, options)).toMatchObject({ created: false });

      const inside = connection.cluster(path.value);
      const configMaps = { group: '', version: 'v1', resource: 'configmaps' };
      const wanted = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'settings', namespace: 'default' },
        data: { colour: 'blue' },
      };
      expect(await ensureObject(inside, configMaps, wanted, options)).toBe('created');
      expect(await ensureObject(inside, configMaps, wanted, options)).toBe('unchanged');

      await removeWorkspace(connection, path.value, options);
      expect(await lookForWorkspace(connection, path.value, options)).toEqual({ state: 'missing', path: 'root:my-operator' });
    }),
  60_000,
);
