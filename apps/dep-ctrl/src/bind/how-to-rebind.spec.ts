import { describe, expect, it } from '@jest/globals';
import { listAll, systemClock } from '@dep-ctrl/kcp-client';
import { EXPORT_NAME } from '@dep-ctrl/rule-registry';
import { API_BINDINGS, ensureWorkspace, removeWorkspace } from '@dep-ctrl/kcp-objects';
import { isLabelledForAnother } from '@dep-ctrl/exported-types';
import { bindCommand } from '../commands/bind-command.js';
import { bootstrapCommand } from '../commands/bootstrap-command.js';
import { DEV_PARENTS, DEV_PATHS } from '../dev/dev-paths.js';
import { onEmbeddedKcp } from '../testing/embedded-world.js';
import { runCli } from '../testing/run-cli.js';
import { howToRebind } from './how-to-rebind.js';

const FORMER = '10z9p7kagcbg5cnn';

describe(howToRebind, () => {
  it('given a binding that stays with an installation that is gone, then both commands name what is theirs', () => {
    const { network: path } = DEV_PATHS;

    const text = howToRebind(FORMER, { baseUrl: 'https://kcp:6443', path, name: EXPORT_NAME, flags: ['--kubeconfig', 'a.yaml'] });

    expect(text).toContain(`it belongs to an installation that is gone, in logical cluster "${FORMER}": release its guard (dep-ctrl `);
    expect(text).toContain(
      `uninstall --workspace ${FORMER} --shard-kubeconfig FILE --yes --kubeconfig a.yaml), delete the binding (kubectl --kubeconfig a.yaml --server `,
    );
    expect(text).toContain(`https://kcp:6443/clusters/root:providers:network delete apibinding ${EXPORT_NAME}) and bind again`);
  });
});

describe('dep-ctrl bind, given that the workspace of dep-ctrl was deleted and made anew', () => {
  it('given a binding of before, then the new export finds it, and it is not "unchanged": its rules are of before', () =>
    onEmbeddedKcp(async (world) => {
      const options = () => ({ signal: AbortSignal.timeout(20_000), clock: systemClock });
      const flags = ['--kubeconfig', world.adminKubeconfig];
      await runCli(bootstrapCommand, flags);
      for (const path of [...DEV_PARENTS, DEV_PATHS.network]) await ensureWorkspace(world.admin, path, options());
      await runCli(bindCommand, [...flags, DEV_PATHS.network]);
      await removeWorkspace(world.admin, DEV_PATHS.depCtrl, options());
      await runCli(bootstrapCommand, flags);

      const bound = await runCli(bindCommand, [...flags, DEV_PATHS.network]);
      const again = await runCli(bindCommand, [...flags, DEV_PATHS.network]);

      expect(bound).toEqual({
        code: 0,
        stdout:
          'root:providers:network: binding rebound: dep-ctrl was set up anew since, so apply the rules and guards of this workspace again\n',
        stderr: '',
      });
      expect(again).toMatchObject({ code: 0, stdout: 'root:providers:network: binding unchanged\n' });
      const { objects } = await listAll(world.admin.cluster(DEV_PATHS.network), API_BINDINGS, {}, options());
      const found = objects.find(({ metadata }) => metadata.name === EXPORT_NAME);
      expect(found && isLabelledForAnother(found)).toBe(false);
    }));
});
