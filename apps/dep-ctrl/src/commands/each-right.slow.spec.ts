// Each right that a command uses is taken away in turn: what it asks of kcp is recorded, and every one of these requests is refused in a run of its own.
// The command then gives its answer all the same, or says in one line, and soon, what it may not. A command that writes makes up for it in the next run.
import { describe, expect, it } from '@jest/globals';
import type { RecordedRequest, RequestMatch } from '@dep-ctrl/embedded-kcp';
import { onEmbeddedKcp, type EmbeddedWorld } from '../testing/embedded-world.js';
import { install, stateOf } from '../testing/installation-state.js';
import { operatorCommands, type CommandLine } from '../testing/operator-commands.js';
import { runCli, type CliRun } from '../testing/run-cli.js';
import { WRITING_COMMANDS, type WritingCommand } from '../testing/writing-commands.js';
import { bootstrapCommand } from './bootstrap-command.js';

const WITHIN_MS = 300_000;
// Shorter than any wait for what kcp may not know yet, and twice what is promised.
const ENDS_WITHIN_MS = 10_000;

const FORBIDDEN = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason: 'Forbidden', message: 'no', code: 403 };
const DENIED = {
  ...{ apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', metadata: {}, spec: {} },
  status: { allowed: false },
};
const SAYS_WHY = /role missing|may not|must be of an admin of the shard|could not be (?:removed|looked at)/;

/** The requests that arrived, each once, so that they are known in another kcp too. */
function asked({ kcp }: EmbeddedWorld): readonly RequestMatch[] {
  // Anybody may ask for the version; nothing hangs on it but that it is shown.
  const recorded = kcp.requests.recorded().filter(({ path }) => !path.endsWith('/version'));
  const matches = recorded.map(({ listener, method, path }: RecordedRequest) => {
    const anywhere = path.split(/\b[a-z0-9]{16}\b/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return { listener, method, path: `^${anywhere.join('[a-z0-9]{16}')}$` };
  });
  const unique = new Map(matches.map((match) => [JSON.stringify(match), match]));
  return [...unique.values()].map(({ path, ...match }) => ({ ...match, path: new RegExp(path) }));
}

async function refused(
  world: EmbeddedWorld,
  match: RequestMatch,
  { command, argv }: Pick<CommandLine, 'command' | 'argv'>,
): Promise<CliRun> {
  const { faults } = world.kcp;
  faults.onRequest(match, { kind: 'answer', status: 403, body: FORBIDDEN });
  // Who asks kcp hears that the right is missing, too.
  faults.onRequest({ method: 'POST', path: /\/selfsubjectaccessreviews$/ }, { kind: 'answer', status: 201, body: DENIED });
  const run = await runCli(command, argv, { signal: AbortSignal.timeout(ENDS_WITHIN_MS) });
  faults.clear();
  return run;
}

const describeMatch = ({ method, path }: RequestMatch): string => `${String(method)} ${String(path)}`;

/** What is printed, without what is another at every look. */
const lasting = ({ stdout, stderr }: CliRun): string => `${stdout}${stderr}`.replaceAll(/\d+/g, 'N');

function expectSaid(run: CliRun, at: string): void {
  expect({ at, code: run.code, stderr: run.stderr }).toEqual({ at, code: 1, stderr: expect.stringMatching(/^error: [^\n]*\n$/) });
  expect({ at, says: `${run.stdout}${run.stderr}` }).toEqual({ at, says: expect.stringMatching(SAYS_WHY) });
}

describe('a command that reads and is refused one of its requests', () => {
  it.each(['bootstrap --dry-run', 'status', 'doctor', 'explain vpcs', 'explain --workspace', 'lint', 'graph', 'backup'])(
    'given %s, then it answers as ever, or says what it may not',
    (beginning) =>
      onEmbeddedKcp(async (world) => {
        await install(world);
        const line = (await operatorCommands(world.dir)).find((each) => each.line.startsWith(beginning));
        if (line === undefined) throw new Error(`there is no command ${beginning}`);
        const { command } = line;
        const argv = [...line.argv, '--kubeconfig', world.adminKubeconfig];
        world.kcp.requests.clear();
        const whole = await runCli(command, argv);
        const matches = asked(world);
        expect(matches.length).toBeGreaterThan(3);

        let said = 0;
        for (const match of matches) {
          const run = await refused(world, match, { command, argv });

          // What takes time to go wrong is not of this request's making.
          if ([whole, await runCli(command, argv)].some((each) => lasting(each) === lasting(run))) continue;
          said += 1;
          if (run.code === 1 && run.stderr !== '') expectSaid(run, describeMatch(match));
          else
            expect({ match, says: `${run.stdout}${run.stderr}` }).toEqual({
              match,
              says: expect.stringMatching(/may not|not checked|<logical cluster of/),
            });
        }
        expect(said).toBeGreaterThan(0);
      }),
    WITHIN_MS,
  );
});

describe('a command that writes and is refused one of its requests', () => {
  const undisturbed = ({ command, prepare, argv }: WritingCommand) =>
    onEmbeddedKcp(async (world) => {
      await prepare(world);
      world.kcp.requests.clear();
      expect((await runCli(command, argv(world))).code).toBe(0);
      return { matches: asked(world), state: await stateOf(world) };
    });

  /** A refusal of what was not needed changes nothing. */
  const expectDoneOrSaid = (run: CliRun, match: RequestMatch): void => {
    if (run.code !== 0) expectSaid(run, describeMatch(match));
    else expect({ match, stderr: run.stderr }).toEqual({ match, stderr: '' });
  };

  it('given bootstrap, then it says what it may not, however far it came, and once nothing is refused it ends where an undisturbed run does', async () => {
    const bootstrap = WRITING_COMMANDS.find(({ command }) => command === bootstrapCommand);
    if (bootstrap === undefined) throw new Error('bootstrap writes');
    const { matches, state } = await undisturbed(bootstrap);

    await onEmbeddedKcp(async (world) => {
      await bootstrap.prepare(world);
      const argv = bootstrap.argv(world);
      for (const match of matches) expectDoneOrSaid(await refused(world, match, { ...bootstrap, argv }), match);

      expect((await runCli(bootstrap.command, argv)).code).toBe(0);
      expect(await stateOf(world)).toEqual(state);
    });
  }, 300_000);

  it.each(WRITING_COMMANDS.filter(({ command }) => command !== bootstrapCommand).map((each) => ({ ...each, name: each.command.name })))(
    'given $name, then it says what it may not, and run again it ends where an undisturbed run does',
    async (writing) => {
      const { matches, state } = await undisturbed(writing);

      for (const match of matches) {
        await onEmbeddedKcp(async (world) => {
          await writing.prepare(world);
          const argv = writing.argv(world);
          expectDoneOrSaid(await refused(world, match, { ...writing, argv }), match);

          const again = await runCli(writing.command, argv);

          expect({ match, code: again.code, stderr: again.stderr }).toEqual({ match, code: 0, stderr: '' });
          expect({ match, state: await stateOf(world) }).toEqual({ match, state });
        });
      }
    },
    WITHIN_MS,
  );
});
