/*
 * Looks up the workspace paths that rules and guards name and no endpoint shows, and tells the registry. Answers are asked for again
 * while they are needed: a workspace that is made again under its path is noticed. An answer that cannot be renewed is given up after
 * a while; a path that nobody can tell counts for every workspace in the webhook, and changes nothing in a configuration.
 */
import { nameOfPath, type WorkspacePath } from '@dep-ctrl/kcp-names';
import type { Clock } from '@dep-ctrl/kcp-client';
import type { PathResolution, RegistryReader, RegistryWriter, RuleKey, Touched } from '@dep-ctrl/rule-registry';
import type { Resolution, WorkspaceResolver } from '@dep-ctrl/workspace-resolver';
import type { LivePaths } from './live-paths.js';

/** What `PathLookups` needs. */
export interface PathLookupsDependencies {
  readonly reader: RegistryReader;
  readonly writer: RegistryWriter;
  readonly livePaths: LivePaths;
  readonly resolver: Pick<WorkspaceResolver, 'resolve'>;
  readonly clock: Clock;
  /** Told what an answer may have changed. */
  readonly onChange: (touched: Touched) => void;
}

interface Answer {
  readonly resolution: Resolution;
  /** When kcp last gave a definite answer. */
  readonly definiteAtMs: number | undefined;
  readonly askedAtMs: number;
  /** Look-ups in a row that said nothing definite. */
  readonly failures: number;
}

/** How often answers are asked for again; the resolver hands out nothing older than that either. */
const RENEW_MS = 30_000;
/** How soon a look-up that failed is tried again at first. */
const RETRY_MS = 1_000;
/** How long an answer counts that cannot be renewed. */
const KEEP_MS = 5 * 60_000;
/** A rule may name thousands of paths. Reviews read over the same connections, ten of them, and must not queue behind that. */
const AT_A_TIME = 4;

/** The look-ups of one process. */
export class PathLookups {
  readonly #dependencies: PathLookupsDependencies;
  readonly #answers = new Map<WorkspacePath, Answer>();
  #wake: () => void = () => undefined;
  #hasNews = false;

  constructor(dependencies: PathLookupsDependencies) {
    this.#dependencies = dependencies;
  }

  /** What is known about a path: what endpoints show, else the last answer. */
  resolutionOf(path: WorkspacePath): Resolution | undefined {
    // A path of one segment is a cluster's name: nobody looks it up, and nobody could.
    const named = nameOfPath(path);
    if (named !== undefined) return { state: 'found', cluster: named, from: 'name', terminating: false };
    const cluster = this.#dependencies.livePaths.clusterOf(path);
    if (cluster !== undefined) return { state: 'found', cluster, from: 'live-map', terminating: false };
    return this.#answers.get(path)?.resolution;
  }

  /** Looks at once for paths that have become interesting. Those that could not be looked up wait for their time: there is always news. */
  wake(): void {
    this.#hasNews = true;
    this.#wake();
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const woken = new Promise<void>((resolve) => (this.#wake = resolve));
      await this.#lookUpAll(this.#due(), signal);
      await this.#pause(woken, signal);
    }
  }

  /** Paths without an answer, and those whose answer is to be renewed. What nobody names any more is forgotten. */
  #due(): readonly WorkspacePath[] {
    const { reader, livePaths } = this.#dependencies;
    const unresolved = reader.unresolvedPaths();
    if (this.#answers.size === 0) return unresolved;
    const named = namedPaths(reader);
    for (const path of this.#answers.keys()) {
      const isLive = livePaths.clusterOf(path) !== undefined;
      if (named.has(path) && !isLive) continue;
      this.#answers.delete(path);
      this.#tell(path, 'unknown');
    }
    return [...new Set([...unresolved, ...this.#answers.keys()])].filter((path) => this.#isDue(path));
  }

  #isDue(path: WorkspacePath): boolean {
    const answer = this.#answers.get(path);
    return answer === undefined || this.#dependencies.clock.monotonic() >= dueMs(answer);
  }

  /** What becomes interesting meanwhile goes first: a rule with thousands of paths keeps no other rule waiting. */
  async #lookUpAll(paths: readonly WorkspacePath[], signal: AbortSignal): Promise<void> {
    const known = new Set(paths);
    let queue = [...paths];
    const next = (): WorkspacePath | undefined => {
      if (this.#hasNews) {
        this.#hasNews = false;
        const news = this.#dependencies.reader.unresolvedPaths().filter((path) => !known.has(path) && this.#isDue(path));
        for (const path of news) known.add(path);
        queue = [...news, ...queue];
      }
      return queue.shift();
    };
    const work = async (): Promise<void> => {
      for (let path = next(); path !== undefined && !signal.aborted; path = next()) await this.#lookUp(path, signal);
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, work));
  }

  async #lookUp(path: WorkspacePath, signal: AbortSignal): Promise<void> {
    const { resolver, clock } = this.#dependencies;
    const resolution = await resolver.resolve(path, { signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    if (resolution === undefined) return;
    const askedAtMs = clock.monotonic();
    if (resolution.state === 'found' || resolution.state === 'missing') {
      this.#answers.set(path, { resolution, definiteAtMs: askedAtMs, askedAtMs, failures: 0 });
      this.#tell(path, resolution.state === 'found' ? resolution.cluster : 'missing');
      return;
    }
    const before = this.#answers.get(path);
    const failures = (before?.failures ?? 0) + 1;
    if (before?.definiteAtMs !== undefined && askedAtMs - before.definiteAtMs < KEEP_MS) {
      this.#answers.set(path, { ...before, askedAtMs, failures });
      return;
    }
    const isNews = before?.resolution.state !== resolution.state;
    this.#answers.set(path, { resolution, definiteAtMs: undefined, askedAtMs, failures });
    this.#tell(path, 'unknown', isNews);
  }

  #tell(path: WorkspacePath, resolution: PathResolution, isNews = false): void {
    const { reader, writer, onChange } = this.#dependencies;
    const touched = writer.pathResolved(path, resolution);
    if (isNews) onChange({ guarded: touched.guarded, rules: new Set([...touched.rules, ...rulesNaming(path, reader)]) });
    else if (touched.guarded.size > 0 || touched.rules.size > 0) onChange(touched);
  }

  async #pause(woken: Promise<void>, signal: AbortSignal): Promise<void> {
    const nextMs = [...this.#answers.values()].reduce((soonest, answer) => Math.min(soonest, dueMs(answer)), Infinity);
    const pauseMs = Math.min(RENEW_MS, Math.max(0, nextMs - this.#dependencies.clock.monotonic()));
    // Not `AbortSignal.any`: the signal of the process would keep a trace of every pause, in Node 20 for ever.
    const stop = new AbortController();
    const end = (): void => stop.abort();
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    const slept = this.#dependencies.clock.sleep(pauseMs, { signal: stop.signal }).catch((error: unknown) => {
      if (!stop.signal.aborted) throw error;
    });
    await Promise.race([woken, slept]);
    signal.removeEventListener('abort', end);
    end();
    await slept;
  }
}

/** When an answer is asked for again. */
function dueMs({ askedAtMs, failures }: Answer): number {
  return askedAtMs + (failures === 0 ? RENEW_MS : Math.min(RENEW_MS, RETRY_MS * 2 ** (failures - 1)));
}

function namedPaths(reader: RegistryReader): ReadonlySet<WorkspacePath> {
  const { rules, guards } = reader.snapshot();
  const targets = rules.flatMap((rule) => rule.dependencies.map((dependency) => dependency.export.path));
  const consents = [...guards.values()].flatMap(({ allowRulesFrom }) => (allowRulesFrom === 'everyone' ? [] : allowRulesFrom));
  return new Set([...targets, ...consents]);
}

/** The rules that wait for a path. */
function rulesNaming(path: WorkspacePath, reader: RegistryReader): readonly RuleKey[] {
  return reader
    .snapshot()
    .rules.filter(({ dependencies }) => dependencies.some((dependency) => dependency.export.path === path))
    .map(({ key }) => key);
}
