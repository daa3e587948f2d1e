import { groupResourceKey, type GroupResource, type WorkspacePath } from '@dep-ctrl/kcp-names';
import type { Rule, RuleKey, RuleMatch } from './rule.js';

/** Rules by what they name: the type and the path of the workspace. */
export class MatchIndex {
  readonly #byType = new Map<string, Map<WorkspacePath, Set<RuleMatch>>>();
  readonly #byPath = new Map<WorkspacePath, Set<RuleMatch>>();
  readonly #ofRule = new Map<RuleKey, readonly RuleMatch[]>();

  /** Takes a rule. */
  add(rule: Rule): void {
    const matches = rule.dependencies.map((dependency): RuleMatch => ({ rule, dependency }));
    this.#ofRule.set(rule.key, matches);
    for (const match of matches) {
      const { path } = match.dependency.export;
      const type = groupResourceKey(match.dependency);
      const paths = this.#byType.get(type) ?? new Map<WorkspacePath, Set<RuleMatch>>();
      this.#byType.set(type, paths);
      addTo(paths, path, match);
      addTo(this.#byPath, path, match);
    }
  }

  /** Forgets a rule. */
  remove(key: RuleKey): void {
    for (const match of this.#ofRule.get(key) ?? []) {
      const { path } = match.dependency.export;
      const type = groupResourceKey(match.dependency);
      const paths = this.#byType.get(type);
      if (paths !== undefined) deleteFrom(paths, path, match);
      if (paths?.size === 0) this.#byType.delete(type);
      deleteFrom(this.#byPath, path, match);
    }
    this.#ofRule.delete(key);
  }

  /** The rules about a type, by path. */
  ofType(type: GroupResource): ReadonlyMap<WorkspacePath, ReadonlySet<RuleMatch>> {
    return this.#byType.get(groupResourceKey(type)) ?? NOTHING;
  }

  /** The rules that name a path. */
  ofPath(path: WorkspacePath): ReadonlySet<RuleMatch> {
    return this.#byPath.get(path) ?? NO_MATCHES;
  }
}

const NOTHING: ReadonlyMap<WorkspacePath, ReadonlySet<RuleMatch>> = new Map();
const NO_MATCHES: ReadonlySet<RuleMatch> = new Set();

function addTo<K>(index: Map<K, Set<RuleMatch>>, key: K, match: RuleMatch): void {
  const matches = index.get(key);
  if (matches === undefined) index.set(key, new Set([match]));
  else matches.add(match);
}

function deleteFrom<K>(index: Map<K, Set<RuleMatch>>, key: K, match: RuleMatch): void {
  const matches = index.get(key);
  matches?.delete(match);
  if (matches?.size === 0) index.delete(key);
}
