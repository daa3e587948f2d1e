import type { Backend } from '../backends/backend.js';
import { findExecutable, findPrograms, isAtLeast, toldVersion } from '../backends/programs.js';

/** What a backend, or this machine, must have for a case to make sense there. */
export type Need =
  | 'front-proxy'
  | 'one-shard'
  | 'two-shards'
  | 'restarts'
  | 'kubectl'
  | 'cache'
  | 'role-processes'
  | 'cluster'
  /** A kcp that was built with version flags. */
  | 'told-version';

/**
 * What a case wants for itself. `everything`: nothing else runs meanwhile, as it takes parts of the system away. `product`: the dep-ctrl that
 * others share. `machine`: it measures, so little else may run; one that takes the product runs beside it.
 */
export type Exclusive = 'everything' | 'product' | 'machine';

/** One thing to be shown: a title that says what is true, and a function that fails where it is not. */
export interface Case<Context> {
  /** Group letter, number of the fact and a running number: `A1.2`. */
  readonly id: string;
  /** A sentence in the present tense. */
  readonly title: string;
  readonly needs?: readonly Need[];
  /** The first kcp version of which this is true; older ones skip it. */
  readonly since?: string;
  /** Where it disturbs others, or is disturbed by them. */
  readonly exclusive?: (backend: Backend) => Exclusive | undefined;
  /** Mostly waits: it begins before the others, so that its waiting costs no time. */
  readonly slow?: boolean;
  run(context: Context): Promise<void>;
}

/** The reason why a case makes no sense on a backend, if there is one. */
export function whySkipped(one: Omit<Case<never>, 'run'>, backend: Backend): string | undefined {
  if (one.since !== undefined && !isAtLeast(backend.version, one.since)) return `true since kcp ${one.since}`;
  const has: Readonly<Record<Need, () => boolean>> = {
    'front-proxy': () => backend.proxyUrl !== undefined,
    'one-shard': () => backend.shards.length === 1,
    'two-shards': () => backend.shards.length > 1,
    restarts: () => backend.restartable,
    cache: () => backend.cache !== undefined,
    'role-processes': () => backend.runRole === undefined,
    cluster: () => backend.cluster !== undefined,
    kubectl: () => findExecutable('kubectl', process.env) !== undefined,
    'told-version': () => backend.name.startsWith('embedded') || tellsVersion(),
  };
  if (backend.cluster !== undefined && one.needs?.includes('cluster') !== true) return 'not about the chart';
  const lacking = (one.needs ?? []).find((need) => !has[need]());
  return lacking === undefined ? undefined : `needs ${lacking}`;
}

function tellsVersion(): boolean {
  const found = findPrograms(['kcp'], process.env);
  return !('missing' in found) && toldVersion(found.kcp) !== undefined;
}
