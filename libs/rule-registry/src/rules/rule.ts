import type { FieldPath } from '@dep-ctrl/fieldpath';
import {
  compareText,
  type ExportRef,
  type GroupResource,
  type GroupVersionResource,
  type LogicalClusterName,
  type WorkspacePath,
} from '@dep-ctrl/kcp-names';
import type { Enforcement, WhileTerminating } from './api-objects.js';

declare const ruleKey: unique symbol;

/** One string per rule, different for different rules: `<cluster>/<name>`. */
export type RuleKey = string & { readonly [ruleKey]: true };

/** The key of a rule. A slash can be in neither part. */
export function ruleKeyOf(cluster: LogicalClusterName, name: string): RuleKey {
  return `${cluster}/${name}` as RuleKey;
}

/** At least one of something. */
export type NonEmpty<T> = readonly [T, ...T[]];

/** What a DependencyRule says, checked and with its defaults, wherever it lives. */
export interface RuleManifest {
  readonly name: string;
  readonly dependent: DependentType;
  readonly dependencies: NonEmpty<RuleDependency>;
  readonly enforcement: Enforcement;
  readonly whileTerminating: WhileTerminating;
  /** What its author should know although nothing is wrong with it. */
  readonly remarks: readonly RuleRemark[];
}

/** Something harmless in a rule, and where: a dependency that another of the same rule says too. */
export interface RuleRemark {
  /** Where in the object: `.spec.dependencies[1]`. */
  readonly path: string;
  /** A phrase that reads on from the path, one line. */
  readonly message: string;
}

/** A target that cannot be read, and what it still says. */
export interface UnreadableTarget {
  /** The position in `.spec.dependencies`. */
  readonly index: number;
  /** Where in the object: `.spec.dependencies[1]`. */
  readonly place: string;
  readonly type?: GroupResource;
  readonly path?: WorkspacePath;
  /** The path as its author wrote it; empty where that is no text. */
  readonly pathText: string;
}

/** One DependencyRule of one workspace. */
export interface Rule extends RuleManifest {
  readonly key: RuleKey;
  readonly cluster: LogicalClusterName;
  readonly uid: string;
  readonly generation: number;
  /** When kcp took it in, RFC 3339; empty for one that was read from a file. */
  readonly createdAt: string;
}

/** The type whose objects hold references. Its export lives in the rule's own workspace. */
export interface DependentType extends GroupVersionResource {
  readonly exportName: string;
  readonly kind: string;
}

/** The type that is referred to, and where in a dependent the reference stands. */
export interface RuleDependency extends GroupVersionResource {
  /** The position in `.spec.dependencies`. */
  readonly index: number;
  readonly export: ExportRef;
  readonly fieldPath: FieldPath;
  /** Where the reference names another namespace. Pairs with `fieldPath`. */
  readonly namespacePath?: FieldPath;
}

/** A rule and the one of its dependencies that a question is about. */
export interface RuleMatch {
  readonly rule: Rule;
  readonly dependency: RuleDependency;
}

/** Orders matches by rule key and position: the same for every reader, whatever came first. */
export function compareMatches(a: RuleMatch, b: RuleMatch): number {
  return compareText(a.rule.key, b.rule.key) || a.dependency.index - b.dependency.index;
}
