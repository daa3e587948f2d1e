/*
 * Asks kcp for the workspace paths that authors name, and passes on the answers. Each answer is renewed while its path is named, so that a workspace that was
 * made again under its path is noticed. An answer that cannot be renewed is dropped after a while. Not a KeyedQueue: the next path is that of the author who
 * was served least, not the one that is due first.
 */
import { nameOfPath, type LogicalClusterName, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { pause, pauseAfter, type Clock } from '@dep-ctrl/kcp-client';
import type { Resolution } from './resolution.js';
import type { WorkspaceResolver } from './workspace-resolver.js';
import type { PathHints } from './path-hints.js';

/** The paths that authors name. */
export interface PathNames {
  /** The named paths that are not resolved. */
  unresolvedPaths(): readonly WorkspacePath[];
  /** An author that names the path; undefined: none does. */
  authorNaming(path: WorkspacePath): string | undefined;
  /** Whether a workspace matters so much that its path is asked for often. */
  isBound(cluster: LogicalClusterName): boolean;
}

/** The meaning of a path. */
export type PathMeaning = LogicalClusterName | 'missing' | 'unknown';

/** What `PathLookups` needs. */
export interface PathLookupsDependencies {
  readonly names: PathNames;
  readonly hints: PathHints;
  readonly resolver: Pick<WorkspaceResolver, 'resolve'>;
  readonly clock: Clock;
  /** Told each answer; `isNews` where it is unknown in another way than before. */
  readonly tell: (path: WorkspacePath, meaning: PathMeaning, isNews: boolean) => void;
}

interface Answer {
  readonly resolution: Resolution;
  readonly askedAtMs: number;
  /** Look-ups in a row that said nothing definite, and when the first of them was. */
  readonly failures: number;
  readonly failingSinceMs: number | undefined;
  /** The workspaces whose bindings said that this is their path when it was last asked for. */
  readonly hintedBy: string;
}

/** How often the path of a workspace that binds the export is asked for again. */
const RENEW_MS = 30_000;
/** How often any other path is asked for: nothing is installed there, and a binding that is made there shows at once. */
const RENEW_UNBOUND_MS = 10 * 60_000;
/** How soon a look-up that failed is tried again at first. */
const RETRY_MS = 1_000;
/** How long an answer counts that cannot be renewed. */
const KEEP_MS = 5 * 60_000;
/** Requests at a time. Reviews use the same ten connections and must not queue behind look-ups. */
const AT_A_TIME = 4;
/** Look-ups before the list of due paths is made again. */
const ROUND = 64;
/** One author may name thousands of paths. After so many look-ups in a row, kcp is asked this often each second at most. */
const AT_ONCE = 256;
const PER_SECOND = 100;
const GRANT_MS = 100;
/** The author that was served least in this time comes first. */
const TURNS_MS = 10_000;
/** Events come in bursts. */
const LOOK_MS = 20;
/** Going through all paths takes its time, which others wait for: after it there is a rest of so many times that. */
const REST = 9;

/** The look-ups of one process. */
export class PathLookups {
  readonly #dependencies: PathLookupsDependencies;
  readonly #answers = new Map<WorkspacePath, Answer>();
  /** By author: how often kcp was asked. */
  readonly #served = new Map<string, number>();
  #servedSinceMs = 0;
  #allowance = AT_ONCE;
  #allowanceAtMs = 0;
  #lookedAtMs = -Infinity;
  #lookTookMs = 0;
  #wake: () => void = () => undefined;

  constructor(dependencies: PathLookupsDependencies) {
    this.#dependencies = dependencies;
  }

  /** The last answer about a path. */
  resolutionOf(path: WorkspacePath): Resolution | undefined {
    // A path of one segment is the name of a cluster and needs no look-up.
    const named = nameOfPath(path);
    if (named !== undefined) return { state: 'found', cluster: named, from: 'name', terminating: false };
    return this.#answers.get(path)?.resolution;
  }

  /** Whether kcp has been asked, once at least, for every path that anybody names. */
  haveAsked(): boolean {
    const { names } = this.#dependencies;
    const isAsked = (path: WorkspacePath): boolean => this.resolutionOf(path) !== undefined;
    return names.unresolvedPaths().every(isAsked) && [...this.#hinted().keys()].every(isAsked);
  }

  /** Looks at once for paths that have become interesting. Those that could not be looked up wait for their time: there is always news. */
  wake(): void {
    this.#wake();
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const woken = new Promise<void>((resolve) => (this.#wake = resolve));
      const begunMs = this.#dependencies.clock.monotonic();
      const due = this.#due();
      this.#lookedAtMs = this.#dependencies.clock.monotonic();
      this.#lookTookMs = this.#lookedAtMs - begunMs;
      const round = due.slice(0, Math.min(ROUND, this.#granted()));
      await this.#lookUpAll(round, signal);
      await this.#pause(due.length > round.length ? undefined : woken, signal);
    }
  }

  /** Paths without an answer, and paths whose answer is to be renewed, the authors in turns. Paths that no author names any more are forgotten. */
  #due(): readonly WorkspacePath[] {
    const { names } = this.#dependencies;
    const hinted = this.#hinted();
    for (const path of this.#answers.keys()) {
      if (hinted.has(path) || names.authorNaming(path) !== undefined) continue;
      this.#answers.delete(path);
      this.#dependencies.tell(path, 'unknown', false);
    }
    const unasked = [...hinted.keys()].filter((path) => !this.#answers.has(path) && nameOfPath(path) === undefined);
    const candidates = new Set([...names.unresolvedPaths(), ...unasked, ...this.#answers.keys()]);
    return this.#inTurns(
      [...candidates].filter((path) => this.#isDue(path, hinted.get(path))),
      hinted,
    );
  }

  /** The author that was served least comes first, so that no author waits for the thousands of paths of another one. */
  #inTurns(paths: readonly WorkspacePath[], hinted: ReadonlyMap<WorkspacePath, string>): readonly WorkspacePath[] {
    const nowMs = this.#dependencies.clock.monotonic();
    if (nowMs - this.#servedSinceMs >= TURNS_MS) {
      this.#served.clear();
      this.#servedSinceMs = nowMs;
    }
    const turns = new Map(this.#served);
    const inTurns = paths.map((path) => {
      const asker = this.#askerFor(path, hinted.get(path));
      const turn = turns.get(asker) ?? 0;
      turns.set(asker, turn + 1);
      return { path, turn };
    });
    return inTurns.toSorted((a, b) => a.turn - b.turn).map(({ path }) => path);
  }

  #askerFor(path: WorkspacePath, hintedBy = ''): string {
    return this.#dependencies.names.authorNaming(path) ?? hintedBy;
  }

  /** By path the workspaces whose bindings say that it is theirs. */
  #hinted(): ReadonlyMap<WorkspacePath, string> {
    const hinted = new Map<WorkspacePath, string>();
    for (const { cluster, path } of this.#dependencies.hints.all()) {
      const known = hinted.get(path);
      hinted.set(path, known === undefined ? cluster : `${known} ${cluster}`);
    }
    return hinted;
  }

  /** A binding that says something new about a path is a reason to ask, once: it may be a workspace that was made again. */
  #isDue(path: WorkspacePath, hintedBy = ''): boolean {
    const answer = this.#answers.get(path);
    if (answer === undefined) return true;
    return hintedBy !== answer.hintedBy || this.#dependencies.clock.monotonic() >= this.#dueMs(answer);
  }

  async #lookUpAll(paths: readonly WorkspacePath[], signal: AbortSignal): Promise<void> {
    const hinted = this.#hinted();
    const queue = [...paths];
    const work = async (): Promise<void> => {
      for (let path = queue.shift(); path !== undefined && !signal.aborted; path = queue.shift()) {
        await this.#lookUp(path, hinted.get(path) ?? '', signal);
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, work));
  }

  async #lookUp(path: WorkspacePath, hintedBy: string, signal: AbortSignal): Promise<void> {
    const { resolver, clock } = this.#dependencies;
    this.#allowance -= 1;
    const asker = this.#askerFor(path, hintedBy);
    this.#served.set(asker, (this.#served.get(asker) ?? 0) + 1);
    const resolution = await resolver.resolve(path, { signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    if (resolution === undefined) return;
    const askedAtMs = clock.monotonic();
    if (resolution.state === 'found' || resolution.state === 'missing') {
      this.#answers.set(path, { resolution, askedAtMs, failures: 0, failingSinceMs: undefined, hintedBy });
      this.#dependencies.tell(path, resolution.state === 'found' ? resolution.cluster : 'missing', false);
      return;
    }
    const before = this.#answers.get(path);
    const failingSinceMs = before?.failingSinceMs ?? askedAtMs;
    const failing = { askedAtMs, failures: (before?.failures ?? 0) + 1, failingSinceMs, hintedBy };
    if (before !== undefined && isDefinite(before.resolution) && askedAtMs - failingSinceMs < KEEP_MS) {
      this.#answers.set(path, { ...failing, resolution: before.resolution });
      return;
    }
    const isNews = before?.resolution.state !== resolution.state;
    this.#answers.set(path, { ...failing, resolution });
    this.#dependencies.tell(path, 'unknown', isNews);
  }

  /** How many may be asked for now. */
  #granted(): number {
    const nowMs = this.#dependencies.clock.monotonic();
    const earned = ((nowMs - this.#allowanceAtMs) * PER_SECOND) / 1_000;
    this.#allowanceAtMs = nowMs;
    this.#allowance = Math.min(AT_ONCE, this.#allowance + earned);
    return Math.max(0, Math.floor(this.#allowance));
  }

  /** Until something happens, or an answer is to be renewed; without `woken` only for a moment, as there is more to ask for. */
  async #pause(woken: Promise<void> | undefined, signal: AbortSignal): Promise<void> {
    const { clock } = this.#dependencies;
    // Not `AbortSignal.any`: the signal of the process would keep a trace of every pause, in Node 20 for ever.
    const stop = new AbortController();
    const end = (): void => stop.abort();
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    const sleep = (ms: number): Promise<void> => pause(ms, { clock, signal: stop.signal });
    const rest = (leastMs: number): Promise<void> => {
      const restMs = this.#lookedAtMs + Math.max(leastMs, REST * this.#lookTookMs) - clock.monotonic();
      return restMs > 0 ? sleep(restMs) : Promise.resolve();
    };
    const slept = woken === undefined ? rest(this.#allowance >= 1 ? 0 : GRANT_MS) : sleep(this.#untilNextMs());
    await Promise.race([...(woken === undefined ? [] : [woken.then(() => rest(LOOK_MS))]), slept]);
    signal.removeEventListener('abort', end);
    end();
    await slept;
  }

  #untilNextMs(): number {
    const nowMs = this.#dependencies.clock.monotonic();
    const nextMs = [...this.#answers.values()].reduce((soonest, answer) => Math.min(soonest, this.#dueMs(answer)), Infinity);
    return Math.min(RENEW_MS, Math.max(LOOK_MS, nextMs - nowMs));
  }

  /** When an answer is asked for again. */
  #dueMs({ resolution, askedAtMs, failures, hintedBy }: Answer): number {
    const isBound = resolution.state === 'found' && this.#dependencies.names.isBound(resolution.cluster);
    const renewMs = isBound || hintedBy !== '' ? RENEW_MS : RENEW_UNBOUND_MS;
    return askedAtMs + (failures === 0 ? renewMs : pauseAfter({ firstMs: RETRY_MS, factor: 2, capMs: renewMs }, failures));
  }
}

function isDefinite({ state }: Resolution): boolean {
  return state === 'found' || state === 'missing';
}
