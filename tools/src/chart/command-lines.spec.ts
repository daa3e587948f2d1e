// The command lines of the chart, as Helm rendered them, read by the program's own parser: nothing that the chart says is unknown or wrong.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { commands, runProgram, type Command } from '../app-sources.js';

const TESTS = fileURLToPath(new URL('../../../deploy/chart/tests', import.meta.url));
const SETS = readdirSync(TESTS).flatMap((file) => /^(.*)\.values\.yaml$/.exec(file)?.[1] ?? []);

interface Container {
  readonly args: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
}

describe('the command lines of the chart', () => {
  it.each(SETS)('given the values of %s, when the program reads them, then each starts its role', async (set) => {
    const containers = containersOf(set);

    expect(containers.length).toBeGreaterThan(0);
    for (const { args, env = [] } of containers) {
      const read = await reading(args, Object.fromEntries(env.map(({ name, value }) => [name, value])));

      expect(read).toEqual({ exitCode: 0, complaint: '', started: args[0] });
    }
  });

  it('given apart and all, then both roles run, and every controller elects', () => {
    expect(containersOf('apart').map(({ args }) => args[0])).toEqual(['controller', 'webhook']);
    expect(containersOf('all').map(({ args }) => args[0])).toEqual(['all']);
    for (const { args } of SETS.flatMap(containersOf)) expect(args.includes('--leader-elect')).toBe(args[0] !== 'webhook');
  });

  it('given roles apart, then both are told the same URL token and the controller the CA of the certificate', () => {
    const [controller, webhook] = containersOf('apart');
    const tokenOf = (container?: Container) => container?.args.find((arg) => arg.startsWith('--url-token-file='));

    expect(tokenOf(controller)).toBe('--url-token-file=/etc/url-token/token');
    expect(tokenOf(webhook)).toBe(tokenOf(controller));
    expect(controller?.args).toContain('--webhook-ca-bundle-path=/etc/webhook-ca/ca.crt');
  });

  // Kubernetes offers the address of a Service "dep-ctrl-webhook" to Pods beside it as this variable.
  it('given the variable of a Service called dep-ctrl-webhook, when a webhook is started without a port, then it is taken for the port', async () => {
    const read = await reading(['webhook'], { DEP_CTRL_WEBHOOK_PORT: 'tcp://10.0.0.7:443' });

    expect(read.complaint).toContain('--webhook-port must be a port');
  });

  it('given a flag that there is not, when it is read, then that is a complaint', async () => {
    expect(await reading(['webhook', '--no-such-flag=1'], {})).toMatchObject({ exitCode: 2, started: undefined });
  });
});

function containersOf(set: string): readonly Container[] {
  const objects = parseAllDocuments(readFileSync(join(TESTS, `${set}.yaml`), 'utf8')).map((document) => document.toJS() as Rendered);
  return objects.filter(({ kind }) => kind === 'Deployment').flatMap(({ spec }) => spec.template.spec.containers);
}

interface Rendered {
  readonly kind: string;
  readonly spec: { readonly template: { readonly spec: { readonly containers: readonly Container[] } } };
}

/** Everything that the program does with a command line but the work itself. */
async function reading(args: readonly string[], env: Readonly<Record<string, string>>) {
  let [complaint, started]: [string, string | undefined] = ['', undefined];
  const idle = commands.map((command): Command => ({
    ...command,
    prepare: (invocation, variables) => {
      const prepared = command.prepare(invocation, variables);
      if (!prepared.ok) return prepared;
      return { ok: true, value: () => Promise.resolve(void (started = command.name)) };
    },
  }));
  const exitCode = await runProgram(idle, args, {
    env,
    stdout: { isTerminal: false, write: () => undefined },
    stderr: { isTerminal: false, write: (text) => void (complaint += text) },
    signal: new AbortController().signal,
  });
  return { exitCode, complaint, started };
}
