// The write side of the registry: the objects of all endpoints, merged and indexed. Absence alone removes nothing. `version` grows with every write, so that
// a reader knows when a kept answer is old.

import { printGroupResource, type GroupResource, type LogicalClusterName, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { admission, type Admits } from '../guarding/consent.js';
import { EndpointStates } from '../guarding/endpoint-states.js';
import type { Guard, GuardRuleRef } from '../rules/guard.js';
import type { EndpointList } from '../guarding/knowledge.js';
import { MatchIndex } from './match-index.js';
import { MergedObjects, type Versioned, type ViewChange } from '../rules/merged-objects.js';
import { NamedRules } from './named-rules.js';
import type { RegistryWriter, Touched } from './registry-writer.js';
import { Relation } from './relation.js';
import type { RuleKey, RuleMatch } from '../rules/rule.js';
import { RuleQuota } from './rule-quota.js';
import { ruleInForce, type RuleReport } from '../parsing/rule-report.js';
import { Touch } from './touch.js';
import { WorkspaceMap, type PathResolution } from '../guarding/workspace-map.js';

interface KnownAdmission {
  readonly guard: Guard | undefined;
  readonly pathsVersion: number;
  readonly admits: Admits;
}

/** The state behind reader and writer. */
export class RegistryState implements RegistryWriter {
  readonly rules = new MergedObjects<RuleKey, RuleReport>(hasSameSpec);
  readonly guards = new MergedObjects<LogicalClusterName, Guard>(() => false);
  readonly workspaces = new WorkspaceMap();
  readonly endpoints = new EndpointStates();
  readonly quota = new RuleQuota();
  readonly index = new MatchIndex();
  /** Paths that rules or guards name and nobody could resolve yet. */
  readonly unknownPaths = new Set<WorkspacePath>();
  readonly named = new NamedRules();
  readonly #guardsConsenting = new Relation<WorkspacePath, LogicalClusterName>();
  readonly #admissions = new Map<LogicalClusterName, KnownAdmission>();
  readonly #gone = new Set<LogicalClusterName>();
  /** By author the guarded workspaces at which it is proven gone. */
  readonly #goneAt = new Map<LogicalClusterName, Set<LogicalClusterName>>();
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

  workspacesListed(endpoint: string, clusters: readonly LogicalClusterName[]): Touched {
    return this.#writeList(endpoint, 'workspaces', (touch) => {
      const shown = new Set(clusters);
      for (const cluster of new Set([...this.workspaces.boundAt(endpoint), ...shown])) {
        this.#bind(endpoint, cluster, shown.has(cluster), touch);
      }
    });
  }

  workspaceApplied(endpoint: string, cluster: LogicalClusterName): Touched {
    return this.#writeEvent(endpoint, (touch) => {
      this.#bind(endpoint, cluster, true, touch);
      this.#releaseWithdrawn(touch);
    });
  }

  workspaceRemoved(endpoint: string, cluster: LogicalClusterName): Touched {
    return this.#write((touch) => this.#bind(endpoint, cluster, false, touch));
  }

  pathResolved(path: WorkspacePath, resolution: PathResolution): Touched {
    return this.#write((touch) => {
      touch.clusterOf(path);
      if (!this.workspaces.setResolved(path, resolution)) return;
      this.#noteUnknown(path);
      touch.path(path);
    });
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

  authorGone(guarded: LogicalClusterName, author: LogicalClusterName): Touched {
    return this.#write((touch) => {
      if (this.#isServed(author)) return;
      this.#goneAt.set(author, (this.#goneAt.get(author) ?? new Set<LogicalClusterName>()).add(guarded));
      touch.guardedWorkspace(guarded);
    });
  }

  /** Whom the guard of a workspace admits. Worked out once for each state of the guard and of the paths. */
  admissionAt(cluster: LogicalClusterName): Admits {
    const guard = this.guards.view.get(cluster);
    const known = this.#admissions.get(cluster);
    const pathsVersion = this.workspaces.version;
    if (known?.guard === guard && known?.pathsVersion === pathsVersion) return known.admits;
    const admits = admission(guard, this.workspaces);
    if (guard === undefined) this.#admissions.delete(cluster);
    else this.#admissions.set(cluster, { guard, pathsVersion, admits });
    return admits;
  }

  /** The rules of one author about a type in a workspace: those whose path names it, may name it, or did when its guard was last written. */
  matchesOf(author: LogicalClusterName, where: LogicalClusterName, type: GroupResource): readonly RuleMatch[] {
    const paths = this.index.ofAuthor(author, type);
    const found = new Set<RuleMatch>();
    for (const path of this.workspaces.pathsOf(where)) for (const match of paths.get(path) ?? []) found.add(match);
    if (this.unknownPaths.size > 0) {
      for (const [path, matches] of paths) if (this.unknownPaths.has(path)) for (const match of matches) found.add(match);
    }
    const resource = printGroupResource(type);
    for (const ref of this.named.of(author, where)) {
      if (ref.resource !== resource) continue;
      for (const match of this.index.ofRule(ref.key)) if (printGroupResource(match.dependency) === resource) found.add(match);
    }
    return [...found];
  }

  /** Whether everything that an author wrote about a workspace is known: an endpoint has listed it, or it is proven gone. */
  isSettled(author: LogicalClusterName, where: LogicalClusterName): boolean {
    return this.#isGone(author, where) || this.#isListedAt(author);
  }

  /**
   * Whether a rule that the guard of a workspace names is read, refused, or proven gone. What an endpoint listed is so, whatever the guard says.
   * What is left from an endpoint that did not list counts only if it is no older than what the guard says of it.
   */
  isKnown(ref: GuardRuleRef, where: LogicalClusterName): boolean {
    return this.isSettled(ref.cluster, where) || this.#isShown(ref);
  }

  /** Whether a guard names a rule that is not proven gone, and that nobody has shown, or nobody as it is now: what shows rules may lag. */
  isBehind(ref: GuardRuleRef, where: LogicalClusterName): boolean {
    return !this.#isGone(ref.cluster, where) && !this.#isShown(ref);
  }

  #isGone(author: LogicalClusterName, where: LogicalClusterName): boolean {
    return this.#gone.has(author) || (this.#goneAt.get(author)?.has(where) ?? false);
  }

  #isShown({ key, version }: GuardRuleRef): boolean {
    const rule = this.rules.view.get(key);
    return rule !== undefined && (version === undefined || isSameOrLater(rule, version));
  }

  /** Whether an endpoint that serves the workspace has listed everything: what it did not list is proven absent. */
  #isListedAt(cluster: LogicalClusterName): boolean {
    return this.endpoints.listedNow().some((endpoint) => this.workspaces.boundAt(endpoint).has(cluster));
  }

  /** Whether an endpoint that the export has now shows anything of the workspace, however much of it was listed. */
  #isServed(cluster: LogicalClusterName): boolean {
    return this.endpoints.served().some((endpoint) => this.#clustersAt(endpoint).has(cluster));
  }

  #write(change: (touch: Touch) => void): Touched {
    const touch = new Touch({
      guards: this.guards.view,
      workspaces: this.workspaces,
      index: this.index,
      named: this.named,
      guardsConsenting: this.#guardsConsenting,
    });
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
    return new Set([...ofRules, ...this.guards.of(endpoint).keys(), ...this.workspaces.boundAt(endpoint)]);
  }

  #forget(endpoint: string, cluster: LogicalClusterName, touch: Touch): void {
    const own = [...this.rules.of(endpoint)].filter(([, rule]) => rule.cluster === cluster);
    this.#rulesChanged(
      own.flatMap(([key]) => this.rules.delete(endpoint, key)),
      touch,
    );
    this.#guardsChanged(this.guards.delete(endpoint, cluster), touch);
    this.#bind(endpoint, cluster, false, touch);
  }

  /** Takes all changes in, then weighs the rules of each author once. */
  #rulesChanged(changes: readonly ViewChange<RuleReport>[], touch: Touch): void {
    const authors = new Set<LogicalClusterName>();
    for (const { before, after } of changes) {
      const report = after ?? before;
      if (report === undefined) continue;
      authors.add(report.cluster);
      this.quota.take(report.cluster, report.key, after);
      touch.rule(report.key);
    }
    for (const author of authors) {
      const { left, entered } = this.quota.weigh(author);
      for (const { key } of left) this.index.remove(key);
      for (const report of entered) {
        const rule = ruleInForce(report);
        if (rule !== undefined) this.index.add(rule);
      }
      for (const report of [...left, ...entered]) {
        touch.rule(report.key);
        for (const { export: named } of ruleInForce(report)?.dependencies ?? []) {
          touch.clusterOf(named.path);
          this.#noteUnknown(named.path);
        }
      }
    }
  }

  #guardsChanged(changes: readonly ViewChange<Guard>[], touch: Touch): void {
    for (const { before, after } of changes) {
      const guard = after ?? before;
      if (guard === undefined) continue;
      for (const path of consentedPaths(before)) this.#guardsConsenting.unlink(path, guard.cluster);
      for (const path of consentedPaths(after)) this.#guardsConsenting.link(path, guard.cluster);
      for (const path of [...consentedPaths(before), ...consentedPaths(after)]) this.#noteUnknown(path);
      this.named.set(guard.cluster, after?.ruleRefs ?? []);
      this.#admissions.delete(guard.cluster);
      touch.guardedWorkspace(guard.cluster);
    }
  }

  /** Sets or takes back that an endpoint shows a workspace. What no endpoint shows any more has unbound: its rules are proven gone. */
  #bind(endpoint: string, cluster: LogicalClusterName, isBound: boolean, touch: Touch): void {
    if (isBound) {
      this.#gone.delete(cluster);
      this.#goneAt.delete(cluster);
    }
    if (!this.workspaces.setBound(endpoint, cluster, isBound)) return;
    if (!isBound && !this.workspaces.isBound(cluster)) this.#gone.add(cluster);
    touch.binding(cluster);
  }

  /** One of the workspaces whose rules in force, or whose guard's consent, name the path. */
  authorNaming(path: WorkspacePath): LogicalClusterName | undefined {
    const [match] = this.index.ofPath(path);
    return match?.rule.cluster ?? this.#guardsConsenting.rightsOf(path)[0];
  }

  #noteUnknown(path: WorkspacePath): void {
    if (this.authorNaming(path) !== undefined && this.workspaces.clusterOf(path) === 'unknown') this.unknownPaths.add(path);
    else this.unknownPaths.delete(path);
  }
}

function consentedPaths(guard: Guard | undefined): readonly WorkspacePath[] {
  return guard === undefined || guard.allowRulesFrom === 'everyone' ? [] : guard.allowRulesFrom;
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
