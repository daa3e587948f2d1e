export { MOST_CONSENTS, MOST_DEPENDENCIES, MOST_NAMED, MOST_RULES } from './rules/bounds.js';
export { API_GROUP, API_VERSION, EXPORT_NAME, GUARDS, GUARD_FINALIZER, GUARD_NAME, RULES, SKIP_ANNOTATION } from './rules/api-group.js';
export type {
  Condition,
  DependencyGuardObject,
  DependencyGuardSpec,
  DependencyGuardStatus,
  DependencyRuleObject,
  DependencyRuleSpec,
  DependencyRuleStatus,
  DependencySpec,
  Enforcement,
  GuardRuleEntry,
  RuleTarget,
  WhileTerminating,
} from './rules/api-objects.js';
export {
  compareMatches,
  ruleKeyOf,
  type DependentType,
  type NonEmpty,
  type Rule,
  type RuleDependency,
  type RuleKey,
  type RuleManifest,
  type RuleMatch,
  type RuleRemark,
  type UnreadableTarget,
} from './rules/rule.js';
export { parseRule, parseRuleManifest, type RuleProblem } from './parsing/parse-rule.js';
export type { RuleProblemReason } from './parsing/read-rule-spec.js';
export type { ObjectProblem } from './parsing/object-reader.js';
export { isRejected, reportRule, ruleInForce, type RejectedRule, type RuleReport } from './parsing/rule-report.js';
export type { Consent, Guard, GuardRuleRef } from './rules/guard.js';
export { guardEntries, parseGuard, type GuardProblem, type ReadGuardEntry } from './parsing/parse-guard.js';
export { isBuiltInType } from './rules/built-in-types.js';
export {
  CONDITION_REASONS,
  GUARD_CONDITIONS,
  isConditionReason,
  RULE_CONDITIONS,
  TARGET_STATES,
  type ConditionReason,
  type ConditionType,
  type ReasonText,
} from './rules/condition-reasons.js';
export { isCluster, type PathAnswers, type PathResolution } from './guarding/workspace-map.js';
export type { GuardedWorkspace } from './guarding/consent.js';
export { describeMissing, type EndpointKnowledge, type EndpointList, type MissingKnowledge } from './guarding/knowledge.js';
export type { Completeness, GuardedAnswer, GuardingAnswer, RegistryReader, RegistrySnapshot } from './registry/registry-reader.js';
export { RuleQuota, type QuotaChange, type QuotaExcess } from './registry/rule-quota.js';
export type { RegistryWriter, Touched } from './registry/registry-writer.js';
export { createRegistry } from './registry/rule-registry.js';
export { dependencyCycles, type TypeCycle, type TypeNode } from './guarding/dependency-cycles.js';
export { API_KINDS, PERMISSION_CLAIM, apiExport, apiResourceSchemas } from './manifests/api-manifests.js';
export type { ApiKind, PrinterColumn } from './manifests/api-kind.js';
export type { JsonSchema } from './manifests/json-schema.js';
export { contentHash } from './manifests/content-hash.js';
