// What the registry knows, and the questions that reader and writer ask of it. Absence alone proves nothing: a rule is known to be gone only if an endpoint
// that serves its workspace has listed without it, or if the workspace is proven gone.

import { printGroupResource, type GroupResource, type LogicalClusterName, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { admission, type Admits } from '../guarding/consent.js';
import { EndpointStates } from '../guarding/endpoint-states.js';
import { GoneWorkspaces } from '../guarding/gone-workspaces.js';
import { WorkspaceMap } from '../guarding/workspace-map.js';
import type { RuleReport } from '../parsing/rule-report.js';
import type { Guard, GuardRuleRef } from '../rules/guard.js';
import { MergedObjects, type Versioned } from '../rules/merged-objects.js';
import type { RuleKey, RuleMatch } from '../rules/rule.js';
import { MatchIndex } from './match-index.js';
import { NamedRules } from './named-rules.js';
import { Relation } from './relation.js';
import { RuleQuota } from './rule-quota.js';

interface KnownAdmission {
  readonly pathsVersion: number;
  readonly admits: Admits;
}

/** The objects of all endpoints, merged and indexed. */
export class RegistryState {
  readonly rules = new MergedObjects<RuleKey, RuleReport>(hasSameSpec);
  readonly guards = new MergedObjects<LogicalClusterName, Guard>(() => false);
  readonly workspaces = new WorkspaceMap();
  readonly endpoints = new EndpointStates();
  readonly quota = new RuleQuota();
  readonly index = new MatchIndex();
  /** Paths that rules or guards name and that are not resolved yet. */
  readonly unknownPaths = new Set<WorkspacePath>();
  readonly named = new NamedRules();
  /** The guards whose consent names a path. */
  readonly guardsConsenting = new Relation<WorkspacePath, LogicalClusterName>();
  readonly gone = new GoneWorkspaces();
  readonly #admissions = new WeakMap<Guard, KnownAdmission>();
  #version = 0;

  /** Differs after every write. */
  get version(): number {
    return this.#version;
  }

  /** A write is done. */
  written(): void {
    this.#version++;
  }

  /** Which rules the guard of a workspace admits. Worked out once for each state of the guard and of the paths. */
  admissionAt(cluster: LogicalClusterName): Admits {
    const guard = this.guards.view.get(cluster);
    if (guard === undefined) return admission(guard, this.workspaces);
    const known = this.#admissions.get(guard);
    const pathsVersion = this.workspaces.version;
    if (known?.pathsVersion === pathsVersion) return known.admits;
    const admits = admission(guard, this.workspaces);
    this.#admissions.set(guard, { pathsVersion, admits });
    return admits;
  }

  /** The rules of these authors about a type in a workspace: those whose path names it, may name it, or did when its guard was last written. */
  matchesOf(authors: ReadonlySet<LogicalClusterName>, where: LogicalClusterName, type: GroupResource): readonly RuleMatch[] {
    const found = new Set<RuleMatch>();
    const byAuthor = this.index.ofType(type);
    const pathsThere = this.workspaces.pathsOf(where);
    for (const author of authors) {
      const paths = byAuthor.get(author);
      if (paths === undefined) continue;
      for (const path of pathsThere) for (const match of paths.get(path) ?? []) found.add(match);
      if (this.unknownPaths.size === 0) continue;
      const mayLeadThere = this.workspaces.mayBeNamed(where);
      for (const [path, matches] of paths) {
        if (this.unknownPaths.has(path) && mayLeadThere(path)) for (const match of matches) found.add(match);
      }
    }
    const resource = printGroupResource(type);
    for (const author of authors) {
      for (const ref of this.named.of(author, where)) {
        if (ref.resource !== resource) continue;
        for (const match of this.index.ofRule(ref.key)) if (printGroupResource(match.dependency) === resource) found.add(match);
      }
    }
    return [...found];
  }

  /** Whether everything that an author wrote about a workspace is known: an endpoint has listed it, or it is proven gone. */
  isSettled(author: LogicalClusterName, where: LogicalClusterName): boolean {
    return this.gone.has(author, where) || this.isListedAt(author);
  }

  /**
   * Whether a rule that the guard of a workspace names is read, refused, or proven gone. What an endpoint listed is so, whatever the guard says.
   * What is left from an endpoint that did not list counts only if it is no older than what the guard says of it.
   */
  isKnown(ref: GuardRuleRef, where: LogicalClusterName): boolean {
    return this.isSettled(ref.cluster, where) || this.#isShown(ref);
  }

  /** Whether a guard names a rule that is not proven gone, and that no endpoint has shown, or none in that version: watches may lag. */
  isBehind(ref: GuardRuleRef, where: LogicalClusterName): boolean {
    return !this.gone.has(ref.cluster, where) && !this.#isShown(ref);
  }

  /** Whether an endpoint that serves the workspace has listed everything: what it did not list is proven absent. */
  isListedAt(cluster: LogicalClusterName): boolean {
    return this.endpoints.listedNow().some((endpoint) => this.workspaces.boundAt(endpoint).has(cluster));
  }

  /** Whether an endpoint that the export has now shows anything of the workspace, however much of it was listed. */
  isServed(cluster: LogicalClusterName): boolean {
    return this.endpoints.served().some((endpoint) => this.clustersAt(endpoint).has(cluster));
  }

  /** The workspaces of which an endpoint has shown anything. */
  clustersAt(endpoint: string): ReadonlySet<LogicalClusterName> {
    const ofRules = [...this.rules.of(endpoint).values()].map((rule) => rule.cluster);
    return new Set([...ofRules, ...this.guards.of(endpoint).keys(), ...this.workspaces.boundAt(endpoint)]);
  }

  /** One of the workspaces whose rules in force, or whose guard's consent, name the path. */
  authorNaming(path: WorkspacePath): LogicalClusterName | undefined {
    const [match] = this.index.ofPath(path);
    return match?.rule.cluster ?? this.guardsConsenting.rightsOf(path)[0];
  }

  /** Notes whether the path is named and not resolved yet. */
  noteUnknown(path: WorkspacePath): void {
    if (this.authorNaming(path) !== undefined && this.workspaces.clusterOf(path) === 'unknown') this.unknownPaths.add(path);
    else this.unknownPaths.delete(path);
  }

  #isShown({ key, version }: GuardRuleRef): boolean {
    const rule = this.rules.view.get(key);
    return rule !== undefined && (version === undefined || isSameOrLater(rule, version));
  }
}

/** Of two objects of one name (two uids) it is not known which came later. */
function isSameOrLater({ uid, generation }: Versioned, than: Versioned): boolean {
  return uid === than.uid && generation >= than.generation;
}

/** Kubernetes counts the changes of a spec; a change of the status alone is none to readers of rules. */
export function hasSameSpec(before: RuleReport, after: RuleReport): boolean {
  return before.uid !== '' && before.generation > 0 && before.uid === after.uid && before.generation === after.generation;
}
