// Tries watches and leases against a real kcp, which is broken and healed on the way by shell commands. Run by hand:
//   node tools/run-ts.mjs libs/kcp-client/examples/endurance.ts watch KUBECONFIG 'BREAK COMMAND' 'HEAL COMMAND' SECONDS_AWAY [SHARD...]
//   node tools/run-ts.mjs libs/kcp-client/examples/endurance.ts handover KUBECONFIG
// The kubeconfig's user may create workspaces under root. With shards named, each gets a consumer; the last one is thought to be broken.
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { ExportEndpoints, isKcpError, LeaderElector, listAll, type EndpointEvent } from '@dep-ctrl/kcp-client';
import { connect, EXPORT_NAME, insistently, KcpWorld, VPCS } from '../src/spec-support/kcp-world.js';
import { EndpointMirrors } from '../src/spec-support/told.js';

const [task = '', kubeconfig = '', ...rest] = process.argv.slice(2);
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const seconds = (sinceMs: number): string => `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`;

switch (task) {
  case 'watch':
    await endureBreak(rest);
    break;
  case 'handover':
    await handOver();
    break;
  case 'lead':
    await lead(rest[0] ?? '');
    break;
  default:
    say('endurance: name watch or handover');
    process.exitCode = 2;
}

/** Watches VPCs at all endpoints while kcp is broken and healed, and compares what was told with what there is. */
async function endureBreak([breakIt = '', healIt = '', away = '0', ...shards]: readonly string[]): Promise<void> {
  const world = new KcpWorld(connect(kubeconfig));
  const suffix = Date.now().toString(36);
  const consumers = (shards.length === 0 ? [undefined] : shards).map((shard, index) => ({
    path: `root:c${suffix}-${String(index)}`,
    shard,
  }));
  const provider = `root:p${suffix}`;
  await world.workspace(provider, shards[0]);
  await world.exportVpcs(provider);
  for (const { path, shard } of consumers) {
    await world.workspace(path, shard);
    await world.bind(path, provider);
    for (const name of ['a', 'b', 'c']) await world.createVpc(path, name);
  }

  const [events, mirrors, stop] = [[] as string[], new EndpointMirrors(), new AbortController()];
  const onEvent = (event: EndpointEvent): void => {
    mirrors.take(event);
    events.push(event.kind === 'observed' ? event.event.kind : event.kind);
  };
  const endpoints = new ExportEndpoints({
    connection: world.connection,
    workspace: world.at(provider),
    exportName: EXPORT_NAME,
    types: [VPCS],
    onEvent,
  });
  const ended = endpoints.run(stop.signal);
  const total = consumers.length * 3;
  await until(() => mirrors.names('vpcs').length === total);
  say(`watching ${String(total)} objects at ${String(endpoints.state().endpoints.size)} endpoints`);

  const last = consumers.at(-1)?.path ?? '';
  const writer = writeAllTheTime(world, last, stop.signal);
  await pause(2_000);
  const brokenAt = performance.now();
  await shell(breakIt);
  await until(() => isBroken(endpoints));
  say(`broken: noticed after ${seconds(brokenAt)}; still known: ${String(mirrors.names('vpcs').length)} objects`);
  await pause(Number(away) * 1_000);
  const healedAt = performance.now();
  await shell(healIt);
  await insistently(() => world.at(last).get(VPCS, { name: 'a' }, { signal: stop.signal, timeoutMs: 2_000 }), 120_000);
  const servedAt = performance.now();
  say(`serves again ${seconds(healedAt)} after the heal command began`);
  await world.deleteVpc(last, 'b');
  await world.createVpc(last, 'after');
  await until(() => !isBroken(endpoints) && mirrors.names('vpcs').includes('after'));
  say(`whole again ${seconds(servedAt)} after it served`);

  const written = await writer.finish();
  await until(() => mirrors.names('vpcs').includes(written.at(-1) ?? 'after'));
  const truth = new Map<string, string>();
  for (const { path } of consumers) {
    const { objects } = await listAll(world.at(path), VPCS, {}, { signal: stop.signal });
    for (const { metadata } of objects)
      truth.set(`${String(metadata.annotations?.['kcp.io/cluster'])}/${String(metadata.name)}`, String(metadata.resourceVersion));
  }
  const told = new Map([...mirrors.mirrors.values()].flatMap((mirror) => [...mirror.objects]));
  const wrong = [...new Set([...truth.keys(), ...told.keys()])].filter((key) => truth.get(key) !== told.get(key));
  const doubled = [...mirrors.mirrors.values()].reduce((sum, mirror) => sum + mirror.doubled, 0);
  stop.abort();
  await ended;
  await world.connection.close();
  const count = (kind: string): number => events.filter((event) => event === kind).length;
  say(
    `writes accepted: ${String(written.length)}; lists: ${String(count('replaced'))}, applied: ${String(count('applied'))}, deleted: ${String(count('deleted'))}`,
  );
  say(
    `endpoints withdrawn: ${String(count('withdrawn'))}; objects lost or wrong: ${String(wrong.length)}; events doubled: ${String(doubled)}`,
  );
  process.exitCode = wrong.length + doubled + count('withdrawn') === 0 ? 0 : 1;
}

/** Creates an object every 100 ms; what kcp refuses meanwhile does not count. */
function writeAllTheTime(world: KcpWorld, path: string, signal: AbortSignal): { finish(): Promise<readonly string[]> } {
  const stop = new AbortController();
  const written: string[] = [];
  const run = async (): Promise<void> => {
    for (let turn = 0; !stop.signal.aborted; turn += 1) {
      const name = `w${String(turn)}`;
      const object = { apiVersion: `${EXPORT_NAME}/v1`, kind: 'VPC', metadata: { name } };
      try {
        await world.at(path).create(VPCS, object, { signal, timeoutMs: 2_000 });
        written.push(name);
      } catch (failure) {
        if (!isKcpError(failure)) throw failure;
      }
      await pause(100);
    }
  };
  const running = run();
  return {
    async finish() {
      stop.abort();
      await running;
      return written;
    },
  };
}

function isBroken(endpoints: ExportEndpoints): boolean {
  const all = [...endpoints.state().endpoints.values()].flatMap((types) => [...types.values()]);
  return all.some(({ disconnectedSinceMs, lastError }) => disconnectedSinceMs !== undefined && lastError !== undefined);
}

/** Two processes, one lease; the leader is killed with SIGKILL. */
async function handOver(): Promise<void> {
  const world = new KcpWorld(connect(kubeconfig));
  await world.workspace('root:leases');
  await world.connection.close();
  const [a, b] = [candidate('a'), candidate('b')];
  const first = await Promise.race([a.leading, b.leading]);
  const [leader, other] = first === 'a' ? [a, b] : [b, a];
  say(`${first} leads`);
  await pause(10_000);
  const killedAt = performance.now();
  leader.process.kill('SIGKILL');
  await other.leading;
  say(`kill -9 of the leader: the other leads after ${seconds(killedAt)}`);
  const again = candidate('c');
  await pause(3_000);
  const stoppedAt = performance.now();
  other.process.kill('SIGTERM');
  await again.leading;
  say(`SIGTERM of the leader: the other leads after ${seconds(stoppedAt)}`);
  again.process.kill('SIGTERM');
}

function candidate(identity: string): { readonly process: ChildProcess; readonly leading: Promise<string> } {
  const script = process.argv[1] ?? '';
  const child = spawn(process.execPath, [script, 'lead', kubeconfig, identity], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const leading = new Promise<string>((resolve) => lines.on('line', (line) => line === 'leading' && resolve(identity)));
  return { process: child, leading };
}

async function lead(identity: string): Promise<void> {
  const connection = connect(kubeconfig);
  const stop = new AbortController();
  process.once('SIGTERM', () => stop.abort());
  const client = new KcpWorld(connection).at('root:leases');
  const elector = new LeaderElector({ client, namespace: 'default', name: 'endurance', identity: `${identity}-${String(process.pid)}` });
  await elector.run(async (signal) => {
    say('leading');
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  }, stop.signal);
  await connection.close();
}

async function until(enough: () => boolean): Promise<void> {
  while (!enough()) await pause(20);
}

/** Runs a command without stopping this process: a break has to meet a client that works. */
async function shell(command: string): Promise<void> {
  const child = spawn('sh', ['-c', command], { stdio: 'ignore' });
  await new Promise((resolve) => child.once('exit', resolve));
}
