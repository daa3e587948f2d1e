// The questions of one deletion, one per dependent type: one list answers all rules and all reference paths of a type.
import type { NonEmpty } from '@dep-ctrl/rule-registry';
import { JsonProjection, type FieldPath, type ReferencePaths } from '@dep-ctrl/fieldpath';
import {
  compareText,
  entryOf,
  groupVersionResourceKey,
  type GroupVersionResource,
  type LogicalClusterName,
  type WorkspacePath,
} from '@dep-ctrl/kcp-names';
import type { DecidingRule } from '../decision/lookup.js';

/** A rule that guards the subject, with the reference by which it does. */
export interface GuardingMatch {
  readonly rule: DecidingRule & {
    readonly dependent: GroupVersionResource & { readonly exportName: string; readonly kind: string };
  };
  readonly dependency: { readonly fieldPath: FieldPath; readonly namespacePath?: FieldPath };
}

/** One reference path of one rule. */
export interface Query extends ReferencePaths {
  readonly rule: DecidingRule;
  readonly kind: string;
}

/** One dependent type, in the version that its rules name. */
export interface TypeQuestion {
  readonly type: GroupVersionResource;
  readonly exporter: LogicalClusterName;
  readonly exporterPath: WorkspacePath | undefined;
  readonly exportNames: readonly string[];
  readonly queries: NonEmpty<Query>;
}

/**
 * Groups the rules that guard a subject by dependent type. The same matches give the same questions, in any order. A rule that names one target by several
 * versions or exports gives one query.
 */
export function questionsOf(matches: readonly GuardingMatch[]): readonly TypeQuestion[] {
  const known = grouped.get(matches) ?? makeQuestions(matches);
  grouped.set(matches, known);
  return known;
}

// The same matches come as the same list (see guarding-rules.ts).
const grouped = new WeakMap<readonly GuardingMatch[], readonly TypeQuestion[]>();

// What a decision needs of any dependent, beside its references.
const OF_ALL = [['kind'], ...['name', 'namespace', 'uid', 'deletionTimestamp'].map((key) => ['metadata', key])];

// A question is the same until a rule changes, and so are its paths.
const projections = new WeakMap<TypeQuestion, JsonProjection>();

/** Which parts of the objects of a type are read to answer a question. */
export function partsOf(question: TypeQuestion): JsonProjection {
  const known = projections.get(question);
  if (known !== undefined) return known;
  const paths = question.queries.flatMap(({ fieldPath, namespacePath }) => [
    fieldPath.steps,
    ...(namespacePath === undefined ? [] : [namespacePath.steps]),
  ]);
  const made = new JsonProjection([...OF_ALL, ...paths]);
  projections.set(question, made);
  return made;
}

function makeQuestions(matches: readonly GuardingMatch[]): readonly TypeQuestion[] {
  const questions = new Map<string, TypeQuestion & { readonly exportNames: string[]; readonly queries: Query[] }>();
  const asked = new Asked();
  for (const { rule, dependency } of matches) {
    const { group, version, resource, kind, exportName } = rule.dependent;
    const type = { group, version, resource };
    const key = `${rule.cluster}/${groupVersionResourceKey(type)}`;
    const isNew = asked.add(`${key}/${rule.name}`, dependency);
    const query: Query = { rule, kind, ...dependency };
    const known = questions.get(key);
    if (known === undefined) {
      questions.set(key, { type, exporter: rule.cluster, exporterPath: rule.path, exportNames: [exportName], queries: [query] });
    } else {
      if (!known.exportNames.includes(exportName)) known.exportNames.push(exportName);
      if (isNew) known.queries.push(query);
    }
  }
  return [...questions].sort(([a], [b]) => compareText(a, b)).map(([, question]) => question);
}

/** The queries of each rule, by both paths. */
class Asked {
  readonly #namespaces = new Map<string, Map<string, Set<string | undefined>>>();

  /** Adds a query; whether it is new. */
  add(rule: string, { fieldPath, namespacePath }: ReferencePaths): boolean {
    const ofRule = entryOf(this.#namespaces, rule, () => new Map<string, Set<string | undefined>>());
    const namespaces = entryOf(ofRule, fieldPath.text, () => new Set<string | undefined>());
    const before = namespaces.size;
    return namespaces.add(namespacePath?.text).size > before;
  }
}
