// `dep-ctrl doctor`: checks the preconditions of dep-ctrl one by one. Reads only.
import { systemClock, type Clock } from '@dep-ctrl/kcp-client';
import type { WorkspacePath } from '@dep-ctrl/kcp-names';
import type { World } from '@dep-ctrl/command-settings';
import { connectionFlags, type ConnectionSettings, type ShardAdmin } from '../command-line/connect.js';
import { printResult } from '@dep-ctrl/command-settings';
import type { Asker } from '../installation/ask-server.js';
import { connectAsker, connectShardBriefly } from '../installation/connect-asker.js';
import type { InstallationFacts } from '../installation/facts.js';
import { readInstallation } from '../installation/read-installation.js';
import { factsAboutRule, type NamedRule } from './one-rule.js';
import type { Probes } from './probes/probes.js';
import { readIdentities } from './probes/read-identities.js';
import { readPolicies, readRights } from './probes/read-rights.js';
import { readShardAdmins } from './probes/read-shard-admins.js';
import { readTeardown } from './probes/read-teardown.js';
import { rehearseDeletes } from './probes/rehearse-deletes.js';
import { doctorFacts, type DoctorFacts } from './precondition.js';
import { examine, findingsOf, isWell, summary } from './preconditions.js';
import { asText, doctorResult } from './print-doctor.js';

/** The settings of `doctor`. */
export interface DoctorSettings extends ConnectionSettings {
  readonly workspace: WorkspacePath;
  readonly shardKubeconfigs: readonly string[];
  /** The folder with the kubeconfigs of the roles. */
  readonly kubeconfigDir: string | undefined;
  readonly all: boolean;
  /** Undefined: everything. */
  readonly rule: NamedRule | undefined;
  readonly output: 'json' | 'yaml' | undefined;
}

/** Prints each problem with the command that fixes it. Throws if there is a problem. */
export async function runDoctor(
  settings: DoctorSettings,
  world: World,
  { clock }: { readonly clock: Clock } = { clock: systemClock },
): Promise<void> {
  const asker = connectAsker(settings, world, clock);
  const shards = settings.shardKubeconfigs.map(connectShardBriefly);
  try {
    const facts = await readInstallation(asker, settings.workspace);
    const { workspace, shardKubeconfigs, kubeconfigDir } = settings;
    const access = { baseUrl: asker.connection.baseUrl, workspace, flags: connectionFlags(settings), shardKubeconfigs, kubeconfigDir };
    const known = doctorFacts(facts, access);
    const { installation } = facts;
    const probes =
      installation?.home.presence.state === 'found' ? await probe(asker, { installation, known }, { settings, shards, world }) : {};
    const everything = { ...known, probes };
    const examined = examine(settings.rule === undefined ? everything : ofRule(everything, settings.rule));
    const findings = findingsOf(examined);
    printResult(doctorResult(examined), { output: settings.output, stdout: world.stdout, asText: (result) => asText(result, settings) });
    if (!isWell(findings)) throw new Error(summary(findings));
  } finally {
    await Promise.all([asker.connection, ...shards.map(({ connection }) => connection)].map((each) => each.close()));
  }
}

function ofRule(facts: DoctorFacts, rule: NamedRule): DoctorFacts {
  const found = factsAboutRule(facts, rule);
  if (!found.ok) throw new Error(found.problem);
  return found.value;
}

async function probe(
  { connection, clock }: Asker,
  { installation, known: { nameOf } }: { readonly installation: InstallationFacts; readonly known: DoctorFacts },
  { settings, shards, world }: { readonly settings: DoctorSettings; readonly shards: readonly ShardAdmin[]; readonly world: World },
): Promise<Probes> {
  const { kubeconfigDir } = settings;
  const [rights, policies, deletes, shardAdmins, identities, teardown] = await Promise.all([
    readRights(connection, installation, nameOf, world),
    readPolicies(connection, installation, nameOf, world),
    rehearseDeletes(connection, installation, nameOf, world),
    readShardAdmins(connection, shards, world),
    kubeconfigDir === undefined ? [] : readIdentities(kubeconfigDir, installation, nameOf, { world, clock }),
    readTeardown(connection, installation, world),
  ]);
  return { rights, policies, deletes, shardAdmins, identities, teardown };
}
