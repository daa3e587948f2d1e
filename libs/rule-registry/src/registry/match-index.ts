import {
  entryOf,
  groupResourceKey,
  pruneEntry,
  type GroupResource,
  type LogicalClusterName,
  type WorkspacePath,
} from '@dep-ctrl/kcp-names';
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
      const take = (matches: Set<RuleMatch>) => matches.delete(match);
      pruneEntry(this.#byAuthor, type, (authors) => {
        pruneEntry(authors, match.rule.cluster, (paths) => {
          pruneEntry(paths, path, take);
        });
      });
      pruneEntry(this.#byPath, path, take);
      pruneEntry(this.#byTypeAndPath, targetKey(type, path), (authors) => {
        pruneEntry(authors, match.rule.cluster, take);
      });
    }
    this.#ofRule.delete(key);
  }

  /** The rules about a type, by author and path. */
  ofType(type: GroupResource): ReadonlyMap<LogicalClusterName, ReadonlyMap<WorkspacePath, ReadonlySet<RuleMatch>>> {
    return this.#byAuthor.get(groupResourceKey(type)) ?? NOTHING;
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

const NOTHING: ReadonlyMap<LogicalClusterName, ReadonlyMap<WorkspacePath, ReadonlySet<RuleMatch>>> = new Map();
const NO_MATCHES: ReadonlySet<RuleMatch> = new Set();
const NOBODY: ReadonlyMap<LogicalClusterName, ReadonlySet<RuleMatch>> = new Map();

function newSet(): Set<RuleMatch> {
  return new Set();
}

function newByPath(): ByPath {
  return new Map();
}
