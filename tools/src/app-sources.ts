/* eslint-disable @nx/enforce-module-boundaries -- the app exports nothing, and its sources are what the reference is generated from */
export type { Command } from '@dep-ctrl/command-settings';
export { connectionSettings, logSettings, outputSettings } from '../../apps/dep-ctrl/src/command-line/common-settings.js';
export { EXITS, runProgram } from '../../apps/dep-ctrl/src/command-line/program.js';
export { variableOf } from '../../apps/dep-ctrl/src/command-line/define-command.js';
export type { Setting, Settings } from '@dep-ctrl/command-settings';
export type { InstallationCounts } from '../../apps/dep-ctrl/src/controller/configuration/installations.js';
export type { Blocker, Decision, Doubt } from '../../apps/dep-ctrl/src/webhook/decision/decide-deletion.js';
export { answerOf, type AnswerContext } from '../../apps/dep-ctrl/src/webhook/decision/deny-message.js';
export type { Dependent, LookupFailure } from '../../apps/dep-ctrl/src/webhook/decision/lookup.js';
export { BROKEN_ANSWER, admissionAnswer } from '../../apps/dep-ctrl/src/webhook/rule-admission/admission-answer.js';
export { decideRule, type AdmissionProblem } from '../../apps/dep-ctrl/src/webhook/rule-admission/decide-admission.js';
export type { RuleReadings } from '../../apps/dep-ctrl/src/webhook/rule-admission/rule-readings.js';
export { doubtsOf, type RuleDoubt } from '../../apps/dep-ctrl/src/webhook/rule-admission/rule-warnings.js';
export { commands } from '../../apps/dep-ctrl/src/commands/commands.js';
export { layOut, type Box } from '../../apps/dep-ctrl/src/graph/layout.js';
export { routes } from '../../apps/dep-ctrl/src/graph/route.js';
export { REFUSED_CALLS, type RefusedCall } from '../../libs/admission-server/src/refused-calls.js';
export { FINDING_REASONS } from '../../apps/dep-ctrl/src/lint/finding.js';
export { PRECONDITIONS } from '../../apps/dep-ctrl/src/doctor/preconditions.js';
export {
  CONDITION_REASONS,
  GUARD_CONDITIONS,
  RULE_CONDITIONS,
  TARGET_STATES,
  type ReasonText,
} from '../../apps/dep-ctrl/src/own-objects/condition-reasons.js';
export { METRICS, type MetricDefinition } from '../../apps/dep-ctrl/src/telemetry/metric-definitions.js';
export { eventually } from '../../apps/dep-ctrl/src/controller/testing/observations.js';
export { freePort } from '@dep-ctrl/admission-server/testing';
export { testCertificates } from '@dep-ctrl/admission-server/testing';
export { STATUS_FIELDS } from '../../apps/dep-ctrl/src/status/status-fields.js';
