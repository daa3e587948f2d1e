import { references } from './s1-references.js';
import { byKubectl } from './s1-kubectl.js';
import { ruleLife } from './s2-rules.js';
import { remadeGuards } from './s2-remade-guards.js';
import { hostileRules } from './s2-hostile-rules.js';
import { providers } from './s3-providers.js';
import { leavingProviders } from './s3-leaving-providers.js';
import { changingExports } from './s3-changing-exports.js';
import { schemaBetweenReads } from './s3-schema-between-reads.js';
import { teardown } from './s4-teardown.js';
import { teardownWaits } from './s4-teardown-waits.js';
import { namespaceDeletion } from './s4-delete-namespace.js';
import { teardownTimes } from './s4-teardown-times.js';
import { processes } from './s5-processes.js';
import { commands } from './s6-commands.js';
import { files } from './s6-files.js';
import { protectedHome } from './s6-protected-home.js';
import { seenByOperators } from './s6-status.js';
import { upgrades } from './s6-upgrade.js';
import { certificates } from './s7-certificates.js';
import { failedLookups } from './s7-failed-lookups.js';
import { killedAtStart } from './s7-killed-at-start.js';
import { killedController } from './s7-killed-controller.js';
import { killedProcesses } from './s7-killed-processes.js';
import { waysOut } from './s7-ways-out.js';
import { connections } from './s8-connections.js';
import { load } from './s8-load.js';
import { forgedPaths } from './s9-forged-paths.js';
import { forgedStatuses } from './s9-forged-statuses.js';
import { bounds } from './s9-bounds.js';
import { loads } from './s9-loads.js';
import { oracles } from './s9-oracles.js';
import { urlTokens } from './s9-url-tokens.js';
import { foreignRules } from './s9-foreign-rules.js';
import { shares } from './s9-shares.js';
import { rights } from './s10-rights.js';
import { doorInChange } from './s11-door-in-change.js';
import { rulesAtTheDoor } from './s11-rules-at-the-door.js';
import { documents } from './s12-documents.js';
import { orderedTeardown } from './s13-ordered-teardown.js';
import { teardownFaults } from './s13-teardown-faults.js';
import { teardownNeighbours } from './s13-teardown-neighbours.js';
import { waitingWebhooks } from './s13-waiting-webhooks.js';
import { chart } from './s14-chart.js';
import type { Scenario } from './scenario.js';

/** Every scenario, in the order of the table at the end of a run. */
export const ALL_SCENARIOS: readonly Scenario[] = [
  ...references,
  ...byKubectl,
  ...ruleLife,
  ...remadeGuards,
  ...hostileRules,
  ...providers,
  ...leavingProviders,
  ...changingExports,
  ...schemaBetweenReads,
  ...teardown,
  ...teardownWaits,
  ...teardownTimes,
  ...namespaceDeletion,
  ...processes,
  ...commands,
  ...seenByOperators,
  ...files,
  ...upgrades,
  ...protectedHome,
  ...failedLookups,
  ...killedProcesses,
  ...killedController,
  ...killedAtStart,
  ...certificates,
  ...waysOut,
  ...load,
  ...connections,
  ...forgedPaths,
  ...forgedStatuses,
  ...bounds,
  ...loads,
  ...oracles,
  ...urlTokens,
  ...foreignRules,
  ...shares,
  ...rights,
  ...rulesAtTheDoor,
  ...doorInChange,
  ...documents,
  ...orderedTeardown,
  ...teardownFaults,
  ...teardownNeighbours,
  ...waitingWebhooks,
  ...chart,
];
