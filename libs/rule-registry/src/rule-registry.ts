// The registry: one writer repeats what the endpoints deliver, any number of readers ask. A question is answered from an index and the
// answer kept until the next write, so that asking takes the same time however many rules there are.

import { printGroupResource, type GroupResource, type LogicalClusterName, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { admits, guardedWorkspace } from './effective-rules.js';
import { missingEverywhere, missingFor, type EndpointKnowledge, type MissingKnowledge } from './knowledge.js';
import type { Guard } from './guard.js';
import { heldResources, mayHaveHeld, type HeldResource } from './held-resources.js';
import type { Completeness, GuardedAnswer, GuardingAnswer, RegistryReader, RegistrySnapshot } from './registry-reader.js';
import { RegistryState } from './registry-state.js';
import type { RegistryWriter } from './registry-writer.js';
import { compareMatches, type RuleKey, type RuleMatch } from './rule.js';
import { isRejected, ruleInForce, type RuleReport } from './rule-report.js';
import type { PathAnswers } from './workspace-map.js';

/** Makes an empty registry, which knows nothing yet. Give the writer to one, the reader to many. */
export function createRegistry(): { readonly reader: RegistryReader; readonly writer: RegistryWriter } {
  const state = new RegistryState();
  return { reader: new Reader(state), writer: state };
}

// So many answers are kept at most: more than anybody asks for between two changes, and who can ask for anything cannot fill the memory.
const MOST_KEPT = 20_000;

class Reader implements RegistryReader {
  readonly #state: RegistryState;
  readonly #answers = new Map<string, GuardingAnswer>();
  #answersOf = 0;
  #snapshot: { readonly version: number; readonly snapshot: RegistrySnapshot } | undefined;

  constructor(state: RegistryState) {
    this.#state = state;
  }

  get paths(): PathAnswers {
    return this.#state.workspaces;
  }

  guarding(where: LogicalClusterName | 'anywhere', type: GroupResource): GuardingAnswer {
    if (this.#answersOf !== this.#state.version || this.#answers.size > MOST_KEPT) {
      this.#answers.clear();
      this.#answersOf = this.#state.version;
    }
    const question = `${where}/${type.group}/${type.resource}`;
    const kept = this.#answers.get(question);
    if (kept !== undefined) return kept;
    const answer = this.#findGuarding(where, type);
    this.#answers.set(question, answer);
    return answer;
  }

  guarded(cluster: LogicalClusterName): GuardedAnswer {
    const { workspaces, index, guards } = this.#state;
    const matches = workspaces.pathsOf(cluster).flatMap((path) => [...index.ofPath(path)]);
    const guard = guards.view.get(cluster);
    return {
      ...completenessOf(this.#missingFor(cluster)),
      ...guardedWorkspace({ cluster, guard, matches, paths: workspaces }),
      held: this.#held(cluster),
    };
  }

  completeness(): Completeness {
    return completenessOf(missingEverywhere(this.endpoints()));
  }

  endpoints(): ReadonlyMap<string, EndpointKnowledge> | 'unread' {
    return this.#state.endpoints.knowledge;
  }

  rule(key: RuleKey): RuleReport | undefined {
    return this.#state.rules.view.get(key);
  }

  guard(cluster: LogicalClusterName): Guard | undefined {
    return this.#state.guards.view.get(cluster);
  }

  unresolvedPaths(): readonly WorkspacePath[] {
    const { guards, unknownPaths, workspaces } = this.#state;
    const consented = [...guards.view.values()].flatMap(({ allowRulesFrom }) => (allowRulesFrom === 'everyone' ? [] : allowRulesFrom));
    const unknown = consented.filter((path) => workspaces.clustersOf(path) === undefined);
    return [...new Set([...unknownPaths, ...unknown])].toSorted();
  }

  snapshot(): RegistrySnapshot {
    if (this.#snapshot?.version === this.#state.version) return this.#snapshot.snapshot;
    const { rules, guards, workspaces, version } = this.#state;
    const reports = [...rules.view.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
    const snapshot: RegistrySnapshot = {
      rules: reports.flatMap((report) => ruleInForce(report) ?? []),
      rejected: reports.filter(isRejected),
      guards: new Map(guards.view),
      paths: workspaces.copy(),
      endpoints: this.endpoints(),
    };
    this.#snapshot = { version, snapshot };
    return snapshot;
  }

  #findGuarding(where: LogicalClusterName | 'anywhere', type: GroupResource): GuardingAnswer {
    const { guards, workspaces } = this.#state;
    const matches = where === 'anywhere' ? this.#matchesAnywhere(type) : this.#matchesAt(where, type);
    const admitted = (where: LogicalClusterName, { rule }: RuleMatch) => admits(guards.view.get(where), rule, workspaces);
    const isAdmitted = (match: RuleMatch) =>
      where === 'anywhere'
        ? (workspaces.clustersOf(match.dependency.export.path)?.some((cluster) => admitted(cluster, match)) ?? true)
        : admitted(where, match);
    const held = this.#held(where).filter(({ ref }) => ref.resource === printGroupResource(type));
    const completeness = completenessOf([...this.#missingFor(where), ...this.#unsaid(where, type)]);
    const named = where === 'anywhere' ? [] : (guards.view.get(where)?.ruleRefs ?? []);
    const isBehind = named.some((rule) => this.#state.isBehind(rule));
    return { ...completeness, matches: matches.filter(isAdmitted).toSorted(compareMatches), held, isBehind };
  }

  #held(where: LogicalClusterName | 'anywhere'): readonly HeldResource[] {
    const { rejected, rules, workspaces } = this.#state;
    return [...rejected].toSorted().flatMap((key) => {
      const report = rules.view.get(key);
      if (report === undefined || !isRejected(report)) return [];
      const guards = this.#state.guardsNaming(key).filter(({ cluster }) => where === 'anywhere' || cluster === where);
      return guards.flatMap((guard) => heldResources(guard, report, workspaces));
    });
  }

  #matchesAt(where: LogicalClusterName, type: GroupResource): readonly RuleMatch[] {
    const { index, unknownPaths, workspaces } = this.#state;
    const ofType = index.ofType(type);
    // Whichever is smaller: the paths that nobody could resolve, or those that rules about this type name.
    const unknown = unknownPaths.size < ofType.size ? [...unknownPaths] : [...ofType.keys()].filter((path) => unknownPaths.has(path));
    return [...workspaces.pathsOf(where), ...unknown].flatMap((path) => [...(ofType.get(path) ?? [])]);
  }

  #matchesAnywhere(type: GroupResource): readonly RuleMatch[] {
    return [...this.#state.index.ofType(type).values()].flatMap((matches) => [...matches]);
  }

  /** What the guard of a workspace may have named and does not say. */
  #unsaid(where: LogicalClusterName | 'anywhere', type: GroupResource): readonly MissingKnowledge[] {
    if (where === 'anywhere') return [];
    const { rejected, rules, workspaces } = this.#state;
    const site = { guarded: where, guard: this.guard(where) };
    return [...rejected].toSorted().flatMap((key): readonly MissingKnowledge[] => {
      const rule = rules.view.get(key);
      const isOpen = rule !== undefined && isRejected(rule) && mayHaveHeld(site, rule, type, workspaces);
      return isOpen ? [{ kind: 'guard', guarded: where, rule }] : [];
    });
  }

  #missingFor(where: LogicalClusterName | 'anywhere'): readonly MissingKnowledge[] {
    const guard = where === 'anywhere' ? undefined : this.guard(where);
    const everywhere = missingEverywhere(this.endpoints());
    return missingFor({ guard, everywhere, isKnown: (rule) => this.#state.isKnown(rule) });
  }
}

function completenessOf([first, ...others]: readonly MissingKnowledge[]): Completeness {
  return first === undefined ? { state: 'known' } : { state: 'syncing', missing: [first, ...others] };
}
