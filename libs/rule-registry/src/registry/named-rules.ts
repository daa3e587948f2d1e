// The rules that the statuses of guards name, by guarded workspace and by author.

import { entryOf, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { GuardRuleRef } from '../rules/guard.js';
import { Relation } from './relation.js';
import type { RuleKey } from '../rules/rule.js';

/** The index. */
export class NamedRules {
  readonly #at = new Map<LogicalClusterName, ReadonlyMap<LogicalClusterName, readonly GuardRuleRef[]>>();
  readonly #guardsNaming = new Relation<RuleKey, LogicalClusterName>();
  readonly #guardsNamingOneOf = new Relation<LogicalClusterName, LogicalClusterName>();

  /** What the guard of a workspace names now. */
  set(guarded: LogicalClusterName, refs: readonly GuardRuleRef[]): void {
    for (const { key, cluster } of this.#refsAt(guarded)) {
      this.#guardsNaming.unlink(key, guarded);
      this.#guardsNamingOneOf.unlink(cluster, guarded);
    }
    for (const { key, cluster } of refs) {
      this.#guardsNaming.link(key, guarded);
      this.#guardsNamingOneOf.link(cluster, guarded);
    }
    if (refs.length === 0) this.#at.delete(guarded);
    else this.#at.set(guarded, byAuthor(refs));
  }

  /** The rules of one author that the guard of a workspace names. */
  of(author: LogicalClusterName, guarded: LogicalClusterName): readonly GuardRuleRef[] {
    return this.#at.get(guarded)?.get(author) ?? [];
  }

  /** The rules of all others than these authors that the guard of a workspace names. */
  *ofOthers(authors: ReadonlySet<LogicalClusterName>, guarded: LogicalClusterName): Generator<GuardRuleRef> {
    for (const [author, refs] of this.#at.get(guarded) ?? NO_AUTHORS) if (!authors.has(author)) yield* refs;
  }

  /** The guards that name a rule. */
  guardsNaming(key: RuleKey): readonly LogicalClusterName[] {
    return this.#guardsNaming.rightsOf(key);
  }

  /** The guards that name any rule of an author. */
  guardsNamingOneOf(author: LogicalClusterName): readonly LogicalClusterName[] {
    return this.#guardsNamingOneOf.rightsOf(author);
  }

  #refsAt(guarded: LogicalClusterName): readonly GuardRuleRef[] {
    return [...(this.#at.get(guarded) ?? NO_AUTHORS).values()].flat();
  }
}

const NO_AUTHORS: ReadonlyMap<LogicalClusterName, readonly GuardRuleRef[]> = new Map();

function byAuthor(refs: readonly GuardRuleRef[]): ReadonlyMap<LogicalClusterName, readonly GuardRuleRef[]> {
  const authors = new Map<LogicalClusterName, GuardRuleRef[]>();
  for (const ref of refs) entryOf(authors, ref.cluster, () => []).push(ref);
  return authors;
}
