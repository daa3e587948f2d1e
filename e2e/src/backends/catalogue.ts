import { SCENARIO_BACKEND_NAMES, type Backend, type BackendName, type Missing } from './backend.js';
import { startCluster } from './cluster/start-cluster.js';
import { startContainers } from './containers.js';
import { startEmbedded } from './embedded.js';
import { startKcpProgram } from './kcp-program.js';
import { startKcpTwoShards } from './kcp-two-shards.js';

type Environment = Readonly<Record<string, string | undefined>>;

const STARTERS: Readonly<Record<BackendName, (env: Environment) => Promise<Backend | Missing>>> = {
  embedded: () => startEmbedded('embedded', 1),
  'embedded-2': () => startEmbedded('embedded-2', 2),
  kcp: startKcpProgram,
  'kcp-2': startKcpTwoShards,
  containers: startContainers,
  cluster: startCluster,
};

/** Starts a backend, or says what this machine lacks for it. */
export function startBackend(name: BackendName, env: Environment): Promise<Backend | Missing> {
  return STARTERS[name](env);
}

/** Reads `embedded,kcp`. */
export function parseBackends(text: string): readonly BackendName[] {
  return text.split(',').map((name) => {
    const known = SCENARIO_BACKEND_NAMES.find((candidate) => candidate === name.trim());
    if (known === undefined) throw new Error(`--backend: "${name}" is none of ${SCENARIO_BACKEND_NAMES.join(', ')}`);
    return known;
  });
}
