import { describe, expect, it } from '@jest/globals';
import { listAll, systemClock, type Clock } from '@dep-ctrl/kcp-client';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { EXPORT_NAME } from '@dep-ctrl/rule-registry';
import { bindCommand } from '../cli/bind-command.js';
import { bootstrapCommand } from '../cli/bootstrap-command.js';
import { describeFailure } from '../cli/describe-failure.js';
import { DEV_PARENTS, DEV_PATHS } from '../dev/dev-paths.js';
import { ensureWorkspace, removeWorkspace } from '../kcp-objects/ensure-workspace.js';
import { API_BINDINGS } from '../kcp-objects/types.js';
import { onEmbeddedKcp } from '../testing/embedded-world.js';
import { runCli } from '../testing/run-cli.js';
import { isLabelledForAnother, withoutLabel } from './moved-export.js';
import { runBind } from './run-bind.js';

const LABEL = 'internal.apis.kcp.io/export';
// Both as kcp v0.32.3 gave them.
const [FORMER, NOW] = ['10z9p7kagcbg5cnn', '2sr7vido6wesw5w3'];
const [OF_FORMER, OF_NOW] = ['4y75YpHKACuwMzJYzSCvRjM3AMUTgqu5mXkDe3', '9y6oG5WyK1kc18NHSKh4PIFohMTkxvB1xXQMeu'];

const binding = (cluster: string | undefined, labels: Readonly<Record<string, string>>): KubeObject => ({
  metadata: { name: EXPORT_NAME, labels },
  spec: { reference: { export: { path: 'root:dep-ctrl', name: EXPORT_NAME } } },
  status: cluster === undefined ? {} : { apiExportClusterName: cluster },
});

describe(isLabelledForAnother, () => {
  it.each([
    { given: 'the label of the export that it is bound to', found: binding(NOW, { [LABEL]: OF_NOW }), expected: false },
    { given: 'the label of the export that was there before', found: binding(NOW, { [LABEL]: OF_FORMER }), expected: true },
    { given: 'a binding that kcp has not moved', found: binding(FORMER, { [LABEL]: OF_FORMER }), expected: false },
    { given: 'a binding that is not bound yet', found: binding(undefined, { [LABEL]: OF_NOW }), expected: false },
    { given: 'no label', found: binding(NOW, {}), expected: false },
  ])('given $given, then $expected', ({ found, expected }) => {
    expect(isLabelledForAnother(found)).toBe(expected);
  });
});

describe(withoutLabel, () => {
  it('given other labels, then they stay', () => {
    expect(withoutLabel(binding(NOW, { [LABEL]: OF_FORMER, team: 'a' })).metadata.labels).toEqual({ team: 'a' });
  });
});

/** Time that is over by the third look. */
function impatient(): Clock {
  let nowMs = 0;
  return { ...systemClock, sleep: () => Promise.resolve(), monotonic: () => (nowMs += 20_000) };
}

describe('dep-ctrl bind, given that the workspace of dep-ctrl was deleted and made anew', () => {
  it('given a binding that stays with the installation that is gone, then it is not "unchanged", and it says what to do', () =>
    onEmbeddedKcp(async (world) => {
      const options = () => ({ signal: AbortSignal.timeout(20_000), clock: systemClock });
      const flags = ['--kubeconfig', world.adminKubeconfig];
      await runCli(bootstrapCommand, flags);
      for (const path of [...DEV_PARENTS, DEV_PATHS.network]) await ensureWorkspace(world.admin, path, options());
      await runCli(bindCommand, [...flags, DEV_PATHS.network]);
      const { cluster: former } = await ensureWorkspace(world.admin, DEV_PATHS.depCtrl, options());
      await removeWorkspace(world.admin, DEV_PATHS.depCtrl, options());
      await runCli(bootstrapCommand, flags);
      let stdout = '';

      const failure = await runBind(
        {
          kubeconfig: world.adminKubeconfig,
          context: undefined,
          workspace: DEV_PATHS.depCtrl,
          paths: [DEV_PATHS.network],
          output: undefined,
        },
        {
          env: {},
          stdout: { isTerminal: false, write: (text) => void (stdout += text) },
          stderr: { isTerminal: false, write: () => undefined },
          signal: options().signal,
        },
        { clock: impatient() },
      ).then(() => undefined, describeFailure);

      expect(stdout).toBe('root:providers:network: binding failed\n');
      expect(failure).toContain(`it belongs to an installation that is gone, in logical cluster "${former}": release its guard (dep-ctrl `);
      expect(failure).toContain(`uninstall --workspace ${former} --shard-kubeconfig FILE --yes), delete the binding (kubectl --server `);
      expect(failure).toContain(`${world.admin.baseUrl}/clusters/root:providers:network delete apibinding ${EXPORT_NAME}) and bind again`);
      const { objects } = await listAll(world.admin.cluster(DEV_PATHS.network), API_BINDINGS, {}, options());
      expect(objects.find(({ metadata }) => metadata.name === EXPORT_NAME)).toBeDefined();
    }));
});
