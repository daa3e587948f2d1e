import type { Cluster } from './cluster/cluster.js';
import type { ProgramStart, RunningProgram } from './guarded-process.js';
import type { KeyPair, Subject } from './pki.js';

/** The backends the suites know. `-2` means two shards behind a front-proxy. */
export const BACKEND_NAMES = ['embedded', 'embedded-2', 'kcp', 'kcp-2'] as const;

/** Where scenarios run besides: with dep-ctrl in containers, and as a chart in a Kubernetes beside a real kcp. */
export const SCENARIO_BACKEND_NAMES = [...BACKEND_NAMES, 'containers', 'cluster'] as const;

/** One of the backends. */
export type BackendName = (typeof SCENARIO_BACKEND_NAMES)[number];

/** Whether the backend of that name is the program of kcp. */
export function isReal(name: string): boolean {
  return name.startsWith('kcp') || name === 'cluster';
}

/** A process, or what behaves like one, that tests may take away and bring back. */
export interface Part {
  /** Takes it away at once, as a crash does. */
  stop(): Promise<void>;
  /** Brings it back and waits until it is ready. */
  start(): Promise<void>;
}

/** One shard. */
export interface Shard extends Part {
  /** The name of its Shard object: the first is always `root`. */
  readonly name: string;
  /** Base URL without `/clusters`. */
  readonly url: string;
  /** A kubeconfig file with the contexts `base`, `root`, `shard-base` and `system:admin` (the last two in group system:masters). */
  readonly adminKubeconfig: string;
}

/** A kcp that tests talk to, real or not. */
export interface Backend {
  readonly name: BackendName;
  /** The version of kcp that it is, or stands for: `0.32.3`. */
  readonly version: string;
  readonly shards: readonly [Shard, ...Shard[]];
  /** Base URL of the front-proxy, where there is one. */
  readonly proxyUrl: string | undefined;
  /** A kubeconfig file of the user kcp-admin (group system:kcp:admin), through the front-proxy where there is one. */
  readonly adminKubeconfig: string;
  /** PEM that verifies every listener. */
  readonly ca: string;
  /** Signs the client certificates that every listener accepts; only a process of its own has it to hand out. */
  readonly clients: KeyPair | undefined;
  /** Whether its parts may be taken away and brought back from here. */
  readonly restartable: boolean;
  /** The cache server, where it is a part of its own. */
  readonly cache: Part | undefined;
  /** Makes old resource versions unreachable at once, for everybody; absent where they end by themselves, within two minutes. */
  readonly forgetHistory: (() => void) | undefined;
  /** Makes a client certificate that every listener accepts. */
  clientCertificate(subject: Subject, options?: { readonly expired?: boolean }): Promise<KeyPair>;
  /** A bearer token of a user without any group of its own, valid on every shard. */
  token(user: TokenUser): string;
  /** Ends everything; `keep` leaves the work dir with its logs behind. */
  readonly stop: (options?: { readonly keep?: boolean }) => Promise<void>;
  /** Runs a role of dep-ctrl in its own way; absent: as a process. */
  readonly runRole?: (start: Pick<ProgramStart, 'args' | 'cwd' | 'logFile'>) => RunningProgram;
  /** The Kubernetes beside it, where there is one: only the scenarios of the chart run there. */
  readonly cluster?: Cluster;
  /** Where its files and logs are. */
  readonly workDir: string;
}

/** Users with a static bearer token. */
export type TokenUser = 'alice' | 'bob';

/** Why a backend cannot run on this machine, as a sentence. */
export interface Missing {
  readonly missing: string;
}
