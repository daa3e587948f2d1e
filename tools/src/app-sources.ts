/* eslint-disable @nx/enforce-module-boundaries -- the app exports nothing, and its sources are what the reference is generated from */
export type { Command } from '@dep-ctrl/command-settings';
export { connectionSettings, logSettings, outputSettings } from '../../apps/dep-ctrl/src/command-line/common-settings.js';
export { EXITS } from '../../apps/dep-ctrl/src/command-line/program.js';
export { variableOf } from '../../apps/dep-ctrl/src/command-line/define-command.js';
export type { Setting, Settings } from '@dep-ctrl/command-settings';
export { commands } from '../../apps/dep-ctrl/src/commands/commands.js';
export {
  CONDITION_REASONS,
  GUARD_CONDITIONS,
  RULE_CONDITIONS,
  TARGET_STATES,
  type ReasonText,
} from '../../apps/dep-ctrl/src/own-objects/condition-reasons.js';
export { METRICS, type MetricDefinition } from '../../apps/dep-ctrl/src/telemetry/metric-definitions.js';
