/*
 * Feeds the registry from the events of endpoints. Each event is also stored raw, because writes need status and resourceVersion. The answer names the
 * workspaces and rules to look at again. No I/O.
 */
import { hintedPath, type KubeObject, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import { silentLogger, type Logger, type Observed, type ReflectorEvent, type VirtualWorkspaceUrl } from '@dep-ctrl/kcp-client';
import { parseGuard, reportRule, ruleKeyOf, type Guard, type RegistryWriter, type RuleKey, type Touched } from '@dep-ctrl/rule-registry';
import { isBindingOf } from '@dep-ctrl/exported-types';
import type { PathHints } from '@dep-ctrl/workspace-resolver';
import type { SeenKind, SeenObjects } from './seen-objects.js';

/** The workspaces and rules to look at again after a change. */
export interface SourceChange {
  /** Workspaces whose configuration or guard may change. */
  readonly workspaces: ReadonlySet<LogicalClusterName>;
  /** Rules whose status may change. */
  readonly rules: ReadonlySet<RuleKey>;
}

/** What a `RegistryFeed` needs. */
export interface RegistryFeedDependencies {
  readonly exportName: string;
  readonly registry: RegistryWriter;
  readonly seen: SeenObjects;
  readonly hints: PathHints;
  readonly logger?: Logger;
}

/** Feeds one registry. Besides the path look-ups, the only caller of its writer. */
export class RegistryFeed {
  readonly #dependencies: RegistryFeedDependencies;
  readonly #logger: Logger;

  constructor(dependencies: RegistryFeedDependencies) {
    this.#dependencies = dependencies;
    this.#logger = dependencies.logger ?? silentLogger;
  }

  /** Takes in an event of one watch of one endpoint. */
  take(endpoint: VirtualWorkspaceUrl, kind: SeenKind, event: ReflectorEvent): SourceChange {
    const { seen } = this.#dependencies;
    if (event.kind === 'undecodable') this.#logger.warn('object cannot be read', { endpoint, kind, problem: event.problem });
    const touched = seen.apply(endpoint, kind, event);
    const registry = event.kind === 'undecodable' ? NOBODY : this.#tell(endpoint, kind, event);
    const rules = touched.filter((object) => object.kind === 'rules').map(({ cluster, name }) => ruleKeyOf(cluster, name));
    const workspaces = touched.filter((object) => object.kind !== 'rules').map(({ cluster }) => cluster);
    return { workspaces: new Set([...registry.guarded, ...workspaces]), rules: new Set([...registry.rules, ...rules]) };
  }

  #tell(endpoint: VirtualWorkspaceUrl, kind: SeenKind, event: DecodedEvent): Touched {
    switch (kind) {
      case 'rules':
        return this.#tellRules(endpoint, event);
      case 'guards':
        return this.#tellGuards(endpoint, event);
      case 'bindings':
        return this.#tellBindings(endpoint, event);
      case 'configurations':
        return NOBODY;
      default:
        return kind satisfies never;
    }
  }

  #tellRules(endpoint: VirtualWorkspaceUrl, event: DecodedEvent): Touched {
    const { registry } = this.#dependencies;
    switch (event.kind) {
      case 'replaced':
        return registry.rulesListed(
          endpoint,
          event.objects.map(({ cluster, object }) => reportRule(cluster, object)),
        );
      case 'applied':
        return registry.ruleApplied(endpoint, reportRule(event.object.cluster, event.object.object));
      case 'deleted':
        return registry.ruleRemoved(endpoint, ruleKeyOf(event.object.cluster, nameOf(event.object)));
      default:
        return event satisfies never;
    }
  }

  #tellGuards(endpoint: VirtualWorkspaceUrl, event: DecodedEvent): Touched {
    const { registry } = this.#dependencies;
    switch (event.kind) {
      case 'replaced':
        return registry.guardsListed(
          endpoint,
          event.objects.flatMap((observed) => this.#guard(observed)),
        );
      case 'applied': {
        const [guard] = this.#guard(event.object);
        return guard === undefined ? NOBODY : registry.guardApplied(endpoint, guard);
      }
      case 'deleted':
        return registry.guardRemoved(endpoint, event.object.cluster);
      default:
        return event satisfies never;
    }
  }

  #tellBindings(endpoint: VirtualWorkspaceUrl, event: DecodedEvent): Touched {
    const { registry, seen } = this.#dependencies;
    switch (event.kind) {
      case 'replaced':
        this.#dependencies.hints.forgetEndpoint(endpoint);
        return registry.workspacesListed(
          endpoint,
          event.objects.flatMap((observed) => this.#see(endpoint, observed)),
        );
      case 'applied': {
        const [cluster] = this.#see(endpoint, event.object);
        return cluster === undefined ? NOBODY : registry.workspaceApplied(endpoint, cluster);
      }
      case 'deleted': {
        const { cluster } = event.object;
        this.#dependencies.hints.forget(endpoint, nameOf(event.object), cluster);
        const left = seen.inCluster('bindings', cluster).some((other) => other.endpoint === endpoint && this.#isOwn(other.object));
        return left ? NOBODY : registry.workspaceRemoved(endpoint, cluster);
      }
      default:
        return event satisfies never;
    }
  }

  /** The workspace of a binding of ours. The path that the binding names is noted as a hint. */
  #see(endpoint: VirtualWorkspaceUrl, observed: Observed): readonly LogicalClusterName[] {
    if (!this.#isOwn(observed.object)) return [];
    const { cluster, object } = observed;
    const path = hintedPath(object);
    if (path !== undefined) this.#dependencies.hints.see(endpoint, nameOf(observed), { cluster, path });
    return [cluster];
  }

  #guard({ cluster, object }: Observed): readonly Guard[] {
    const guard = parseGuard(object);
    if (guard.ok) return [guard.value];
    this.#logger.warn('guard cannot be read', {
      cluster,
      problem: guard.problem.map(({ path, message }) => `${path}: ${message}`).join('; '),
    });
    return [];
  }

  #isOwn(binding: KubeObject): boolean {
    return isBindingOf(binding, this.#dependencies.exportName);
  }
}

type DecodedEvent = Exclude<ReflectorEvent, { readonly kind: 'undecodable' }>;

const NOBODY: Touched = { guarded: new Set(), rules: new Set() };

function nameOf({ object }: Observed): string {
  return object.metadata.name ?? '';
}
