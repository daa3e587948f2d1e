// The write side of the registry: takes what the endpoints deliver into the state, and says what each write may have changed for others. What an endpoint
// that is withdrawn delivered stays until another endpoint has listed the same workspaces.

import type { LogicalClusterName, WorkspacePath } from '@dep-ctrl/kcp-names';
import type { EndpointList } from '../guarding/knowledge.js';
import type { PathResolution } from '../guarding/workspace-map.js';
import { ruleInForce, type RuleReport } from '../parsing/rule-report.js';
import type { Guard } from '../rules/guard.js';
import type { ViewChange } from '../rules/merged-objects.js';
import type { RuleKey } from '../rules/rule.js';
import { hasSameSpec, type RegistryState } from './registry-state.js';
import type { RegistryWriter, Touched } from './registry-writer.js';
import { Touch } from './touch.js';

/** The only writer of a state. */
export class StateWriter implements RegistryWriter {
  readonly #state: RegistryState;

  constructor(state: RegistryState) {
    this.#state = state;
  }

  endpointsRead(endpoints: readonly string[]): Touched {
    return this.#write((touch) => {
      this.#state.endpoints.read(endpoints);
      this.#releaseWithdrawn(touch);
      touch.everyGuard();
    });
  }

  rulesListed(endpoint: string, rules: readonly RuleReport[]): Touched {
    return this.#writeList(endpoint, 'rules', (touch) => {
      this.#rulesChanged(this.#state.rules.replace(endpoint, new Map(rules.map((rule) => [rule.key, rule])), isSameText), touch);
    });
  }

  ruleApplied(endpoint: string, rule: RuleReport): Touched {
    return this.#writeEvent(endpoint, (touch) => {
      this.#rulesChanged(this.#state.rules.set(endpoint, rule.key, rule), touch);
    });
  }

  ruleRemoved(endpoint: string, key: RuleKey): Touched {
    return this.#write((touch) => this.#rulesChanged(this.#state.rules.delete(endpoint, key), touch));
  }

  guardsListed(endpoint: string, guards: readonly Guard[]): Touched {
    return this.#writeList(endpoint, 'guards', (touch) => {
      this.#guardsChanged(this.#state.guards.replace(endpoint, new Map(guards.map((guard) => [guard.cluster, guard]))), touch);
    });
  }

  guardApplied(endpoint: string, guard: Guard): Touched {
    return this.#writeEvent(endpoint, (touch) => {
      this.#guardsChanged(this.#state.guards.set(endpoint, guard.cluster, guard), touch);
    });
  }

  guardRemoved(endpoint: string, cluster: LogicalClusterName): Touched {
    return this.#write((touch) => this.#guardsChanged(this.#state.guards.delete(endpoint, cluster), touch));
  }

  workspacesListed(endpoint: string, clusters: readonly LogicalClusterName[]): Touched {
    return this.#writeList(endpoint, 'workspaces', (touch) => {
      const shown = new Set(clusters);
      for (const cluster of new Set([...this.#state.workspaces.boundAt(endpoint), ...shown])) {
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
      if (!this.#state.workspaces.setResolved(path, resolution)) return;
      this.#state.noteUnknown(path);
      touch.path(path);
    });
  }

  workspaceGone(cluster: LogicalClusterName): Touched {
    return this.#write((touch) => {
      if (this.#state.isServed(cluster)) return;
      this.#state.gone.add(cluster);
      for (const endpoint of this.#state.endpoints.in('withdrawn')) this.#forget(endpoint, cluster, touch);
      this.#releaseWithdrawn(touch);
      touch.everyGuard();
    });
  }

  authorGone(guarded: LogicalClusterName, author: LogicalClusterName): Touched {
    return this.#write((touch) => {
      if (this.#state.isServed(author)) return;
      this.#state.gone.addAt(guarded, author);
      touch.guardedWorkspace(guarded);
    });
  }

  #write(change: (touch: Touch) => void): Touched {
    const { guards, workspaces, index, named, guardsConsenting } = this.#state;
    const touch = new Touch({ guards: guards.view, workspaces, index, named, guardsConsenting });
    change(touch);
    this.#state.written();
    return touch;
  }

  #writeEvent(endpoint: string, change: (touch: Touch) => void): Touched {
    return this.#write((touch) => {
      if (this.#state.endpoints.seen(endpoint)) touch.everyGuard();
      change(touch);
    });
  }

  #writeList(endpoint: string, list: EndpointList, change: (touch: Touch) => void): Touched {
    return this.#write((touch) => {
      const isFirst = this.#state.endpoints.listed(endpoint, list);
      change(touch);
      this.#releaseWithdrawn(touch);
      if (isFirst) touch.everyGuard();
    });
  }

  /** Lets go of what withdrawn endpoints delivered, as far as others have listed the same workspaces. */
  #releaseWithdrawn(touch: Touch): void {
    for (const endpoint of this.#state.endpoints.in('withdrawn')) {
      for (const cluster of this.#state.clustersAt(endpoint)) if (this.#state.isListedAt(cluster)) this.#forget(endpoint, cluster, touch);
      if (this.#state.clustersAt(endpoint).size === 0) this.#state.endpoints.forget(endpoint);
    }
  }

  #forget(endpoint: string, cluster: LogicalClusterName, touch: Touch): void {
    const own = [...this.#state.rules.of(endpoint)].filter(([, rule]) => rule.cluster === cluster);
    this.#rulesChanged(
      own.flatMap(([key]) => this.#state.rules.delete(endpoint, key)),
      touch,
    );
    this.#guardsChanged(this.#state.guards.delete(endpoint, cluster), touch);
    this.#bind(endpoint, cluster, false, touch);
  }

  /** Takes all changes in, then weighs the rules of each author once. */
  #rulesChanged(changes: readonly ViewChange<RuleReport>[], touch: Touch): void {
    const authors = new Set<LogicalClusterName>();
    for (const { before, after } of changes) {
      const report = after ?? before;
      if (report === undefined) continue;
      authors.add(report.cluster);
      this.#state.quota.take(report.cluster, report.key, after);
      touch.rule(report.key);
    }
    for (const author of authors) {
      const { left, entered } = this.#state.quota.weigh(author);
      for (const { key } of left) this.#state.index.remove(key);
      for (const report of entered) {
        const rule = ruleInForce(report);
        if (rule !== undefined) this.#state.index.add(rule);
      }
      for (const report of [...left, ...entered]) {
        touch.rule(report.key);
        for (const { export: named } of ruleInForce(report)?.dependencies ?? []) {
          touch.clusterOf(named.path);
          this.#state.noteUnknown(named.path);
        }
      }
    }
  }

  #guardsChanged(changes: readonly ViewChange<Guard>[], touch: Touch): void {
    for (const { before, after } of changes) {
      const guard = after ?? before;
      if (guard === undefined) continue;
      for (const path of consentedPaths(before)) this.#state.guardsConsenting.unlink(path, guard.cluster);
      for (const path of consentedPaths(after)) this.#state.guardsConsenting.link(path, guard.cluster);
      for (const path of [...consentedPaths(before), ...consentedPaths(after)]) this.#state.noteUnknown(path);
      this.#state.named.set(guard.cluster, after?.ruleRefs ?? []);
      touch.guardedWorkspace(guard.cluster);
    }
  }

  /** Sets or takes back that an endpoint shows a workspace. What no endpoint shows any more has unbound: its rules are proven gone. */
  #bind(endpoint: string, cluster: LogicalClusterName, isBound: boolean, touch: Touch): void {
    if (isBound) this.#state.gone.delete(cluster);
    if (!this.#state.workspaces.setBound(endpoint, cluster, isBound)) return;
    if (!isBound && !this.#state.workspaces.isBound(cluster)) this.#state.gone.add(cluster);
    touch.binding(cluster);
  }
}

function consentedPaths(guard: Guard | undefined): readonly WorkspacePath[] {
  return guard === undefined || guard.allowRulesFrom === 'everyone' ? [] : guard.allowRulesFrom;
}

/** Where kcp's storage was set back, the same generation may come again and say something else. Then there is a new list. */
function isSameText(before: RuleReport, after: RuleReport): boolean {
  return hasSameSpec(before, after) && JSON.stringify(before) === JSON.stringify(after);
}
