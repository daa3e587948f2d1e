// `dep-ctrl delete-namespace`: deletes what is in a namespace in an order in which nothing is refused for long, then the namespace.
import { isAbsent, pause, pauseAfter, systemClock, type Clock, type Stoppable } from '@dep-ctrl/kcp-client';
import { printGroupResource, type KubeObject, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { getIfExists, inside } from '@dep-ctrl/kcp-objects';
import { UsageError, type World } from '@dep-ctrl/command-settings';
import { connectAnswering, connectionFlags, type ConnectionSettings } from '../command-line/connect.js';
import { withRole } from '../command-line/missing-role.js';
import { OF_KUBECONFIG } from '../explain/find-subject.js';
import { boundNamespacedTypes, deleteObjects, leftObjects, type NamespacePlace } from './namespace-content.js';
import { nextStep, NO_ATTEMPTS, type Attempts, type LeftObject } from './next-step.js';
import { progressText, showProgress, type Progress } from './progress.js';

/** The settings of `delete-namespace`. */
export interface DeleteNamespaceSettings extends ConnectionSettings {
  readonly namespace: string;
  /** Absent: the workspace of the kubeconfig. */
  readonly workspace: WorkspacePath | undefined;
  readonly timeoutMs: number;
}

interface Work extends Stoppable {
  readonly clock: Clock;
  readonly show: (progress: Progress) => void;
  /** By the monotonic clock. */
  readonly endsMs: number;
  /** What the wish for an end takes for its limit, as the flag says it. */
  readonly timeoutMs: number;
}

const NAMESPACES = { group: '', version: 'v1', resource: 'namespaces' };
const PAUSES = { firstMs: 100, factor: 1.5, capMs: 2_000 };
const MOST_SHOWN = 10;

/** Deletes a namespace and prints one line in the end. Throws where something keeps it. */
export async function runDeleteNamespace(
  settings: DeleteNamespaceSettings,
  world: World,
  { clock }: { readonly clock: Clock } = { clock: systemClock },
): Promise<void> {
  const connection = await connectAnswering(settings, world);
  const { show, end } = showProgress(world.stderr);
  try {
    const workspace = settings.workspace ?? connection.workspace;
    if (workspace === undefined)
      throw new UsageError('--workspace is missing: the kubeconfig names no workspace, give the one of the namespace');
    const { namespace, timeoutMs } = settings;
    const place: NamespacePlace = { connection, workspace, namespace };
    const named = {
      path: workspace,
      by: settings.workspace === undefined ? OF_KUBECONFIG : '--workspace',
      flags: connectionFlags(settings),
    };
    const begunMs = clock.monotonic();
    const work: Work = { clock, show, signal: world.signal, endsMs: begunMs + timeoutMs, timeoutMs };
    const inWorkspace = <T>(work: () => Promise<T>) =>
      inside(connection, named, work, world).catch((error: unknown) => {
        throw withRole(error, { path: workspace, clusterRole: 'cluster-admin' }, connection.baseUrl);
      });
    await inWorkspace(() => mayBeDeleted(place, world));
    const most = await inWorkspace(() => emptied(place, work));
    await removed(place, most, work);
    end();
    const seconds = ((clock.monotonic() - begunMs) / 1_000).toFixed(1);
    world.stdout.write(`namespace ${namespace} of ${workspace} is gone: ${String(most)} objects of bound types, ${seconds} s\n`);
  } finally {
    end();
    await connection.close();
  }
}

/** Throws where the namespace is not there or kcp would refuse its deletion: then nothing in it may go. */
async function mayBeDeleted({ connection, workspace, namespace }: NamespacePlace, { signal }: Stoppable): Promise<void> {
  const client = connection.cluster(workspace);
  const { metadata } = await client.get(NAMESPACES, { name: namespace }, { signal });
  if (metadata.deletionTimestamp === undefined) await client.delete(NAMESPACES, { name: namespace }, { dryRun: true, signal });
}

/** Deletes all objects of bound types. Answers how many there were. */
async function emptied(place: NamespacePlace, work: Work): Promise<number> {
  const types = await boundNamespacedTypes(place, work);
  let attempts: Attempts = NO_ATTEMPTS;
  let most = 0;
  let idle = 0;
  let before = Infinity;
  let note: string | undefined;
  for (;;) {
    const left = await leftObjects(place, types, work);
    most = Math.max(most, left.length);
    const progress = { most, left, ...(note === undefined ? {} : { note }) };
    work.show(progress);
    const step = nextStep(left, attempts);
    switch (step.kind) {
      case 'done':
        return most;
      case 'stuck':
        throw new Error(stuckText(place, step.refused, attempts));
      case 'delete': {
        const { refused, passing } = await deleteObjects(place, step.objects, work);
        const tried = new Set(step.objects.map(({ uid }) => uid));
        const stillRefused = [...attempts.refused].filter(([uid]) => !tried.has(uid));
        attempts = { refused: new Map([...stillRefused, ...refused]), leftThen: left.length };
        note = passing;
        break;
      }
      case 'wait':
        break;
      default:
        step satisfies never;
    }
    if (work.clock.monotonic() > work.endsMs) throw new Error(lateText(place, progressText(progress), work));
    idle = left.length < before ? 0 : idle + 1;
    before = left.length;
    if (idle > 0) await pause(pauseAfter(PAUSES, idle), work);
  }
}

/** Deletes the namespace and waits until it is gone. */
async function removed({ connection, workspace, namespace }: NamespacePlace, most: number, work: Work): Promise<void> {
  const client = connection.cluster(workspace);
  await client.delete(NAMESPACES, { name: namespace }, work).catch((error: unknown) => {
    if (!isAbsent(error, NAMESPACES, namespace)) throw error;
  });
  for (let attempt = 1; ; attempt += 1) {
    const there = await getIfExists(client, NAMESPACES, { name: namespace }, work);
    if (there === undefined) return;
    const note = kcpSays(there) ?? 'kcp removes the rest';
    work.show({ most, left: [], note });
    if (work.clock.monotonic() > work.endsMs) throw new Error(lateText({ connection, workspace, namespace }, note, work));
    await pause(pauseAfter(PAUSES, attempt), work);
  }
}

/** What kcp says of the content that is left. */
function kcpSays({ status }: KubeObject): string | undefined {
  const { conditions = [] } = (status ?? {}) as {
    readonly conditions?: readonly { readonly status?: string; readonly message?: string }[];
  };
  const messages = conditions.flatMap(({ status: holds, message }) =>
    holds === 'True' && message !== undefined && message !== '' ? [message] : [],
  );
  return messages.length === 0 ? undefined : `kcp says: ${messages.join('; ')}`;
}

function stuckText({ namespace }: NamespacePlace, refused: readonly LeftObject[], attempts: Attempts): string {
  const lines = refused
    .slice(0, MOST_SHOWN)
    .map(({ type, name, uid }) => `${printGroupResource(type)}/${name}: ${attempts.refused.get(uid) ?? ''}`);
  const more = refused.length > lines.length ? [`and ${String(refused.length - lines.length)} more`] : [];
  return [
    `namespace ${namespace} stays: ${String(refused.length)} ${refused.length === 1 ? 'object is' : 'objects are'} refused, and nothing else is on its way out`,
    ...lines,
    ...more,
  ].join('\n- ');
}

function lateText({ namespace }: NamespacePlace, state: string, { timeoutMs }: Work): string {
  return `namespace ${namespace} is not gone after ${String(timeoutMs / 1_000)} s (--timeout): ${state}; run the same command to go on`;
}
