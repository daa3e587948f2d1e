/*
 * Writes the status of guards, in two steps. Before a configuration grows, the status names the rules that the configuration is about to guard. After the
 * configuration is written, the status says the result. A change of the named rules is written at once. A change of the text alone waits where another
 * writer replaces that text again and again.
 */
import { isDeepStrictEqual } from 'node:util';
import { timestamp, type KubeObject, type LogicalClusterName, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { Brake, type Clock, type ClusterClient, type Stoppable } from '@dep-ctrl/kcp-client';
import { GUARDS, parseGuard, type DependencyGuardStatus, type RegistryReader } from '@dep-ctrl/rule-registry';
import type { Resolution } from '@dep-ctrl/workspace-resolver';
import type { DecidedCondition } from '../../own-objects/conditions.js';
import { REPAIRS, type Site } from '../configuration/configuration-writer.js';
import type { Installation } from '../configuration/installation.js';
import { consentRemarks, turnedAwayRemarks, type TurnedAway } from './guard-consent.js';
import { guardStatus, idleStatus, namesTheSame, namingStatus, statusTextOf, type NamedEntries, type StatusText } from './guard-status.js';

/** What a `GuardStatusWriter` needs. */
export interface GuardStatusWriterDependencies {
  readonly registry: Pick<RegistryReader, 'isBound'>;
  /** What a path means; undefined: kcp has not been asked yet. */
  readonly resolutionOf: (path: WorkspacePath) => Resolution | undefined;
  readonly clock: Clock;
}

/** The rules about a guarded workspace, for the status of its guard. */
export interface RulesOfGuard {
  readonly named: NamedEntries;
  /** The rules that the guard does not admit. */
  readonly turnedAway: readonly TurnedAway[];
}

/** The writer of the status of all guards. */
export class GuardStatusWriter {
  readonly #dependencies: GuardStatusWriterDependencies;
  readonly #texts: Brake<LogicalClusterName, StatusText>;

  constructor(dependencies: GuardStatusWriterDependencies) {
    this.#dependencies = dependencies;
    this.#texts = new Brake(dependencies.clock, REPAIRS);
  }

  /** Whether the guard has yet to name a rule that the configuration is about to guard. */
  isNamingDue(guard: KubeObject, rules: RulesOfGuard): boolean {
    return this.#namingStatus(guard, rules) !== undefined;
  }

  /** Names the rules that the configuration is about to guard, before it is written. Returns the guard as it is then. */
  async nameFirst({ client }: Site, guard: KubeObject, rules: RulesOfGuard, { signal }: Stoppable): Promise<KubeObject> {
    const status = this.#namingStatus(guard, rules);
    return status === undefined ? guard : writeStatus(client, guard, status, signal);
  }

  /** Writes how far the configuration came. `soon`: another writer replaces this text again and again; the caller tries again later. */
  write(
    site: Site,
    guard: KubeObject,
    { named, turnedAway, installation }: RulesOfGuard & { readonly installation: Installation },
    { signal }: Stoppable,
  ): Promise<'soon' | 'when-told'> {
    return this.#write(site, guard, guardStatus(guard, named, installation, this.#now(), this.#remarks(guard, turnedAway)), signal);
  }

  /** Writes that no rule guards the workspace. */
  writeIdle(
    site: Site,
    guard: KubeObject,
    { turnedAway }: Pick<RulesOfGuard, 'turnedAway'>,
    { signal }: Stoppable,
  ): Promise<'soon' | 'when-told'> {
    return this.#write(site, guard, idleStatus(guard, this.#now(), this.#remarks(guard, turnedAway)), signal);
  }

  /** There is no guard any more. */
  forget(cluster: LogicalClusterName): void {
    this.#texts.forget(cluster);
  }

  #namingStatus(guard: KubeObject, { named, turnedAway }: RulesOfGuard): DependencyGuardStatus | undefined {
    return namingStatus(guard, named, this.#now(), this.#remarks(guard, turnedAway));
  }

  async #write(
    { client, cluster }: Site,
    guard: KubeObject,
    status: DependencyGuardStatus,
    signal: AbortSignal,
  ): Promise<'soon' | 'when-told'> {
    const text = statusTextOf(guard, status);
    if (hasStatus(guard, status)) return 'when-told';
    if (namesTheSame(guard, status) && this.#texts.waitMs(cluster, text) > 0) return 'soon';
    // The schema of an older version prunes fields that it does not know: then no other writer replaces the text.
    if (hasStatus(await writeStatus(client, guard, status, signal), status)) this.#texts.did(cluster, text);
    return 'when-told';
  }

  #remarks(object: KubeObject, turnedAway: readonly TurnedAway[]): readonly DecidedCondition[] {
    const { registry, resolutionOf } = this.#dependencies;
    const parsed = parseGuard(object);
    const guard = parsed.ok ? parsed.value : undefined;
    const resolved = consentRemarks(object, guard, (path) => {
      const resolution = resolutionOf(path);
      return resolution === undefined ? undefined : resolution.state === 'found' && registry.isBound(resolution.cluster);
    });
    return [...resolved, ...turnedAwayRemarks(turnedAway)];
  }

  #now(): string {
    return timestamp(this.#dependencies.clock.now());
  }
}

/** Writes a status that differs, with the resourceVersion of the guard, and returns the guard as it is then. */
async function writeStatus(
  client: ClusterClient,
  guard: KubeObject,
  status: DependencyGuardStatus,
  signal: AbortSignal,
): Promise<KubeObject> {
  return hasStatus(guard, status) ? guard : client.replaceStatus(GUARDS, { ...guard, status }, { signal });
}

function hasStatus(guard: KubeObject, status: DependencyGuardStatus): boolean {
  return isDeepStrictEqual(guard['status'], status);
}
