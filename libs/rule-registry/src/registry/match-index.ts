import { entryOf, groupResourceKey, type GroupResource, type LogicalClusterName, type WorkspacePath } from '@dep-ctrl/kcp-names';
import type { Rule, RuleKey, RuleMatch } from '../rules/rule.js';

type ByPath = Map<WorkspacePath, Set<RuleMatch>>;

/** Rules in force, by what they name: the type, by author and path; the path; or both. */
export class MatchIndex {
  readonly #byAuthor = new Map<string, Map<LogicalClusterName, ByPath>>();
  readonly #byPath: ByPath = new Map();
  readonly #byTypeAndPath = new Map<string, Map<LogicalClusterName, Set<RuleMatch>>>();
  readonly #ofRule = new Map<RuleKey, readonly RuleMatch[]>();

  /** Takes a rule. */
  add(rule: Rule): void {
    const matches = rule.dependencies.map((dependency): RuleMatch => ({ rule, dependency }));
    this.#ofRule.set(rule.key, matches);
    for (const match of matches) {
      const { path } = match.dependency.export;
      const type = groupResourceKey(match.dependency);
      const authors = entryOf(this.#byAuthor, type, () => new Map<LogicalClusterName, ByPath>());
      entryOf(entryOf(authors, rule.cluster, newByPath), path, newSet).add(match);
      entryOf(this.#byPath, path, newSet).add(match);
      const ofTarget = entryOf(this.#byTypeAndPath, targetKey(type, path), () => new Map<LogicalClusterName, Set<RuleMatch>>());
      entryOf(ofTarget, rule.cluster, newSet).add(match);
    }
  }

  /** Forgets a rule. */
  remove(key: RuleKey): void {
    for (const match of this.#ofRule.get(key) ?? []) {
      const { path } = match.dependency.export;
      const type = groupResourceKey(match.dependency);
      const authors = this.#byAuthor.get(type);
      const paths = authors?.get(match.rule.cluster);
      if (paths !== undefined) deleteFrom(paths, path, match);
      if (paths?.size === 0) authors?.delete(match.rule.cluster);
      if (authors?.size === 0) this.#byAuthor.delete(type);
      deleteFrom(this.#byPath, path, match);
      const ofTarget = this.#byTypeAndPath.get(targetKey(type, path));
      if (ofTarget !== undefined) deleteFrom(ofTarget, match.rule.cluster, match);
      if (ofTarget?.size === 0) this.#byTypeAndPath.delete(targetKey(type, path));
    }
    this.#ofRule.delete(key);
  }

  /** The rules of an author about a type, by path. */
  ofAuthor(author: LogicalClusterName, type: GroupResource): ReadonlyMap<WorkspacePath, ReadonlySet<RuleMatch>> {
    return this.#byAuthor.get(groupResourceKey(type))?.get(author) ?? NOTHING;
  }

  /** What one rule is about. */
  ofRule(key: RuleKey): readonly RuleMatch[] {
    return this.#ofRule.get(key) ?? [];
  }

  /** Every path that a rule names. */
  paths(): Iterable<WorkspacePath> {
    return this.#byPath.keys();
  }

  /** The rules that name a path. */
  ofPath(path: WorkspacePath): ReadonlySet<RuleMatch> {
    return this.#byPath.get(path) ?? NO_MATCHES;
  }

  /** The rules that name a type by a path, by author. */
  naming(type: GroupResource, path: WorkspacePath): ReadonlyMap<LogicalClusterName, ReadonlySet<RuleMatch>> {
    return this.#byTypeAndPath.get(targetKey(groupResourceKey(type), path)) ?? NOBODY;
  }

  /** Whether a rule names a type by a path. */
  has(type: GroupResource, path: WorkspacePath): boolean {
    return this.#byTypeAndPath.has(targetKey(groupResourceKey(type), path));
  }
}

// A line break can be in neither part.
function targetKey(type: string, path: WorkspacePath): string {
  return `${type}\n${path}`;
}

const NOTHING: ReadonlyMap<WorkspacePath, ReadonlySet<RuleMatch>> = new Map();
const NO_MATCHES: ReadonlySet<RuleMatch> = new Set();
const NOBODY: ReadonlyMap<LogicalClusterName, ReadonlySet<RuleMatch>> = new Map();

function newSet(): Set<RuleMatch> {
  return new Set();
}

function newByPath(): ByPath {
  return new Map();
}

function deleteFrom<K>(index: Map<K, Set<RuleMatch>>, key: K, match: RuleMatch): void {
  const matches = index.get(key);
  matches?.delete(match);
  if (matches?.size === 0) index.delete(key);
}
