// A person's session with kubectl. Needs kubectl on PATH; where there is none, it says so and is skipped.
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedKcp } from './installation/embedded-kcp.js';

const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;
if (!hasKubectl) process.stderr.write('SKIPPED: the kubectl session, because there is no kubectl on PATH\n');

// Each step starts a process, on a machine that may be busy.
jest.setTimeout(60_000);

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

class Session {
  readonly #kcp: EmbeddedKcp;
  readonly #folder: string;

  private constructor(kcp: EmbeddedKcp, folder: string) {
    this.#kcp = kcp;
    this.#folder = folder;
  }

  static async start(): Promise<Session> {
    const session = new Session(await EmbeddedKcp.start({ delays: 'fast' }), mkdtempSync(join(tmpdir(), 'kubectl-session-')));
    session.#use('root');
    await session.kubectl(['apply', '-f', '-'], workspace('demo'));
    await session.kubectl(['wait', '--for=jsonpath={.status.phase}=Ready', 'workspace/demo', '--timeout=20s']);
    session.#use('root:demo');
    return session;
  }

  async stop(): Promise<void> {
    rmSync(this.#folder, { recursive: true });
    await this.#kcp.stop();
  }

  /** Runs kubectl and gives what it said, whatever it said. */
  async run(args: readonly string[], stdin = '', more: NodeJS.ProcessEnv = {}): Promise<Ran> {
    const child = this.spawn(args, more);
    const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    child.stdin.end(stdin);
    const code = await new Promise<number>((resolve) => child.on('close', (status) => resolve(status ?? -1)));
    return { code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() };
  }

  /** Starts kubectl. */
  spawn(args: readonly string[], more: NodeJS.ProcessEnv = {}): ChildProcessWithoutNullStreams {
    const env = { ...process.env, HOME: this.#folder, KUBECONFIG: this.#kubeconfig, KUBECACHEDIR: join(this.#folder, 'cache'), ...more };
    return spawn('kubectl', args, { env });
  }

  /** Runs kubectl, which must succeed, and gives its output. */
  async kubectl(args: readonly string[], stdin = '', more: NodeJS.ProcessEnv = {}): Promise<string> {
    const { code, stdout, stderr } = await this.run(args, stdin, more);
    if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}`);
    return stdout;
  }

  get #kubeconfig(): string {
    return join(this.#folder, 'kubeconfig');
  }

  #use(path: string): void {
    writeFileSync(this.#kubeconfig, this.#kcp.kubeconfig({ workspace: path }));
  }
}

function workspace(name: string): string {
  return JSON.stringify({
    apiVersion: 'tenancy.kcp.io/v1alpha1',
    kind: 'Workspace',
    metadata: { name },
    spec: { type: { name: 'universal', path: 'root' } },
  });
}

function configMap(name: string, data: Readonly<Record<string, string>>): string {
  return JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });
}

(hasKubectl ? describe : describe.skip)('a kubectl session', () => {
  let session: Session;
  beforeAll(async () => {
    session = await Session.start();
  });
  afterAll(() => session.stop());

  it('given a new workspace, when listed, then the table has the columns of kcp', async () => {
    expect(await session.kubectl(['get', 'namespaces'])).toMatch(/^NAME +STATUS +AGE\ndefault +Active +\d+s\n/);
    expect(await session.kubectl(['get', 'logicalclusters'])).toMatch(/^NAME +PHASE +URL +AGE\ncluster +Ready +https:\/\//);
  });

  it('given an object, when described, then kubectl shows its fields and its events', async () => {
    await session.kubectl(['create', 'configmap', 'described', '--from-literal=a=b']);

    expect(await session.kubectl(['describe', 'configmap', 'described'])).toMatch(
      /Name: +described[\s\S]*Data\n====\na:\n----\nb\n[\s\S]*Events: +<none>/,
    );
  });

  it('given a manifest, when applied, changed and applied again, then what it no longer says is gone', async () => {
    expect(await session.kubectl(['apply', '-f', '-'], configMap('applied', { a: '1', b: '2' }))).toBe('configmap/applied created\n');
    expect(await session.kubectl(['apply', '-f', '-'], configMap('applied', { a: '1', b: '2' }))).toBe('configmap/applied unchanged\n');
    expect(await session.kubectl(['apply', '-f', '-'], configMap('applied', { a: '9' }))).toBe('configmap/applied configured\n');

    expect(await session.kubectl(['get', 'configmap', 'applied', '-o', 'jsonpath={.data}'])).toBe('{"a":"9"}');
  });

  it('given an unknown field, when applied, then kubectl names it', async () => {
    const { code, stderr } = await session.run(['apply', '-f', '-'], configMap('strict', {}).replace('"data"', '"dta"'));

    expect([code, stderr]).toEqual([1, expect.stringContaining('unknown field "dta"')]);
  });

  it('given another manager, when applied server-side, then the conflict is named, and force wins', async () => {
    await session.kubectl(['create', 'configmap', 'managed', '--from-literal=a=1']);
    const manifest = configMap('managed', { a: '2' });

    const refused = await session.run(['apply', '--server-side', '-f', '-'], manifest);
    expect(refused.stderr).toContain('Apply failed with 1 conflict: conflict with "kubectl-create" using v1: .data.a');
    expect(await session.kubectl(['apply', '--server-side', '--force-conflicts', '-f', '-'], manifest)).toBe(
      'configmap/managed serverside-applied\n',
    );

    expect(await session.kubectl(['get', 'configmap', 'managed', '-o', 'jsonpath={.data.a}'])).toBe('2');
  });

  it('given an object, when edited, then the change is stored', async () => {
    await session.kubectl(['create', 'configmap', 'edited', '--from-literal=a=before']);

    await session.kubectl(['edit', 'configmap', 'edited'], '', { EDITOR: `sed -i s/before/after/` });

    expect(await session.kubectl(['get', 'configmap', 'edited', '-o', 'jsonpath={.data.a}'])).toBe('after');
  });

  it.each([
    { type: 'merge', patch: '{"data":{"a":"2"}}', expected: '{"a":"2","b":"1"}' },
    { type: 'json', patch: '[{"op":"remove","path":"/data/a"}]', expected: '{"b":"1"}' },
    { type: 'strategic', patch: '{"data":{"$patch":"replace","c":"3"}}', expected: '{"c":"3"}' },
  ])('given a $type patch, when sent, then it is followed', async ({ type, patch, expected }) => {
    await session.kubectl(['create', 'configmap', `patched-${type}`, '--from-literal=a=1', '--from-literal=b=1']);

    expect(await session.kubectl(['patch', 'configmap', `patched-${type}`, '--type', type, '-p', patch])).toBe(
      `configmap/patched-${type} patched\n`,
    );

    expect(await session.kubectl(['get', 'configmap', `patched-${type}`, '-o', 'jsonpath={.data}'])).toBe(expected);
  });

  it('given an object, when annotated and labelled, then both are there', async () => {
    await session.kubectl(['create', 'configmap', 'noted']);
    await session.kubectl(['annotate', 'configmap', 'noted', 'example.com/note=yes']);
    await session.kubectl(['label', 'configmap', 'noted', 'colour=red']);

    expect(await session.kubectl(['get', 'configmaps', '-l', 'colour=red', '-o', 'name'])).toBe('configmap/noted\n');
    expect(await session.kubectl(['get', 'configmap', 'noted', '-o', 'yaml'])).toContain('example.com/note: "yes"');
  });

  it('given a dry run on the server, when created and deleted, then nothing happens', async () => {
    expect(await session.kubectl(['create', 'configmap', 'dry', '--dry-run=server'])).toBe('configmap/dry created (server dry run)\n');
    await session.kubectl(['create', 'configmap', 'wet']);
    expect(await session.kubectl(['delete', 'configmap', 'wet', '--dry-run=server'])).toBe('configmap "wet" deleted (server dry run)\n');

    const names = await session.kubectl(['get', 'configmaps', '-o', 'name']);
    expect([names.includes('/dry'), names.includes('/wet')]).toEqual([false, true]);
  });

  it('given an object, when deleted, then a wait for its end returns', async () => {
    await session.kubectl(['create', 'configmap', 'deleted']);
    const waiting = session.kubectl(['wait', '--for=delete', 'configmap/deleted', '--timeout=20s']);
    await session.kubectl(['delete', 'configmap', 'deleted']);

    expect(await waiting).toMatch(/^(configmap\/deleted condition met\n)?$/);
    expect((await session.run(['get', 'configmap', 'deleted'])).stderr).toBe(
      'Error from server (NotFound): configmaps "deleted" not found\n',
    );
  });

  it('given the discovery, when resources are asked for, then kcp and Kubernetes are both there', async () => {
    const names = await session.kubectl(['api-resources', '-o', 'name']);

    expect(names.split('\n')).toEqual(
      expect.arrayContaining([
        'configmaps',
        'namespaces',
        'apibindings.apis.kcp.io',
        'workspaces.tenancy.kcp.io',
        'leases.coordination.k8s.io',
      ]),
    );
  });

  it('given the OpenAPI documents, when fields are explained, then kind, type and description are shown', async () => {
    expect(await session.kubectl(['explain', 'configmap.data'])).toMatch(
      /KIND: +ConfigMap\nVERSION: +v1\n\nFIELD: data <map\[string\]string>/,
    );
    expect(await session.kubectl(['explain', 'workspace.spec'])).toMatch(
      /GROUP: +tenancy.kcp.io\nKIND: +Workspace[\s\S]*FIELDS:[\s\S]*type\t<Object>/,
    );
  });

  it('given a watch, when an object is created, then it is shown', async () => {
    const watch = session.spawn(['get', 'configmaps', '--watch-only', '-o', 'name']);
    const shown: string[] = [];
    watch.stdout.on('data', (chunk: Buffer) => shown.push(chunk.toString()));
    // It cannot be seen when kubectl begins to watch; the first object after that is the one that is shown.
    for (let index = 0; shown.length === 0; index += 1) await session.kubectl(['create', 'configmap', `watched-${index}`]);
    watch.kill();

    expect(shown[0]).toMatch(/^configmap\/watched-\d/);
  });

  it('given a raw path, when got, then the answer is as it came', async () => {
    expect(JSON.parse(await session.kubectl(['get', '--raw', '/clusters/root:demo/api/v1/namespaces/default']))).toMatchObject({
      kind: 'Namespace',
    });
  });

  it('given rights, when asked about, then kubectl says who may what', async () => {
    expect(await session.kubectl(['auth', 'can-i', 'list', 'secrets'])).toBe('yes\n');
    expect(await session.kubectl(['auth', 'whoami', '-o', 'jsonpath={.status.userInfo.username}'])).toBe('kcp-admin');
  });

  it('given a service account, when a token is asked for, then it is that account', async () => {
    await session.kubectl(['create', 'serviceaccount', 'bot']);
    const token = (await session.kubectl(['create', 'token', 'bot'])).trim();

    const whoami = ['auth', 'whoami', '--token', token, '-o', 'jsonpath={.status.userInfo.username}'];
    expect(await session.kubectl(whoami)).toBe('system:serviceaccount:default:bot');
  });
});
