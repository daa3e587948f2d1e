// The write side of the registry: what endpoints delivered, merged, indexed, and never shrunk by absence. `version` grows with every
// write, so that a reader knows when an answer that it keeps is old.

import type { LogicalClusterName, WorkspacePath } from '@dep-ctrl/kcp-names';
import { EndpointStates } from './endpoint-states.js';
import type { Guard, GuardRuleRef } from './guard.js';
import { MatchIndex } from './match-index.js';
import { MergedObjects, type ViewChange } from './merged-objects.js';
import type { RegistryWriter, Touched } from './registry-writer.js';
import type { RuleKey } from './rule.js';
import { isRejected, type RuleReport } from './rule-report.js';
import { WorkspaceMap, type BoundWorkspace, type PathResolution } from './workspace-map.js';

interface Touch {
  readonly guarded: Set<LogicalClusterName>;
  readonly rules: Set<RuleKey>;
}

/** See above. */
export class RegistryState implements RegistryWriter {
  readonly rules = new MergedObjects<RuleKey, RuleReport>();
  readonly guards = new MergedObjects<LogicalClusterName, Guard>();
  readonly workspaces = new WorkspaceMap();
  readonly endpoints = new EndpointStates();
  readonly index = new MatchIndex();
  /** Paths that rules name and nobody could resolve yet. */
  readonly unknownPaths = new Set<WorkspacePath>();
  readonly #gone = new Set<LogicalClusterName>();
  #version = 0;

  /** Differs after every write. */
  get version(): number {
    return this.#version;
  }

  endpointsRead(endpoints: readonly string[]): Touched {
    return this.#write(() => this.endpoints.read(endpoints));
  }

  rulesListed(endpoint: string, rules: readonly RuleReport[]): Touched {
    return this.#write((touch) => {
      this.endpoints.listed(endpoint, 'rules');
      this.#rulesChanged(this.rules.replace(endpoint, new Map(rules.map((rule) => [rule.key, rule]))), touch);
    });
  }

  ruleApplied(endpoint: string, rule: RuleReport): Touched {
    this.endpoints.seen(endpoint);
    return this.#write((touch) => this.#rulesChanged(this.rules.set(endpoint, rule.key, rule), touch));
  }

  ruleRemoved(endpoint: string, key: RuleKey): Touched {
    return this.#write((touch) => this.#rulesChanged(this.rules.delete(endpoint, key), touch));
  }

  guardsListed(endpoint: string, guards: readonly Guard[]): Touched {
    return this.#write((touch) => {
      this.endpoints.listed(endpoint, 'guards');
      this.#guardsChanged(this.guards.replace(endpoint, new Map(guards.map((guard) => [guard.cluster, guard]))), touch);
    });
  }

  guardApplied(endpoint: string, guard: Guard): Touched {
    this.endpoints.seen(endpoint);
    return this.#write((touch) => this.#guardsChanged(this.guards.set(endpoint, guard.cluster, guard), touch));
  }

  guardRemoved(endpoint: string, cluster: LogicalClusterName): Touched {
    return this.#write((touch) => this.#guardsChanged(this.guards.delete(endpoint, cluster), touch));
  }

  workspacesListed(endpoint: string, workspaces: readonly BoundWorkspace[]): Touched {
    return this.#write((touch) => {
      this.endpoints.listed(endpoint, 'workspaces');
      const paths = new Map(workspaces.map(({ cluster, path }) => [cluster, path]));
      const clusters = new Set([...this.workspaces.boundAt(endpoint).keys(), ...paths.keys()]);
      for (const cluster of clusters) this.#bind(endpoint, cluster, paths.get(cluster), touch);
    });
  }

  workspaceApplied(endpoint: string, { cluster, path }: BoundWorkspace): Touched {
    this.endpoints.seen(endpoint);
    return this.#write((touch) => this.#bind(endpoint, cluster, path, touch));
  }

  workspaceRemoved(endpoint: string, cluster: LogicalClusterName): Touched {
    return this.#write((touch) => this.#bind(endpoint, cluster, undefined, touch));
  }

  pathResolved(path: WorkspacePath, resolution: PathResolution): Touched {
    return this.#write((touch) => this.#pathsChanged([path], touch, () => this.workspaces.setResolved(path, resolution)));
  }

  workspaceGone(cluster: LogicalClusterName): Touched {
    return this.#write((touch) => {
      this.#gone.add(cluster);
      for (const source of this.#sources()) this.#forget(source, cluster, touch);
    });
  }

  /** Whether a rule that a guard names is read, refused, or proven gone. */
  isKnown({ key, cluster }: GuardRuleRef): boolean {
    return this.rules.view.has(key) || this.#gone.has(cluster) || this.#isListedAnew(cluster);
  }

  /** Whether an endpoint that serves the workspace has listed everything: what it did not list is proven absent. */
  #isListedAnew(cluster: LogicalClusterName): boolean {
    return this.endpoints.in('listed').some((endpoint) => this.workspaces.boundAt(endpoint).has(cluster));
  }

  #write(change: (touch: Touch) => void): Touched {
    const touch: Touch = { guarded: new Set(), rules: new Set() };
    change(touch);
    this.#releaseWithdrawn(touch);
    this.#version++;
    return touch;
  }

  /** Lets go of what withdrawn endpoints delivered, as far as others have listed the same workspaces. */
  #releaseWithdrawn(touch: Touch): void {
    for (const endpoint of this.endpoints.in('withdrawn')) {
      const clusters = this.#clustersAt(endpoint);
      for (const cluster of clusters) if (this.#isListedAnew(cluster)) this.#forget(endpoint, cluster, touch);
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
      if (before !== undefined) this.index.remove(before.key);
      if (after !== undefined && !isRejected(after)) this.index.add(after);
      for (const report of [before, after]) {
        if (report === undefined) continue;
        touch.rules.add(report.key);
        if (isRejected(report)) continue;
        for (const {
          export: { path },
        } of report.dependencies) {
          this.#noteUnknown(path);
          for (const cluster of this.workspaces.clustersOf(path) ?? []) touch.guarded.add(cluster);
        }
      }
    }
  }

  #guardsChanged(changes: readonly ViewChange<Guard>[], touch: Touch): void {
    for (const { before, after } of changes) {
      const cluster = (after ?? before)?.cluster;
      if (cluster !== undefined) this.#touchGuarded(cluster, touch);
    }
  }

  #bind(endpoint: string, cluster: LogicalClusterName, path: WorkspacePath | undefined, touch: Touch): void {
    if (path !== undefined) this.#gone.delete(cluster);
    const before = this.workspaces.boundAt(endpoint).get(cluster);
    const paths = [before, path].filter((candidate) => candidate !== undefined);
    this.#pathsChanged(paths, touch, () => this.workspaces.setBound(endpoint, cluster, path));
  }

  #pathsChanged(paths: readonly WorkspacePath[], touch: Touch, change: () => boolean): void {
    const before = paths.flatMap((path) => this.workspaces.clustersOf(path) ?? []);
    if (!change()) return;
    const after = paths.flatMap((path) => this.workspaces.clustersOf(path) ?? []);
    for (const cluster of [...before, ...after]) touch.guarded.add(cluster);
    for (const path of paths) {
      this.#noteUnknown(path);
      for (const { rule } of this.index.ofPath(path)) touch.rules.add(rule.key);
    }
    for (const guard of this.guards.view.values()) if (this.#consentDependsOn(guard, paths)) this.#touchGuarded(guard.cluster, touch);
  }

  /** Whether what a guard admits may change with these paths: it names one, or a path that any workspace may turn out to have. */
  #consentDependsOn({ allowRulesFrom }: Guard, paths: readonly WorkspacePath[]): boolean {
    if (allowRulesFrom === 'everyone') return false;
    return allowRulesFrom.some((path) => paths.includes(path) || this.workspaces.clustersOf(path) === undefined);
  }

  #touchGuarded(cluster: LogicalClusterName, touch: Touch): void {
    touch.guarded.add(cluster);
    for (const path of this.workspaces.pathsOf(cluster)) for (const { rule } of this.index.ofPath(path)) touch.rules.add(rule.key);
  }

  #noteUnknown(path: WorkspacePath): void {
    if (this.index.ofPath(path).size > 0 && this.workspaces.clustersOf(path) === undefined) this.unknownPaths.add(path);
    else this.unknownPaths.delete(path);
  }

  #sources(): readonly string[] {
    return (['listed', 'syncing', 'withdrawn'] as const).flatMap((state) => this.endpoints.in(state));
  }
}
