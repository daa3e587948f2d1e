// How many requests the libraries need, counted by an embedded kcp: looking up many workspaces, and finding that nothing is to be done.
import { EmbeddedKcp } from '@dep-ctrl/embedded-kcp';
import { Connection, systemClock } from '@dep-ctrl/kcp-client';
import { logicalCluster, workspacePath, type KubeObject } from '@dep-ctrl/kcp-names';
import { WebhookInstaller, type DesiredConfiguration } from '@dep-ctrl/webhook-installer';
import { WorkspaceResolver } from '@dep-ctrl/workspace-resolver';
import type { Measured } from './measure.js';

const WORKSPACES = { group: 'tenancy.kcp.io', version: 'v1alpha1', resource: 'workspaces' };
const PARENTS = 50;
const PATHS = 1_000;
const QUESTIONS = 10_000;
const { signal } = new AbortController();

const desired: DesiredConfiguration = {
  labels: {},
  webhooks: Array.from({ length: 3 }, (_, index) => ({
    name: `w${String(index)}.example.com`,
    clientConfig: { url: 'https://guard.example.com/validate' },
    rules: [{ operations: ['DELETE'], apiGroups: ['network.example.com'], apiVersions: ['*'], resources: ['vpcs'] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  })),
};

/** Counts the requests of resolver and installer. */
export async function countRequests(): Promise<readonly Measured[]> {
  const kcp = await EmbeddedKcp.start({ delays: 'fast' });
  const connection = new Connection({
    server: kcp.baseUrl,
    credentials: { ca: kcp.ca, token: kcp.token('kcp-admin', ['system:kcp:admin']) },
  });
  try {
    return [...(await countResolutions(kcp, connection)), ...(await countNoOps(kcp, connection))];
  } finally {
    await connection.close();
    await kcp.stop();
  }
}

async function countResolutions(kcp: EmbeddedKcp, connection: Connection): Promise<readonly Measured[]> {
  const parents = Array.from({ length: PARENTS }, (_, index) => `root:p${String(index)}`);
  const paths = Array.from({ length: PATHS }, (_, index) => `${parents[index % PARENTS] ?? ''}:w${String(index)}`);
  for (const texts of [parents, paths]) await inTurns(texts, (text) => makeWorkspace(connection, text));
  const resolver = new WorkspaceResolver({ connection });
  kcp.requests.clear();

  const began = performance.now();
  const questions = Array.from({ length: QUESTIONS }, (_, index) =>
    resolver.resolve(workspacePath(paths[index % PATHS] ?? ''), { signal }),
  );
  const answers = await Promise.all(questions);
  const tookMs = performance.now() - began;

  const found = new Set(answers.map((answer) => (answer.state === 'found' ? answer.cluster : answer.state)));
  if (found.size !== PATHS) throw new Error(`${String(PATHS)} workspaces were expected, not ${String(found.size)}`);
  const asked = `${String(QUESTIONS)} resolutions of ${String(PATHS)} paths under ${String(PARENTS)} parents`;
  return [
    { what: `requests for ${asked}`, value: kcp.requests.count({ listener: 'proxy' }), unit: '', goal: { atMost: QUESTIONS } },
    { what: asked, value: tookMs, unit: 'ms' },
  ];
}

async function countNoOps(kcp: EmbeddedKcp, connection: Connection): Promise<readonly Measured[]> {
  const workspace = connection.cluster(workspacePath('root:p0'));
  const root = logicalCluster('root');
  const ownership = { label: 'example.com/owner', value: 'bench', adopt: (): boolean => false };
  const installer = new WebhookInstaller({ name: 'bench', ownership, boundExport: { cluster: root, name: 'bench' } });
  await installer.ensure(workspace, desired, { signal });
  kcp.requests.clear();

  const outcome = await installer.ensure(workspace, { ...desired, webhooks: [...desired.webhooks].reverse() }, { signal });

  if (outcome.state !== 'unchanged') throw new Error(`unchanged was expected, not ${outcome.state}`);
  const all = kcp.requests.count({ listener: 'proxy' });
  const reads = kcp.requests.count({ listener: 'proxy', method: 'GET' });
  return [
    { what: 'reads of a reconcile that finds its configuration installed', value: reads, unit: '', goal: { atMost: 1 } },
    { what: 'writes of a reconcile that finds its configuration installed', value: all - reads, unit: '', goal: { atMost: 0 } },
  ];
}

/** A few at a time: a server that makes a thousand workspaces at once answers no other request meanwhile. */
async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}

async function makeWorkspace(connection: Connection, text: string): Promise<void> {
  const name = text.slice(text.lastIndexOf(':') + 1);
  const parent = connection.cluster(workspacePath(text.slice(0, text.lastIndexOf(':'))));
  const spec = { type: { name: 'universal', path: 'root' } };
  await parent.create(WORKSPACES, { apiVersion: 'tenancy.kcp.io/v1alpha1', kind: 'Workspace', metadata: { name }, spec }, { signal });
  while (!isReady(await parent.get(WORKSPACES, { name }, { signal }))) await systemClock.sleep(20, { signal });
}

function isReady({ status }: KubeObject): boolean {
  return typeof status === 'object' && status !== null && 'phase' in status && status.phase === 'Ready';
}
