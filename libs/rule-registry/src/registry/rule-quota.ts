// Limits the rules of one author that are in force to the oldest ones. The excess of one author affects no other.

import { compareText, entryOf, pruneEntry, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { RuleKey } from '../rules/rule.js';
import { MOST_NAMED, MOST_RULES } from '../rules/bounds.js';
import { ruleInForce, type RuleReport } from '../parsing/rule-report.js';

/** What a change of one author's rules did to those in force. */
export interface QuotaChange {
  readonly left: readonly RuleReport[];
  readonly entered: readonly RuleReport[];
}

/** What an author would have too much of. */
export interface QuotaExcess {
  readonly of: 'rules' | 'workspaces';
  /** How many rules there are already, or how many workspaces would be named together. */
  readonly count: number;
}

/** The rules of every author. Changes are taken in first and weighed once per author: a relist may bring thousands. */
export class RuleQuota {
  readonly #all = new Map<LogicalClusterName, Map<RuleKey, RuleReport>>();
  readonly #inForce = new Map<LogicalClusterName, ReadonlyMap<RuleKey, RuleReport>>();

  /** What a rule that is being written would be too much of. What is stored may stay as it is, and may name less. */
  excessOf(written: RuleReport, { isNew }: { readonly isNew: boolean }): QuotaExcess | undefined {
    const stored = this.#all.get(written.cluster) ?? NOTHING;
    if (isNew && stored.size >= MOST_RULES) return { of: 'rules', count: stored.size };
    const before = stored.get(written.key);
    if (before !== undefined && pathsOf(written).every((path) => pathsOf(before).includes(path))) return undefined;
    const others = [...(this.#inForce.get(written.cluster) ?? NOTHING).values()].filter(({ key }) => key !== written.key);
    const named = new Set([...others, written].flatMap(pathsOf));
    return named.size > MOST_NAMED ? { of: 'workspaces', count: named.size } : undefined;
  }

  /** The rules in force. */
  *inForce(): Iterable<RuleReport> {
    for (const reports of this.#inForce.values()) yield* reports.values();
  }

  /** Whether a rule is in force, as far as the quota is concerned. */
  isInForce({ cluster, key }: Pick<RuleReport, 'cluster' | 'key'>): boolean {
    return this.#inForce.get(cluster)?.has(key) ?? false;
  }

  /** Takes one state of a rule; undefined: it is gone. */
  take(author: LogicalClusterName, key: RuleKey, report: RuleReport | undefined): void {
    if (report === undefined) pruneEntry(this.#all, author, (reports) => reports.delete(key));
    else entryOf(this.#all, author, () => new Map<RuleKey, RuleReport>()).set(key, report);
  }

  /** Weighs the rules of an author. A rule that changed has left and entered. */
  weigh(author: LogicalClusterName): QuotaChange {
    const before = this.#inForce.get(author) ?? NOTHING;
    const after = new Map(oldest([...(this.#all.get(author)?.values() ?? [])]).map((report) => [report.key, report]));
    if (after.size === 0) this.#inForce.delete(author);
    else this.#inForce.set(author, after);
    return { left: missingIn(after, before), entered: missingIn(before, after) };
  }
}

const NOTHING: ReadonlyMap<RuleKey, RuleReport> = new Map();

/** The oldest rules, as long as they name no more workspaces together than one author may. One that names too many is passed over. */
function oldest(reports: readonly RuleReport[]): readonly RuleReport[] {
  const named = new Set<string>();
  return reports
    .toSorted(compareAge)
    .slice(0, MOST_RULES)
    .filter((report) => {
      const added = new Set(pathsOf(report).filter((path) => !named.has(path)));
      if (named.size + added.size > MOST_NAMED) return false;
      for (const path of added) named.add(path);
      return true;
    });
}

function pathsOf(report: RuleReport): readonly string[] {
  return ruleInForce(report)?.dependencies.map((dependency) => dependency.export.path) ?? [];
}

/** Seconds are all that kcp says of the time; within one, names decide, so that every reader decides alike. */
function compareAge(a: RuleReport, b: RuleReport): number {
  return compareText(a.createdAt, b.createdAt) || compareText(a.key, b.key);
}

function missingIn(one: ReadonlyMap<RuleKey, RuleReport>, other: ReadonlyMap<RuleKey, RuleReport>): readonly RuleReport[] {
  return [...other].filter(([key, report]) => one.get(key) !== report).map(([, report]) => report);
}
