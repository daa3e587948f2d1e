import type { Saboteur } from './saboteur.js';
import { certificates } from './saboteurs/certificates.js';
import { charts } from './saboteurs/charts.js';
import { commands } from './saboteurs/commands.js';
import { configurations } from './saboteurs/configurations.js';
import { lookups } from './saboteurs/lookups.js';
import { processes } from './saboteurs/processes.js';
import { references } from './saboteurs/references.js';
import { rules } from './saboteurs/rules.js';
import { shares } from './saboteurs/shares.js';
import { teardowns } from './saboteurs/teardowns.js';
import { tenants } from './saboteurs/tenants.js';
import { uninstall } from './saboteurs/uninstall.js';

/** Every saboteur. */
export const ALL_SABOTEURS: readonly Saboteur[] = [
  ...lookups,
  ...references,
  ...configurations,
  ...processes,
  ...certificates,
  ...commands,
  ...uninstall,
  ...rules,
  ...tenants,
  ...shares,
  ...teardowns,
  ...charts,
];
