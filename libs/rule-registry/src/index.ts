export { MOST_CONSENTS, MOST_DEPENDENCIES, MOST_RULES } from './bounds.js';
export { API_GROUP, API_VERSION, EXPORT_NAME, GUARDS, GUARD_FINALIZER, GUARD_NAME, RULES, SKIP_ANNOTATION } from './api-group.js';
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
} from './api-objects.js';
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
} from './rule.js';
export { parseRule, parseRuleManifest, type RuleProblem } from './parse-rule.js';
export type { RuleProblemReason } from './read-rule-spec.js';
export type { ObjectProblem } from './object-reader.js';
export { isRejected, reportRule, ruleInForce, type RejectedRule, type RuleReport } from './rule-report.js';
export type { Consent, Guard, GuardRuleRef } from './guard.js';
export { guardEntries, parseGuard, type GuardProblem } from './parse-guard.js';
export { isBuiltInType } from './built-in-types.js';
export type { PathAnswers, PathResolution } from './workspace-map.js';
export {
  admission,
  effectiveRules,
  type Admits,
  type EffectiveRules,
  type EffectiveRulesInput,
  type GuardedWorkspace,
} from './effective-rules.js';
export { describeMissing, type EndpointKnowledge, type EndpointList, type MissingKnowledge } from './knowledge.js';
export type { Completeness, GuardedAnswer, GuardingAnswer, RegistryReader, RegistrySnapshot } from './registry-reader.js';
export type { RegistryWriter, Touched } from './registry-writer.js';
export { createRegistry } from './rule-registry.js';
export { dependencyCycles, type TypeCycle, type TypeNode } from './dependency-cycles.js';
export { API_KINDS, PERMISSION_CLAIM, apiExport, apiResourceSchemas } from './api-manifests.js';
export type { ApiKind, PrinterColumn } from './api-kind.js';
export type { JsonSchema } from './json-schema.js';
export { contentHash } from './content-hash.js';
