// Reads facts about a rule that is written: the schema of its dependent, whether its targets bind dep-ctrl, circles of types. Bounded in time, in number
// and per author. Facts that cannot be read in time are left out; they never delay or refuse a write.
import { isKcpError, type Clock, type Stoppable } from '@dep-ctrl/kcp-client';
import type { LogicalClusterName, WorkspacePath } from '@dep-ctrl/kcp-names';
import type { RegistryReader, Rule, RuleDependency } from '@dep-ctrl/rule-registry';
import type { WorkspaceResolver } from '@dep-ctrl/workspace-resolver';
import { type ExportReader, verifySchema } from '@dep-ctrl/exported-types';
import { ReadingTurns } from '@dep-ctrl/fair-shares';
import { closingTargets } from './closed-cycles.js';
import { NOTHING_READ, type RuleReadings, type TargetReading } from './rule-readings.js';

/** What a `RuleReader` needs. */
export interface RuleReaderDependencies {
  readonly registry: Pick<RegistryReader, 'naming' | 'paths' | 'completeness' | 'isBound' | 'isAdmitted'>;
  readonly resolver: Pick<WorkspaceResolver, 'resolve'>;
  /** Makes a reader for one type: nothing of what it read is kept. */
  readonly exports: () => Pick<ExportReader, 'find'>;
  readonly clock: Clock;
}

/** A write waits for readings this long at most. */
const READING_MS = 3_000;
// What passes by itself. A schema that could not be verified does not: applied again, the rule is answered the same.
const AGAIN = 'apply it again later';
const TOO_SLOW = `kcp took more than ${String(READING_MS / 1_000)} s to show what it names; ${AGAIN}`;
const NO_TURN = `other rules are being checked; ${AGAIN}`;
const NOT_LOOKED_UP = `not every workspace that it names could be looked up; ${AGAIN}`;
// Each is a request or two, one after the other.
const MOST_WORKSPACES = 8;
const MOST_SCHEMAS = 4;
// A schema of a megabyte takes ten times that while it is looked at.
const TURNS = { most: 4, mostOfOne: 1 };

interface Partly {
  dependent?: NonNullable<RuleReadings['dependent']>;
  cutShort?: string;
  readonly targets: Map<number, TargetReading>;
}

/** Reads facts about rules. */
export class RuleReader {
  readonly #dependencies: RuleReaderDependencies;
  readonly #turns = new ReadingTurns(TURNS);

  constructor(dependencies: RuleReaderDependencies) {
    this.#dependencies = dependencies;
  }

  /** The facts that could be read in time. Never rejects. */
  async read(rule: Rule, { signal }: Stoppable): Promise<RuleReadings> {
    const giveBack = this.#turns.take(rule.cluster);
    if (giveBack === undefined) return { ...NOTHING_READ, cutShort: NO_TURN };
    const partly: Partly = { targets: new Map() };
    const ended = await this.#inTime((each) => this.#readAll(rule, partly, each).finally(giveBack), signal);
    return { ...partly, targets: new Map(partly.targets), ...(ended === 'too-slow' && { cutShort: TOO_SLOW }) };
  }

  /** Those of the paths of a guard at which no workspace binds dep-ctrl, of the first few, as far as that can be told in time. Never rejects. */
  async unboundAmong(
    paths: readonly WorkspacePath[],
    cluster: LogicalClusterName,
    { signal }: Stoppable,
  ): Promise<readonly WorkspacePath[]> {
    const giveBack = this.#turns.take(cluster);
    if (giveBack === undefined) return [];
    const unbound: WorkspacePath[] = [];
    const look = async (each: AbortSignal): Promise<void> => {
      for (const path of [...new Set(paths)].slice(0, MOST_WORKSPACES)) {
        if ((await this.#lookAt(path, each)).isBound === false) unbound.push(path);
      }
    };
    await this.#inTime((each) => look(each).catch(unlessStopped(each)).finally(giveBack), signal);
    return [...unbound];
  }

  async #inTime(read: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<'read' | 'too-slow' | 'stopped'> {
    const stop = new AbortController();
    const reading = read(AbortSignal.any([signal, stop.signal]));
    const timer = new AbortController();
    const over = this.#dependencies.clock.sleep(READING_MS, { signal: timer.signal }).then(
      () => 'too-slow' as const,
      () => 'stopped' as const,
    );
    const ended = await Promise.race([reading.then(() => 'read' as const), over]);
    timer.abort();
    stop.abort();
    return ended;
  }

  /** Never rejects: what fails ends the rest, as a reader that is aborted does. */
  async #readAll(rule: Rule, partly: Partly, signal: AbortSignal): Promise<void> {
    for (const index of closingTargets(rule, this.#dependencies.registry)) note(partly, index, { closesCycle: true });
    try {
      await this.#readDependent(rule, partly, signal);
      const clusters = await this.#readPaths(rule, partly, signal);
      await this.#readTargets(rule, partly, { clusters, signal });
    } catch (error) {
      unlessStopped(signal)(error);
    }
  }

  async #readDependent(
    { cluster, dependent: { exportName, group, version, kind, resource } }: Rule,
    partly: Partly,
    signal: AbortSignal,
  ): Promise<void> {
    const type = { cluster, exportName, workspace: 'this workspace', isOwn: true, group, version, kind, resource };
    const found = await this.#dependencies.exports().find(type, { signal });
    if (signal.aborted) return;
    if (found.state === 'not-verified') partly.cutShort = found.problem;
    else partly.dependent = found;
  }

  /** The clusters of the targets that bind dep-ctrl. The other targets are noted as not bound once all bindings are known. */
  async #readPaths({ dependencies }: Rule, partly: Partly, signal: AbortSignal): Promise<ReadonlyMap<WorkspacePath, LogicalClusterName>> {
    const clusters = new Map<WorkspacePath, LogicalClusterName>();
    const paths = [...new Set(dependencies.map(({ export: { path } }) => path))].slice(0, MOST_WORKSPACES);
    for (const path of paths) {
      const { cluster, isBound } = await this.#lookAt(path, signal);
      if (cluster !== undefined) clusters.set(path, cluster);
      if (isBound === undefined) {
        partly.cutShort ??= NOT_LOOKED_UP;
        continue;
      }
      for (const { index, export: target } of dependencies) if (target.path === path) note(partly, index, { isBound });
    }
    return clusters;
  }

  /** The workspace at a path, if it binds dep-ctrl; `isBound` undefined: that cannot be told now. */
  async #lookAt(path: WorkspacePath, signal: AbortSignal): Promise<{ readonly cluster?: LogicalClusterName; readonly isBound?: boolean }> {
    const { registry, resolver } = this.#dependencies;
    const resolution = await resolver.resolve(path, { signal });
    if (resolution.state === 'found' && registry.isBound(resolution.cluster)) return { cluster: resolution.cluster, isBound: true };
    return resolution.state !== 'unreachable' && registry.completeness().state === 'known' ? { isBound: false } : {};
  }

  /**
   * Only in the exports of providers that bind dep-ctrl and admit the author: the status of the rule will say the same. The scope first, for which a rule is
   * refused.
   */
  async #readTargets(
    rule: Rule,
    partly: Partly,
    { clusters, signal }: { readonly clusters: ReadonlyMap<WorkspacePath, LogicalClusterName>; readonly signal: AbortSignal },
  ): Promise<void> {
    const { registry } = this.#dependencies;
    const inOrder = rule.dependencies.toSorted((a, b) => Number(a.namespacePath === undefined) - Number(b.namespacePath === undefined));
    const read = new Map<string, TypeReading>();
    for (const dependency of inOrder) {
      const cluster = clusters.get(dependency.export.path);
      if (cluster === undefined || !registry.isAdmitted(cluster, rule)) continue;
      const key = typeOf(dependency);
      if (!read.has(key) && read.size === MOST_SCHEMAS) continue;
      const { isClusterScoped, wrong } = read.get(key) ?? (await this.#readType(cluster, dependency, signal));
      read.set(key, { isClusterScoped, wrong });
      if (isClusterScoped !== undefined && dependency.namespacePath !== undefined) note(partly, dependency.index, { isClusterScoped });
      if (wrong !== undefined) note(partly, dependency.index, { wrong });
    }
  }

  async #readType(
    cluster: LogicalClusterName,
    { export: { path, name: exportName }, group, version, resource }: RuleDependency,
    signal: AbortSignal,
  ): Promise<TypeReading> {
    const type = { cluster, exportName, workspace: `workspace "${path}"`, isOwn: false, group, version, resource };
    const found = await this.#dependencies.exports().find(type, { signal });
    if (found.state === 'not-exported') return { isClusterScoped: undefined, wrong: { reason: found.reason, message: found.message } };
    const verification = found.state === 'found' ? verifySchema(found.schema, type, []) : undefined;
    if (verification?.state === 'wrong')
      return { isClusterScoped: undefined, wrong: { reason: verification.reason, message: verification.message } };
    return { isClusterScoped: verification?.state === 'verified' ? verification.isClusterScoped === true : undefined, wrong: undefined };
  }
}

interface TypeReading {
  readonly isClusterScoped: boolean | undefined;
  readonly wrong: TargetReading['wrong'] | undefined;
}

function typeOf({ export: { path, name }, group, version, resource }: RuleDependency): string {
  return `${path}\n${name}\n${group}\n${version}\n${resource}`;
}

function note({ targets }: Partly, index: number, reading: TargetReading): void {
  targets.set(index, { ...targets.get(index), ...reading });
}

/** Takes what kcp answers, and what comes after the end of the time, for the end of the reading. */
function unlessStopped(signal: AbortSignal): (error: unknown) => void {
  return (error) => {
    if (!signal.aborted && !isKcpError(error)) throw error;
  };
}
