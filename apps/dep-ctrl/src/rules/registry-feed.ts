/*
 * Feeds the registry from the events of endpoints, after the stores took them. The answer names the workspaces and rules to look at again. No I/O.
 */
import { hintedPath, type GroupVersionResource, type KubeObject, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { EndpointEvent, Logger, Observed, ReflectorEvent, VirtualWorkspaceUrl } from '@dep-ctrl/kcp-client';
import {
  GUARDS,
  parseGuard,
  reportRule,
  ruleKeyOf,
  RULES,
  type Guard,
  type RegistryReader,
  type RegistryWriter,
  type RuleReport,
  type Touched,
} from '@dep-ctrl/rule-registry';
import { isBindingOf } from '@dep-ctrl/exported-types';
import { API_BINDINGS } from '@dep-ctrl/kcp-objects';
import { PathHints } from '@dep-ctrl/workspace-resolver';
import type { SeenObjects } from './watched-objects.js';

/** What a `RegistryFeed` needs. */
export interface RegistryFeedDependencies {
  readonly exportName: string;
  readonly writer: RegistryWriter;
  readonly reader: Pick<RegistryReader, 'guard' | 'guardedWorkspaces'>;
  /** The bindings as they are shown now. */
  readonly bindings: Pick<SeenObjects, 'list' | 'at'>;
  readonly hints: PathHints;
  readonly logger?: Logger;
}

/** What becomes of the events of one type. */
interface Intake {
  readonly listed: (endpoint: VirtualWorkspaceUrl, all: readonly Observed[]) => Touched;
  readonly applied: (endpoint: VirtualWorkspaceUrl, observed: Observed) => Touched;
  readonly deleted: (endpoint: VirtualWorkspaceUrl, observed: Observed) => Touched;
}

/** Feeds one registry. Besides the path look-ups, the only caller of its writer. */
export class RegistryFeed {
  readonly #dependencies: RegistryFeedDependencies;
  readonly #intakes: ReadonlyMap<GroupVersionResource, Intake>;

  constructor(dependencies: RegistryFeedDependencies) {
    this.#dependencies = dependencies;
    this.#intakes = new Map([
      [RULES, this.#rules()],
      [GUARDS, this.#guards()],
      [API_BINDINGS, this.#bindings()],
    ]);
  }

  /** Takes in what happens at an endpoint. */
  take(event: EndpointEvent): Touched {
    const { writer, reader, bindings } = this.#dependencies;
    if (event.kind === 'named') return writer.endpointsRead(event.endpoints);
    if (event.kind !== 'observed') return NOBODY;
    const touched = tell(this.#intakes.get(event.type), event.endpoint, event.event);
    if (event.event.kind !== 'replaced') return touched;
    // A whole list is an answer also where it touches nothing: workspaces may have waited for just that, an empty one included.
    const bound = bindings.list().map(({ cluster }) => cluster);
    return { guarded: new Set([...touched.guarded, ...reader.guardedWorkspaces(), ...bound]), rules: touched.rules };
  }

  #rules(): Intake {
    const { writer } = this.#dependencies;
    const reportOf = ({ cluster, object }: Observed): RuleReport => reportRule(cluster, object);
    return {
      listed: (endpoint, all) => writer.rulesListed(endpoint, all.map(reportOf)),
      applied: (endpoint, observed) => writer.ruleApplied(endpoint, reportOf(observed)),
      deleted: (endpoint, observed) => writer.ruleRemoved(endpoint, ruleKeyOf(observed.cluster, nameOf(observed))),
    };
  }

  #guards(): Intake {
    const { writer } = this.#dependencies;
    const parse = (observed: Observed): readonly Guard[] => this.#parseGuard(observed);
    return {
      listed: (endpoint, all) => writer.guardsListed(endpoint, all.flatMap(parse)),
      applied: (endpoint, observed) => parse(observed).map((guard) => writer.guardApplied(endpoint, guard))[0] ?? NOBODY,
      deleted: (endpoint, { cluster }) => writer.guardRemoved(endpoint, cluster),
    };
  }

  #bindings(): Intake {
    const { writer, hints, bindings } = this.#dependencies;
    return {
      listed: (endpoint, all) => {
        hints.forgetEndpoint(endpoint);
        const clusters = all.flatMap((observed) => this.#see(endpoint, observed));
        return writer.workspacesListed(endpoint, clusters);
      },
      applied: (endpoint, observed) =>
        this.#see(endpoint, observed).map((cluster) => writer.workspaceApplied(endpoint, cluster))[0] ?? NOBODY,
      deleted: (endpoint, observed) => {
        const { cluster } = observed;
        hints.forget(endpoint, nameOf(observed), cluster);
        const left = bindings.at(endpoint, cluster).some(({ value }) => this.#isOwn(value));
        return left ? NOBODY : writer.workspaceRemoved(endpoint, cluster);
      },
    };
  }

  /** The workspace of a binding of ours. The path that the binding names is noted as a hint. */
  #see(endpoint: VirtualWorkspaceUrl, observed: Observed): readonly LogicalClusterName[] {
    if (!this.#isOwn(observed.object)) return [];
    const { cluster, object } = observed;
    const path = hintedPath(object);
    if (path !== undefined) this.#dependencies.hints.see(endpoint, nameOf(observed), { cluster, path });
    return [cluster];
  }

  /** A guard whose spec cannot be read keeps the consent that was read before, or admits everyone. What its status names holds all the same. */
  #parseGuard({ cluster, object }: Observed): readonly Guard[] {
    const guard = parseGuard(object);
    if (guard.ok) return [guard.value];
    const problem = guard.problem.map(({ path, message }) => `${path}: ${message}`).join('; ');
    const { logger, reader } = this.#dependencies;
    logger?.warn('guard cannot be read', { cluster, problem });
    const withoutSpec = parseGuard({ ...object, spec: undefined });
    if (!withoutSpec.ok) return [];
    const { allowRulesFrom, ignoredConsents } = reader.guard(cluster) ?? withoutSpec.value;
    return [{ ...withoutSpec.value, allowRulesFrom, ignoredConsents, madeByProvider: true }];
  }

  #isOwn(binding: KubeObject): boolean {
    return isBindingOf(binding, this.#dependencies.exportName);
  }
}

const NOBODY: Touched = { guarded: new Set(), rules: new Set() };

/** A feed of whole lists that were read beside the watches. */
export function feedOfLists(registry: Pick<RegistryFeedDependencies, 'exportName' | 'reader' | 'writer'>): RegistryFeed {
  return new RegistryFeed({ ...registry, bindings: { list: () => [], at: () => [] }, hints: new PathHints() });
}

function tell(intake: Intake | undefined, endpoint: VirtualWorkspaceUrl, event: ReflectorEvent): Touched {
  if (intake === undefined || event.kind === 'undecodable') return NOBODY;
  return event.kind === 'replaced' ? intake.listed(endpoint, event.objects) : intake[event.kind](endpoint, event.object);
}

function nameOf({ object }: Observed): string {
  return object.metadata.name ?? '';
}
