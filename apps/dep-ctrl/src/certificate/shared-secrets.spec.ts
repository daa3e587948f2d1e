import { describe, expect, it } from '@jest/globals';
import { systemClock } from '@dep-ctrl/kcp-client';
import { parseUrlSecrets } from '@dep-ctrl/admission-server';
import { ensureWorkspace } from '@dep-ctrl/kcp-objects';
import { bootstrapCommand } from '../commands/bootstrap-command.js';
import { DEV_PATHS } from '../dev/dev-paths.js';
import { onEmbeddedKcp } from '../testing/embedded-world.js';
import { runCli } from '../testing/run-cli.js';
import { sharedAuthority, sharedUrlTokenText } from './shared-secrets.js';

const options = () => ({ signal: AbortSignal.timeout(20_000), clock: systemClock });

describe('what replicas share', () => {
  it('given several that start at once on an empty Secret, then all take the same CA and the same token', () =>
    onEmbeddedKcp(async ({ admin, adminKubeconfig }) => {
      await runCli(bootstrapCommand, ['--kubeconfig', adminKubeconfig]);
      const home = admin.cluster(DEV_PATHS.depCtrl);
      const replicas = [1, 2, 3, 4];

      const authorities = await Promise.all(replicas.map(() => sharedAuthority(home, Date.now(), options())));
      const tokens = await Promise.all(replicas.map(() => sharedUrlTokenText(home, options())));

      expect(new Set(authorities.map(({ certificate, key }) => certificate + key)).size).toBe(1);
      expect(new Set(tokens).size).toBe(1);
      expect(parseUrlSecrets(tokens[0] ?? '').ok).toBe(true);
    }));

  it('given a workspace without the Secrets, then they are made, and bootstrap knows them as ours afterwards', () =>
    onEmbeddedKcp(async ({ admin, adminKubeconfig }) => {
      await ensureWorkspace(admin, DEV_PATHS.depCtrl, options());
      const authority = await sharedAuthority(admin.cluster(DEV_PATHS.depCtrl), Date.now(), options());

      const { code } = await runCli(bootstrapCommand, ['--kubeconfig', adminKubeconfig]);

      expect(code).toBe(0);
      expect(await sharedAuthority(admin.cluster(DEV_PATHS.depCtrl), Date.now(), options())).toEqual(authority);
    }));
});
