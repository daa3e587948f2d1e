import type { Counter } from 'prom-client';
import { ruleKeyOf, type RuleKey } from '@dep-ctrl/rule-registry';
import { FairShare } from '@dep-ctrl/fair-shares';
import type { DecidingRule } from '../webhook/decision/lookup.js';

/** The label for rules beyond the bounds. No rule has this name: a rule's name begins with its workspace. */
export const OTHER_RULES = 'other';

/** Labels beside the rule; their values are ours and few. */
type OtherLabels = Readonly<Record<string, string>>;

interface Labelled {
  readonly rule: RuleKey;
  readonly label: string;
  readonly series: Map<string, OtherLabels>;
}

// A rule has a handful of series, one for each of the reasons and modes that its reviews came to.
const MOST_RULES = 1_000;
const MOST_RULES_OF_AN_AUTHOR = 10;

/**
 * A counter with a series per rule, bounded per author and in all, so that no author can take the room of the others. Rules beyond the bounds share one
 * series. The series of a rule ends with the rule.
 */
export class RuleSeries {
  readonly #counter: Counter;
  readonly #share = new FairShare({ inAll: MOST_RULES, mostEach: MOST_RULES_OF_AN_AUTHOR });
  readonly #labelled = new Map<string, Labelled>();

  constructor(counter: Counter) {
    this.#counter = counter;
  }

  /** Counts one, for a rule or none. */
  count(labels: OtherLabels, rule: Pick<DecidingRule, 'cluster' | 'name' | 'path'> | undefined): void {
    const labelled = rule === undefined ? undefined : this.#labelledFor(rule);
    const label = rule === undefined ? '' : (labelled?.label ?? OTHER_RULES);
    this.#counter.inc({ ...labels, rule: label });
    labelled?.series.set(Object.values(labels).join(), labels);
  }

  /** Forgets the rules that are not there any more. */
  keepOnly(rules: ReadonlySet<RuleKey>): void {
    for (const [id, { rule, label, series }] of this.#labelled) {
      if (rules.has(rule)) continue;
      for (const labels of series.values()) this.#counter.remove({ ...labels, rule: label });
      this.#labelled.delete(id);
      this.#share.give(authorOf(rule), 1);
    }
  }

  /** The key includes the label: the path of a workspace may become known later. */
  #labelledFor(rule: Pick<DecidingRule, 'cluster' | 'name' | 'path'>): Labelled | undefined {
    const key = ruleKeyOf(rule.cluster, rule.name);
    const label = ruleName(rule);
    const id = `${key} ${label}`;
    const known = this.#labelled.get(id);
    if (known !== undefined || !this.#share.take(authorOf(key), 1)) return known;
    const made = { rule: key, label, series: new Map<string, OtherLabels>() };
    this.#labelled.set(id, made);
    return made;
  }
}

/** A rule as labels and log lines name it. */
export function ruleName({ path, cluster, name }: { readonly path?: string; readonly cluster: string; readonly name: string }): string {
  return `${path ?? cluster}/${name}`;
}

function authorOf(rule: RuleKey): string {
  return rule.slice(0, rule.indexOf('/'));
}
