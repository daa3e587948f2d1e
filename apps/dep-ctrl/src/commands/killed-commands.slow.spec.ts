// Commands that write are killed with -9 at each of their writes: kcp has it, and they never hear of it. Run again, they end where an undisturbed run does.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { systemClock } from '@dep-ctrl/kcp-client';
import { until } from '@dep-ctrl/kcp-objects';
import { onEmbeddedKcp, type EmbeddedWorld } from '../testing/embedded-world.js';
import { stateOf } from '../testing/installation-state.js';
import { runCli } from '../testing/run-cli.js';
import { WRITING_COMMANDS, type WritingCommand } from '../testing/writing-commands.js';

// Builds the bundle where it is older than the sources, and runs it in the same process.
const START = fileURLToPath(new URL('../../../../tools/start.mjs', import.meta.url));
const WITHIN_MS = 300_000;

// Questions about rights are posted, and write nothing.
const WRITES = { method: /^(?:POST|PUT|PATCH|DELETE)$/, path: /^(?!.*accessreviews$)/ };

/** What the command leaves, and how many writes it takes. */
function undisturbed({ command, prepare, argv }: WritingCommand): Promise<{ readonly state: readonly string[]; readonly writes: number }> {
  return onEmbeddedKcp(async (world) => {
    await prepare(world);
    world.kcp.requests.clear();
    const { code, stderr } = await runCli(command, argv(world));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return { state: await stateOf(world), writes: world.kcp.requests.count(WRITES) };
  });
}

/** Runs the command in a process of its own, and kills it while it waits for the answer to its `nth` write. */
async function kill({ command, argv }: WritingCommand, world: EmbeddedWorld, nth: number): Promise<void> {
  world.kcp.requests.clear();
  if (nth > 1) world.kcp.faults.onRequest(WRITES, { kind: 'delay', ms: 0 }, { times: nth - 1 });
  world.kcp.faults.onRequest(WRITES, { kind: 'hold' });
  const child = spawn(process.execPath, [START, command.name, ...argv(world)], { stdio: 'ignore' });
  const exited = once(child, 'exit');
  const arrived = () =>
    Promise.resolve(world.kcp.requests.count(WRITES) >= nth ? { done: true } : { waitingFor: `write ${nth} of ${command.name}` });
  await until('the write', arrived, { clock: systemClock, timeoutMs: 60_000, signal: AbortSignal.timeout(60_000) });
  child.kill('SIGKILL');
  expect(await exited).toEqual([null, 'SIGKILL']);
  world.kcp.faults.clear();
}

describe('a command that is killed with -9 at any of its writes', () => {
  it.each(WRITING_COMMANDS.map((each) => ({ ...each, name: each.command.name })))(
    'given $name, when it is run again, then it ends where an undisturbed run does',
    async (command) => {
      const { state, writes } = await undisturbed(command);
      expect(writes).toBeGreaterThan(0);

      for (let nth = 1; nth <= writes; nth += 1) {
        await onEmbeddedKcp(async (world) => {
          await command.prepare(world);
          await kill(command, world, nth);

          const { code, stderr } = await runCli(command.command, command.argv(world));

          expect({ nth, code, stderr }).toEqual({ nth, code: 0, stderr: '' });
          expect({ nth, state: await stateOf(world) }).toEqual({ nth, state });
        });
      }
    },
    WITHIN_MS,
  );
});
