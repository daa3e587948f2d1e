// One look at an installation, judged: the command and the console show the same.
import type { LogicalClusterName, WorkspacePath } from '@dep-ctrl/kcp-names';
import { connectionFlags, type ConnectionSettings } from '../command-line/connect.js';
import { ifElsewhere } from '../command-line/own-export.js';
import { depCtrl, doctorFacts } from '../doctor/precondition.js';
import { examine, findingsOf, summary } from '../doctor/preconditions.js';
import type { Probes } from '../doctor/probes/probes.js';
import type { Asker } from '../installation/ask-server.js';
import type { Facts } from '../installation/facts.js';
import { readInstallation } from '../installation/read-installation.js';
import { statusView, type StatusView } from './status-view.js';

/** What to look at, and for whom. */
export interface StatusQuestion extends ConnectionSettings {
  readonly workspace: LogicalClusterName | WorkspacePath;
  /** For the commands that are shown. */
  readonly shardKubeconfigs?: readonly string[];
  /** What is tried beyond reading. */
  readonly probe?: (facts: Facts) => Promise<Partial<Probes>>;
}

/** The view, and what is wrong in a line; empty: nothing. Throws where there is no status: kcp does not answer, or has no dep-ctrl there. */
export async function readStatus(
  asker: Asker,
  { workspace, shardKubeconfigs = [], probe, ...connection }: StatusQuestion,
): Promise<{ readonly view: StatusView; readonly wrong: string }> {
  const facts = await readInstallation(asker, workspace);
  const probes = (await probe?.(facts)) ?? {};
  const access = { baseUrl: asker.connection.baseUrl, workspace, flags: connectionFlags(connection), shardKubeconfigs };
  const known = doctorFacts(facts, access, probes);
  const findings = findingsOf(examine(known));
  const [nearest] = findings.broken;
  const { installation } = facts;
  if (installation === undefined) {
    const version = facts.server.version.state === 'unread' ? facts.server.version.why : '';
    throw new Error(nearest === undefined ? version : `kcp at ${nearest.where} ${nearest.says}`);
  }
  if (installation.home.presence.state !== 'found') {
    const { state, text } = installation.home.presence;
    const run = nearest?.run ?? depCtrl(access, 'doctor');
    throw new Error(`${text}; ${state === 'missing' ? `${ifElsewhere('--workspace')}, ` : ''}run: ${run}`);
  }
  const view = statusView(known, installation, findings);
  return { view, wrong: view.well ? '' : summary(findings) };
}
