// The write side of the registry: what endpoints delivered, merged, indexed, and never shrunk by absence. `version` grows with every
// write, so that a reader knows when an answer that it keeps is old.

import type { LogicalClusterName, WorkspacePath } from '@dep-ctrl/kcp-names';
import { EndpointStates } from './endpoint-states.js';
import type { Guard, GuardRuleRef } from './guard.js';
import type { EndpointList } from './knowledge.js';
import { MatchIndex } from './match-index.js';
import { MergedObjects, type Versioned, type ViewChange } from './merged-objects.js';
import type { RegistryWriter, Touched } from './registry-writer.js';
import type { RuleKey } from './rule.js';
import { isRejected, ruleInForce, type RuleReport } from './rule-report.js';
import { Relation } from './relation.js';
import { Touch } from './touch.js';
import { WorkspaceMap, type BoundWorkspace, type PathResolution } from './workspace-map.js';

/** See above. */
export class RegistryState implements RegistryWriter {
  readonly rules = new MergedObjects<RuleKey, RuleReport>(hasSameSpec);
  readonly guards = new MergedObjects<LogicalClusterName, Guard>(() => false);
  readonly workspaces = new WorkspaceMap();
  readonly endpoints = new EndpointStates();
  readonly index = new MatchIndex();
  /** Paths that rules name and nobody could resolve yet. */
  readonly unknownPaths = new Set<WorkspacePath>();
  /** Rules that have problems. */
  readonly rejected = new Set<RuleKey>();
  readonly #guardsNaming = new Relation<RuleKey, LogicalClusterName>();
  /** From workspaces of rules to the guards whose status names one of them. */
  readonly #guardsNamingOneOf = new Relation<LogicalClusterName, LogicalClusterName>();
  readonly #gone = new Set<LogicalClusterName>();
  #version = 0;

  /** Differs after every write. */
  get version(): number {
    return this.#version;
  }

  endpointsRead(endpoints: readonly string[]): Touched {
    return this.#write((touch) => {
      this.endpoints.read(endpoints);
      this.#releaseWithdrawn(touch);
      touch.everyGuard();
    });
  }

  rulesListed(endpoint: string, rules: readonly RuleReport[]): Touched {
    return this.#writeList(endpoint, 'rules', (touch) => {
      this.#rulesChanged(this.rules.replace(endpoint, new Map(rules.map((rule) => [rule.key, rule])), isSameText), touch);
    });
  }

  ruleApplied(endpoint: string, rule: RuleReport): Touched {
    return this.#writeEvent(endpoint, (touch) => {
      this.#rulesChanged(this.rules.set(endpoint, rule.key, rule), touch);
    });
  }

  ruleRemoved(endpoint: string, key: RuleKey): Touched {
    return this.#write((touch) => this.#rulesChanged(this.rules.delete(endpoint, key), touch));
  }

  guardsListed(endpoint: string, guards: readonly Guard[]): Touched {
    return this.#writeList(endpoint, 'guards', (touch) => {
      this.#guardsChanged(this.guards.replace(endpoint, new Map(guards.map((guard) => [guard.cluster, guard]))), touch);
    });
  }

  guardApplied(endpoint: string, guard: Guard): Touched {
    return this.#writeEvent(endpoint, (touch) => {
      this.#guardsChanged(this.guards.set(endpoint, guard.cluster, guard), touch);
    });
  }

  guardRemoved(endpoint: string, cluster: LogicalClusterName): Touched {
    return this.#write((touch) => this.#guardsChanged(this.guards.delete(endpoint, cluster), touch));
  }

  workspacesListed(endpoint: string, workspaces: readonly BoundWorkspace[]): Touched {
    return this.#writeList(endpoint, 'workspaces', (touch) => {
      const paths = new Map(workspaces.map(({ cluster, path }) => [cluster, path]));
      const clusters = new Set([...this.workspaces.boundAt(endpoint).keys(), ...paths.keys()]);
      for (const cluster of clusters) this.#bind(endpoint, cluster, paths.get(cluster), touch);
    });
  }

  workspaceApplied(endpoint: string, { cluster, path }: BoundWorkspace): Touched {
    return this.#writeEvent(endpoint, (touch) => {
      this.#bind(endpoint, cluster, path, touch);
      this.#releaseWithdrawn(touch);
    });
  }

  workspaceRemoved(endpoint: string, cluster: LogicalClusterName): Touched {
    return this.#write((touch) => this.#bind(endpoint, cluster, undefined, touch));
  }

  pathResolved(path: WorkspacePath, resolution: PathResolution): Touched {
    return this.#write((touch) => this.#changePaths([path], touch, () => this.workspaces.setResolved(path, resolution)));
  }

  workspaceGone(cluster: LogicalClusterName): Touched {
    return this.#write((touch) => {
      if (this.#isServed(cluster)) return;
      this.#gone.add(cluster);
      for (const endpoint of this.endpoints.in('withdrawn')) this.#forget(endpoint, cluster, touch);
      this.#releaseWithdrawn(touch);
      touch.everyGuard();
    });
  }

  /** The guards whose status names a rule. */
  guardsNaming(key: RuleKey): readonly Guard[] {
    return this.#guardsNaming.rightsOf(key).flatMap((cluster) => this.guards.view.get(cluster) ?? []);
  }

  /**
   * Whether a rule that a guard names is read, refused, or proven gone. What an endpoint listed is so, whatever the guard says. What is left
   * from an endpoint that did not list counts only if it is no older than what the guard says of it.
   */
  isKnown(ref: GuardRuleRef): boolean {
    return this.#gone.has(ref.cluster) || this.#isListedAt(ref.cluster) || this.#isShown(ref);
  }

  /** Whether a guard names a rule that is not proven gone, and that nobody has shown, or nobody as it is now: what shows rules may lag. */
  isBehind(ref: GuardRuleRef): boolean {
    return !this.#gone.has(ref.cluster) && !this.#isShown(ref);
  }

  #isShown({ key, version }: GuardRuleRef): boolean {
    const rule = this.rules.view.get(key);
    return rule !== undefined && (version === undefined || isSameOrLater(rule, version));
  }

  /** Whether an endpoint that serves the workspace has listed everything: what it did not list is proven absent. */
  #isListedAt(cluster: LogicalClusterName): boolean {
    return this.endpoints.in('listed').some((endpoint) => this.workspaces.boundAt(endpoint).has(cluster));
  }

  /** Whether an endpoint that the export has now shows anything of the workspace, however much of it was listed. */
  #isServed(cluster: LogicalClusterName): boolean {
    return this.endpoints.served().some((endpoint) => this.#clustersAt(endpoint).has(cluster));
  }

  #write(change: (touch: Touch) => void): Touched {
    const touch = new Touch({ guards: this.guards.view, workspaces: this.workspaces, index: this.index, guardsNaming: this.#guardsNaming });
    change(touch);
    this.#version++;
    return touch;
  }

  #writeEvent(endpoint: string, change: (touch: Touch) => void): Touched {
    return this.#write((touch) => {
      if (this.endpoints.seen(endpoint)) touch.everyGuard();
      change(touch);
    });
  }

  #writeList(endpoint: string, list: EndpointList, change: (touch: Touch) => void): Touched {
    return this.#write((touch) => {
      const isFirst = this.endpoints.listed(endpoint, list);
      change(touch);
      this.#releaseWithdrawn(touch);
      if (isFirst) touch.everyGuard();
    });
  }

  /** Lets go of what withdrawn endpoints delivered, as far as others have listed the same workspaces. */
  #releaseWithdrawn(touch: Touch): void {
    for (const endpoint of this.endpoints.in('withdrawn')) {
      for (const cluster of this.#clustersAt(endpoint)) if (this.#isListedAt(cluster)) this.#forget(endpoint, cluster, touch);
      if (this.#clustersAt(endpoint).size === 0) this.endpoints.forget(endpoint);
    }
  }

  #clustersAt(endpoint: string): ReadonlySet<LogicalClusterName> {
    const ofRules = [...this.rules.of(endpoint).values()].map((rule) => rule.cluster);
    return new Set([...ofRules, ...this.guards.of(endpoint).keys(), ...this.workspaces.boundAt(endpoint).keys()]);
  }

  #forget(endpoint: string, cluster: LogicalClusterName, touch: Touch): void {
    for (const [key, rule] of this.rules.of(endpoint)) {
      if (rule.cluster === cluster) this.#rulesChanged(this.rules.delete(endpoint, key), touch);
    }
    this.#guardsChanged(this.guards.delete(endpoint, cluster), touch);
    this.#bind(endpoint, cluster, undefined, touch);
  }

  #rulesChanged(changes: readonly ViewChange<RuleReport>[], touch: Touch): void {
    for (const { before, after } of changes) {
      if (before !== undefined) this.#takeOut(before.key);
      if (after !== undefined) this.#putIn(after);
      for (const report of [before, after]) {
        if (report === undefined) continue;
        touch.rule(report);
        for (const dependency of ruleInForce(report)?.dependencies ?? []) this.#noteUnknown(dependency.export.path);
      }
    }
  }

  #takeOut(key: RuleKey): void {
    this.index.remove(key);
    this.rejected.delete(key);
  }

  #putIn(report: RuleReport): void {
    const rule = ruleInForce(report);
    if (rule !== undefined) this.index.add(rule);
    if (isRejected(report)) this.rejected.add(report.key);
  }

  #guardsChanged(changes: readonly ViewChange<Guard>[], touch: Touch): void {
    for (const { before, after } of changes) {
      for (const { key, author, guarded } of refsOf(before)) {
        this.#guardsNaming.unlink(key, guarded);
        this.#guardsNamingOneOf.unlink(author, guarded);
      }
      for (const { key, author, guarded } of refsOf(after)) {
        this.#guardsNaming.link(key, guarded);
        this.#guardsNamingOneOf.link(author, guarded);
      }
      const guard = after ?? before;
      if (guard !== undefined) touch.guardedWorkspace(guard.cluster);
    }
  }

  /** Sets or takes back that an endpoint shows a workspace. What no endpoint shows any more has unbound: its rules are proven gone. */
  #bind(endpoint: string, cluster: LogicalClusterName, path: WorkspacePath | undefined, touch: Touch): void {
    const before = this.workspaces.boundAt(endpoint).get(cluster);
    const paths = [before, path].filter((candidate) => candidate !== undefined);
    this.#changePaths(paths, touch, () => this.workspaces.setBound(endpoint, cluster, path));
    if (path !== undefined) this.#gone.delete(cluster);
    else if (before !== undefined && this.workspaces.pathOf(cluster) === undefined) this.#gone.add(cluster);
    if ((before === undefined) === (path === undefined)) return;
    for (const guarded of this.#guardsNamingOneOf.rightsOf(cluster)) touch.guardedWorkspace(guarded);
  }

  #changePaths(paths: readonly WorkspacePath[], touch: Touch, change: () => boolean): void {
    touch.clustersOf(paths);
    if (!change()) return;
    for (const path of paths) this.#noteUnknown(path);
    touch.paths(paths);
  }

  #noteUnknown(path: WorkspacePath): void {
    if (this.index.ofPath(path).size > 0 && this.workspaces.clustersOf(path) === undefined) this.unknownPaths.add(path);
    else this.unknownPaths.delete(path);
  }
}

interface GuardRef {
  readonly key: RuleKey;
  readonly author: LogicalClusterName;
  readonly guarded: LogicalClusterName;
}

function refsOf(guard: Guard | undefined): readonly GuardRef[] {
  return guard?.ruleRefs.map(({ key, cluster }) => ({ key, author: cluster, guarded: guard.cluster })) ?? [];
}

/** Of two objects of one name, nobody can tell which came later. */
function isSameOrLater({ uid, generation }: Versioned, than: Versioned): boolean {
  return uid === than.uid && generation >= than.generation;
}

/** Kubernetes counts the changes of a spec; a change of the status alone is none to readers of rules. */
function hasSameSpec(before: RuleReport, after: RuleReport): boolean {
  return before.uid !== '' && before.generation > 0 && before.uid === after.uid && before.generation === after.generation;
}

/** Where kcp's storage was set back, the same generation may come again and say something else. Then there is a new list. */
function isSameText(before: RuleReport, after: RuleReport): boolean {
  return hasSameSpec(before, after) && JSON.stringify(before) === JSON.stringify(after);
}
