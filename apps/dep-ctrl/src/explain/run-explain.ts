// `dep-ctrl explain`: prints the answer that a delete would get, from the code that answers deletes. Reads only.
import { isKcpError, systemClock, type Clock, type Connection, type Stoppable } from '@dep-ctrl/kcp-client';
import { clusterOf, type LogicalClusterName, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { API_EXPORT_ENDPOINT_SLICES, inside, LOGICAL_CLUSTERS } from '@dep-ctrl/kcp-objects';
import { EXPORT_NAME } from '@dep-ctrl/rule-registry';
import { describeFailure, printResult, UsageError, type World } from '@dep-ctrl/command-settings';
import { connectAnswering, connectionFlags, type ConnectionSettings } from '../command-line/connect.js';
import { refusalIn, withRole } from '../command-line/missing-role.js';
import { teardownEntry } from '../teardown-type/teardown-type.js';
import { loggerFor } from '../telemetry/logger-for.js';
import type { LogFormat, LogLevel } from '../telemetry/winston-logger.js';
import { dryRunOf, printExplanation, unguarded, withCheck, withConfiguration, withContent, type Explanation } from './explanation.js';
import { isAskedAbout } from './installed-configuration.js';
import { findHeld } from './find-held.js';
import { findSubject, OF_KUBECONFIG, type FoundObject, type SubjectQuery } from './find-subject.js';
import { explainDelete, rehearseReviews, type Rehearsal } from './rehearse-reviews.js';
import { printTeardown, readTeardown, withNextTry } from './teardown.js';

/** The settings of `explain`. */
export interface ExplainSettings extends ConnectionSettings {
  /** Absent: the whole workspace is asked about. */
  readonly subject: SubjectQuery | undefined;
  /** Where the object is; without it the workspace of the kubeconfig. */
  readonly workspace: WorkspacePath | undefined;
  readonly depCtrlWorkspace: WorkspacePath;
  /** Names every object that refers to it. */
  readonly all: boolean;
  readonly output: 'json' | 'yaml' | undefined;
  readonly logFormat: LogFormat | undefined;
  readonly logLevel: LogLevel | undefined;
}

// More than any workspace holds.
const EVERYBODY = 1_000_000;

/** Prints whether a delete would go through and why not, or what the teardown of the whole workspace waits for. */
export async function runExplain(
  settings: ExplainSettings,
  world: World,
  { clock }: { readonly clock: Clock } = { clock: systemClock },
): Promise<void> {
  const connection = await connectAnswering(settings, world);
  try {
    const workspace = settings.workspace ?? connection.workspace;
    if (workspace === undefined) throw new UsageError('--workspace is missing: the kubeconfig names no workspace, give the one to explain');
    const { depCtrlWorkspace, subject, output } = settings;
    const flags = connectionFlags(settings);
    const named = { path: workspace, by: settings.workspace === undefined ? OF_KUBECONFIG : '--workspace', flags };
    const context = {
      depCtrlWorkspace,
      flags,
      wanted: settings.all ? EVERYBODY : undefined,
      clock,
      logger: loggerFor(settings, world, 'error'),
      signal: world.signal,
    };
    const reader = { path: workspace, clusterRole: 'cluster-admin' };
    const inWorkspace = <T>(read: () => Promise<T>) =>
      inside(connection, named, read, world).catch((error: unknown) => {
        throw withRole(error, reader, connection.baseUrl);
      });
    if (subject === undefined) {
      const read = () => connection.cluster(workspace).get(LOGICAL_CLUSTERS, { name: 'cluster' }, world);
      const logicalCluster = await inWorkspace(read);
      const found = await rehearseReviews(connection, context, (rehearsal) =>
        inWorkspace(() => findHeld(connection, workspace, rehearsal)),
      );
      const ownEntry = await ownTerminator(connection, depCtrlWorkspace, world);
      const teardown = withNextTry({ ...readTeardown(logicalCluster, workspace, ownEntry), ...found }, clock.now());
      printResult(teardown, { output, stdout: world.stdout, asText: printTeardown });
      return;
    }
    const found = await inWorkspace(() => findSubject(connection, named, subject, world));
    const reached = { baseUrl: connection.baseUrl, flags };
    const { name = '', namespace } = found.object.metadata;
    const explanation = await explain(found, workspace, (work) => rehearseReviews(connection, context, work)).catch((error: unknown) => {
      if (refusalIn(error) === undefined) throw error;
      throw new Error(
        `${describeFailure(error)}; without that role ask kcp itself: ${dryRunOf({ ...found, workspace, namespace, name }, reached)}`,
      );
    });
    const asked = explanation.because === 'not-guarded' && (await isAskedAbout(connection, found, world)) === 'yes';
    const checked = withCheck(withContent(asked ? withConfiguration(explanation) : explanation, found), found, reached);
    printResult(checked, { output, stdout: world.stdout, asText: printExplanation });
  } finally {
    await connection.close();
  }
}

/** How the lists of a workspace call the terminator of dep-ctrl; undefined where these credentials may not read which cluster is ours. */
async function ownTerminator(connection: Connection, home: WorkspacePath, options: Stoppable): Promise<string | undefined> {
  try {
    const cluster = clusterOf(await connection.cluster(home).get(API_EXPORT_ENDPOINT_SLICES, { name: EXPORT_NAME }, options));
    return cluster.ok ? teardownEntry(cluster.value) : undefined;
  } catch (error) {
    if (isKcpError(error) && error.code !== 'aborted') return undefined;
    throw error;
  }
}

/** For kcp's own types the answer is known: kcp calls no webhook of ours for them. */
async function explain(
  found: FoundObject,
  workspace: LogicalClusterName | WorkspacePath,
  rehearse: (work: (rehearsal: Rehearsal) => Promise<Explanation>) => Promise<Explanation>,
): Promise<Explanation> {
  const { guardedCluster } = found;
  if (guardedCluster === undefined) return unguarded(found, workspace);
  return rehearse((rehearsal) => explainDelete(rehearsal, { ...found, guardedCluster }, workspace));
}
