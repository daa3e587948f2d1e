// A start at the pace of a real kcp: refuses what is not served yet, until all is.
import { isMasters, type UserInfo } from '../authentication/user.js';
import { accessDenied } from '../authorization/denial.js';
import type { Background } from '../background/background.js';
import type { DelayName } from '../background/delays.js';
import { ApiError, notFound, pageNotFound, type PlainError } from '../http/api-status.js';
import type { IncomingRequest } from '../http/incoming-request.js';
import { readRequestInfo, type RequestInfo } from '../http/request-info.js';
import type { ResourceCatalog } from '../machinery/resources/resource-catalog.js';
import { attributesOf, type ClusterRequest } from '../server/cluster-request.js';
import { exportMissing } from '../virtual-workspaces/export-missing.js';
import { readServicePath } from '../virtual-workspaces/service-path.js';
import { answerWhileStarting, type Door } from './start-phases.js';

/** The parts that a start needs. */
interface ShardStartDependencies {
  readonly background: Pick<Background, 'pause' | 'after'>;
  readonly catalog: Pick<ResourceCatalog, 'find'>;
  /** Milliseconds that only grow. */
  readonly now: () => number;
}

interface EarlyRequest {
  readonly door: Door;
  readonly user: UserInfo;
  readonly info: RequestInfo;
  /** The workspace path, or the path of the whole request to a view. */
  readonly address: string;
  /** The export of a view. */
  readonly exportName?: string;
}

/** One start of a shard, from its beginning to the moment when everything is served, or to its end before that. */
export class ShardStart {
  readonly #dependencies: ShardStartDependencies;
  readonly #begunMs: number;
  #isEnded = false;
  #wake: () => void = () => undefined;

  constructor(dependencies: ShardStartDependencies) {
    this.#dependencies = dependencies;
    this.#begunMs = dependencies.now();
  }

  /** Waits until the port is to be opened; false: the start was ended before that. */
  async untilListening(): Promise<boolean> {
    await this.#pause('startListening');
    return !this.#isEnded;
  }

  /** Waits until everything is served, or the start has ended. */
  async untilOver(): Promise<void> {
    while (!this.#isEnded && this.#sinceMs < this.#dependencies.background.pause('startViews')) await this.#pause('startStep');
  }

  /** Ends it early: the shard stops. */
  end(): void {
    this.#isEnded = true;
    this.#wake();
  }

  /** Throws for a request below /services that comes too early. */
  checkView({ method, path, query }: IncomingRequest, user: UserInfo): void {
    const view = readServicePath(path);
    const door = { by: 'view', target: view?.target === '*' ? 'all' : 'one' } as const;
    const info = readRequestInfo(method, view?.rest ?? path, query);
    this.#check({ door, user, info, address: path, exportName: view?.subject.at(-1) ?? '' });
  }

  /** Throws for a request by a workspace path that comes too early. */
  checkPath(address: string, { method, query }: IncomingRequest, user: UserInfo): void {
    this.#check({ door: { by: 'path' }, user, info: readRequestInfo(method, '', query), address });
  }

  /** Throws for a request by the name of a logical cluster that comes too early. */
  checkCluster({ cluster, user, method, path, http }: ClusterRequest): void {
    if (cluster === '') return;
    const info = readRequestInfo(method, path, http.query);
    const found = info.kind === 'path' ? undefined : this.#dependencies.catalog.find(cluster, info.group, info.resource, info.identity);
    this.#check({ door: { by: 'name', type: found?.origin.kind ?? 'builtin' }, user, info, address: cluster });
  }

  #check(request: EarlyRequest): void {
    const refusal = this.#refusal(request);
    if (refusal !== undefined) throw refusal;
  }

  #refusal({ door, user, info, address, exportName = '' }: EarlyRequest): ApiError | PlainError | undefined {
    const { background } = this.#dependencies;
    const answer = answerWhileStarting(this.#sinceMs, door, { isMasters: isMasters(user), pause: (name) => background.pause(name) });
    switch (answer) {
      case 'workspace-not-found':
        return notFound({ group: 'tenancy.kcp.io', resource: 'workspaces' }, address);
      case 'access-denied':
        return accessDenied(user, attributesOf(info));
      case 'no-paths-yet':
        return NO_PATHS_YET;
      case 'page-not-found':
        return pageNotFound();
      case 'export-not-found':
        return exportMissing(address, exportName);
      case 'served':
        return undefined;
      default:
        return answer satisfies never;
    }
  }

  get #sinceMs(): number {
    return this.#dependencies.now() - this.#begunMs;
  }

  #pause(name: DelayName): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      this.#dependencies.background.after(name, 'start', resolve);
    });
  }
}

const NO_PATHS_YET = new ApiError(
  {
    code: 503,
    reason: 'ServiceUnavailable',
    message: 'the request has been made before all known HTTP paths have been installed, please try again',
    details: { retryAfterSeconds: 5 },
  },
  { 'retry-after': '5' },
);
