// The chart's processes on a kcp: each gets the files that its Pod mounts and starts with its command line. Only folders, ports and the host differ.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { EmbeddedKcp } from '@dep-ctrl/embedded-kcp';
import { parseAllDocuments } from 'yaml';
import { commands, eventually, freePort, runProgram, testCertificates } from '../app-sources.js';
import type { Container, RenderedObject, Volume } from './rendered-object.js';

const TESTS = fileURLToPath(new URL('../../../deploy/chart/tests', import.meta.url));

describe('the Deployments of the chart', () => {
  it.each(['apart', 'kcp-operator', 'all'])(
    'given the values of %s, when each process starts with what its Pod mounts, then all are ready',
    async (set) => {
      await onChart(set, async ({ started }) => {
        const answers = await eventually(
          () => Promise.all(started.map(({ readyz }) => readyz())),
          (texts) => texts.every((text) => text.endsWith('readyz check passed\n')),
        );

        expect(answers).toHaveLength(set === 'all' ? 1 : 2);
      });
    },
  );

  it('given roles apart, when a stranger calls the webhook, then its certificate is of the CA that the controller was given, and the URL token is asked for', async () => {
    await onChart('apart', async ({ started, webhookPort }) => {
      const [controller, webhook] = started;
      await eventually(
        () => webhook?.readyz() ?? '',
        (text) => text.endsWith('readyz check passed\n'),
      );
      const ca = readFileSync(controller?.flag('--webhook-ca-bundle-path') ?? '', 'utf8');

      expect(await statusOf(`https://127.0.0.1:${String(webhookPort)}/validate/some-cluster`, ca)).toBe(404);
    });
  });
});

interface OnChart {
  readonly started: readonly Started[];
  readonly webhookPort: number;
}

/** Starts every process of a set of values on a kcp, and ends them. */
async function onChart(set: string, work: (chart: OnChart) => Promise<void>): Promise<void> {
  await onKcp(async (world) => {
    const webhookPort = await freePort();
    const starting = deploymentsOf(set).map((deployment) => start(deployment, { ...world, webhookPort }));
    try {
      await work({ started: await Promise.all(starting), webhookPort });
    } finally {
      for (const process of await Promise.allSettled(starting)) if (process.status === 'fulfilled') await process.value.stop();
    }
  });
}

async function statusOf(url: string, ca: string): Promise<number | undefined> {
  const [response] = (await once(request(url, { ca, method: 'POST', agent: false }).end(), 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

interface World {
  readonly dir: string;
  /** What the keys of the chart's Secrets hold, by role for kubeconfigs. */
  readonly contentOf: (role: string, key: string) => string;
}

/** A kcp that was bootstrapped, and the content of every Secret that the chart mounts. */
async function onKcp(work: (world: World) => Promise<void>): Promise<void> {
  const kcp = await EmbeddedKcp.start({ shards: 1, delays: 0 });
  const dir = await mkdtemp(join(tmpdir(), 'dep-ctrl-chart-'));
  try {
    const admin = join(dir, 'admin.kubeconfig');
    await writeFile(admin, kcp.kubeconfig());
    const identities = join(dir, 'identities');
    const bootstrap = ['bootstrap', '--kubeconfig', admin, '--shard-kubeconfig', admin, '--kubeconfig-dir', identities];
    expect(await run(bootstrap).ended).toBe(0);
    const { authority, pair } = await testCertificates();
    const others: Readonly<Record<string, string>> = {
      token: readFileSync(join(identities, 'url-token'), 'utf8'),
      'ca.crt': authority.certificate,
      'tls.crt': pair.certificate,
      'tls.key': pair.key,
    };
    const contentOf = (role: string, key: string): string => others[key] ?? readFileSync(join(identities, `${role}.kubeconfig`), 'utf8');
    await work({ dir, contentOf });
  } finally {
    await kcp.stop();
    await rm(dir, { recursive: true });
  }
}

interface Deployment {
  readonly container: Container;
  readonly volumes: readonly Volume[];
}

function deploymentsOf(set: string): readonly Deployment[] {
  const objects = parseAllDocuments(readFileSync(join(TESTS, `${set}.yaml`), 'utf8')).map((document) => document.toJS() as RenderedObject);
  return objects.flatMap(({ spec }) => {
    const pod = spec?.template?.spec;
    return pod === undefined ? [] : pod.containers.map((container) => ({ container, volumes: pod.volumes }));
  });
}

interface Started {
  readonly readyz: () => Promise<string>;
  /** The value of a flag that it was started with. */
  readonly flag: (name: string) => string | undefined;
  readonly stop: () => Promise<void>;
}

/** Mounts, then runs until it listens. */
async function start(
  { container, volumes }: Deployment,
  { dir, contentOf, webhookPort }: World & { readonly webhookPort: number },
): Promise<Started> {
  const root = join(dir, container.name);
  for (const { name, mountPath } of container.volumeMounts) {
    await mkdir(join(root, mountPath), { recursive: true });
    const { secret } = volumes.find((volume) => volume.name === name) ?? {};
    for (const { key, path } of secret?.items ?? []) await writeFile(join(root, mountPath, path), contentOf(container.name, key));
  }
  const args = container.args.flatMap((arg) => moved(arg, root, webhookPort));
  const process = run(args);
  const port = await eventually(
    () => /"healthPort":(\d+)/.exec(process.log())?.[1],
    (found) => found !== undefined,
  );
  return {
    readyz: () => readyz(`http://127.0.0.1:${String(port)}/readyz?verbose`, process),
    flag: (name) => args.find((arg) => arg.startsWith(`${name}=`))?.slice(name.length + 1),
    stop: process.stop,
  };
}

/** What it says, or why it says nothing: a connection that was kept may close under a question. One that has ended fails with its log. */
async function readyz(url: string, process: Running): Promise<string> {
  try {
    return await (await fetch(url)).text();
  } catch (error) {
    if (process.hasEnded()) throw new Error(`it has ended: ${process.log()}`, { cause: error });
    return String(error);
  }
}

/** The same command line, in a folder and on ports of this machine. */
function moved(arg: string, root: string, webhookPort: number): readonly string[] {
  const [, flag = '', value = ''] = /^(--[^=]+)=(.*)$/.exec(arg) ?? [];
  if (flag === '--webhook-url') return [`${flag}=https://127.0.0.1:${String(webhookPort)}`];
  if (flag === '--webhook-port') return [`${flag}=${String(webhookPort)}`];
  if (flag.endsWith('-bind-address')) return [`${flag}=127.0.0.1:0`];
  // They are of the kcp-operator that there is none of here.
  if (flag === '--kcp-base-host' || flag === '--context') return [];
  return [value.startsWith('/') ? `${flag}=${root}${value}` : arg];
}

interface Running {
  readonly ended: Promise<number>;
  readonly hasEnded: () => boolean;
  readonly log: () => string;
  readonly stop: () => Promise<void>;
}

function run(args: readonly string[]): Running {
  const stop = new AbortController();
  let log = '';
  let hasEnded = false;
  const ended = runProgram(commands, args, {
    env: {},
    stdout: { isTerminal: false, write: () => undefined },
    stderr: { isTerminal: false, write: (text) => void (log += text) },
    signal: stop.signal,
  }).finally(() => (hasEnded = true));
  const stopped = async (): Promise<void> => {
    stop.abort();
    await ended;
  };
  return { ended, hasEnded: () => hasEnded, log: () => log, stop: stopped };
}
