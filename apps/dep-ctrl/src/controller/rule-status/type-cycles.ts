// The rules that are part of a cycle of types. Finding cycles takes all rules, so it is done once for all of them.
import { printGroupResource } from '@dep-ctrl/kcp-names';
import { dependencyCycles, type RegistryReader, type RuleKey } from '@dep-ctrl/rule-registry';

/** The cycles of types as of the last look. */
export class TypeCycles {
  readonly #registry: Pick<RegistryReader, 'snapshot'>;
  #byRule: ReadonlyMap<RuleKey, readonly string[]> = new Map();

  constructor({ registry }: { readonly registry: Pick<RegistryReader, 'snapshot'> }) {
    this.#registry = registry;
  }

  /** The cycles that a rule is part of, for people. */
  of(rule: RuleKey): readonly string[] {
    return this.#byRule.get(rule) ?? [];
  }

  /** Looks again, and answers with the rules that are part of other cycles than before. */
  look(): readonly RuleKey[] {
    const before = this.#byRule;
    this.#byRule = this.#cycles();
    const textOf = (cycles: typeof before, rule: RuleKey): string => (cycles.get(rule) ?? []).join('; ');
    return [...new Set([...before.keys(), ...this.#byRule.keys()])].filter((rule) => textOf(before, rule) !== textOf(this.#byRule, rule));
  }

  #cycles(): ReadonlyMap<RuleKey, readonly string[]> {
    const { rules, paths } = this.#registry.snapshot();
    const byRule = new Map<RuleKey, string[]>();
    for (const cycle of dependencyCycles(rules, paths)) {
      const text = cycle.types.map((type) => printGroupResource(type)).join(' and ');
      for (const key of cycle.rules) byRule.set(key, [...(byRule.get(key) ?? []), text]);
    }
    return byRule;
  }
}
