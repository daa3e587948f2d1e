import { describe, expect, it } from '@jest/globals';
import { systemClock } from '@dep-ctrl/kcp-client';
import { until } from '@dep-ctrl/kcp-objects';
import { onEmbeddedKcp } from '../testing/embedded-world.js';
import { runCli } from '../testing/run-cli.js';
import { WRITING_COMMANDS } from '../testing/writing-commands.js';
import { bootstrapCommand } from './bootstrap-command.js';
import { explainCommand } from './explain-command.js';
import { uninstallCommand } from './uninstall-command.js';

// Questions about rights are posted, and write nothing.
const WRITES = { method: /^(?:POST|PUT|PATCH|DELETE)$/, path: /^(?!.*accessreviews$)/ };
const READS = { method: /^GET$/ };
const AGAIN = 'error: interrupted; what was written stays; run it again, it is safe to repeat\n';

const patience = () => ({ clock: systemClock, timeoutMs: 30_000, signal: AbortSignal.timeout(30_000) });

describe('a command that is interrupted, as by Ctrl-C', () => {
  it.each(WRITING_COMMANDS.map((each) => ({ ...each, name: each.command.name })))(
    'given $name while it waits for the answer to a write, then one line says that it can be run again, and it can',
    ({ command, prepare, argv }) =>
      onEmbeddedKcp(async (world) => {
        await prepare(world);
        // The others may take one write.
        for (const nth of [bootstrapCommand, uninstallCommand].includes(command) ? [1, 2] : [1]) {
          const stop = new AbortController();
          world.kcp.requests.clear();
          if (nth > 1) world.kcp.faults.onRequest(WRITES, { kind: 'delay', ms: 0 }, { times: nth - 1 });
          world.kcp.faults.onRequest(WRITES, { kind: 'hold' });

          const run = runCli(command, argv(world), { signal: stop.signal });
          const arrived = () => Promise.resolve(world.kcp.requests.count(WRITES) >= nth ? { done: true } : { waitingFor: 'a write' });
          await until('the write', arrived, patience());
          stop.abort();

          expect(await run).toEqual({ code: 1, stdout: '', stderr: AGAIN });
          world.kcp.faults.clear();
        }
        expect(await runCli(command, argv(world))).toMatchObject({ code: 0, stderr: '' });
      }),
    120_000,
  );

  it('given one that writes nothing, then one line says that it was interrupted, and no more', () =>
    onEmbeddedKcp(async (world) => {
      const stop = new AbortController();
      world.kcp.faults.onRequest(READS, { kind: 'hold' });
      world.kcp.requests.clear();

      const run = runCli(explainCommand, ['vpcs/a', '--kubeconfig', world.adminKubeconfig, '--workspace', 'root'], { signal: stop.signal });
      const arrived = () => Promise.resolve(world.kcp.requests.count(READS) > 0 ? { done: true } : { waitingFor: 'a request' });
      await until('the request', arrived, patience());
      stop.abort();

      expect(await run).toEqual({ code: 1, stdout: '', stderr: 'error: interrupted\n' });
      world.kcp.faults.clear();
    }));
});
