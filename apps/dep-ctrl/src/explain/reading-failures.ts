import type { Clock, ClusterClient, Connection, EndpointsState, KcpError } from '@dep-ctrl/kcp-client';
import { groupVersionResourceKey, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { API_EXPORT_ENDPOINT_SLICES, API_EXPORTS, holdingOf, type Doubt } from '@dep-ctrl/kcp-objects';
import { WEBHOOK_ROLE } from '../bootstrap/manifests.js';
import { describeRole } from '../command-line/missing-role.js';
import { DECIDING_TYPES } from '../webhook/fresh-rules/live-endpoint.js';

// A shard that starts refuses for a moment what these credentials may do, and for seconds has nothing of what it serves.
const REFUSED_FOR_MS = 3_000;
const FAILED_FOR_MS = 4_000;
const AWAY: ReadonlySet<KcpError['code']> = new Set(['unreachable', 'timeout', 'unavailable']);

/** Decides how long to retry reading the rules: a failure that surely lasts ends at once. */
export class ReadingFailures {
  readonly #connection: Connection;
  readonly #from: { readonly home: Home; readonly doubt: Doubt | undefined; readonly clock: Clock };
  #first: { readonly atMs: number; readonly patienceMs: number } | undefined;

  constructor(connection: Connection, from: { readonly home: Home; readonly doubt: Doubt | undefined; readonly clock: Clock }) {
    this.#connection = connection;
    this.#from = from;
  }

  /** Throws what is refused or fails for good. */
  async check(state: EndpointsState, options: { readonly signal: AbortSignal }): Promise<void> {
    const failure = failureOf(state);
    if (failure === undefined) {
      this.#first = undefined;
      return;
    }
    const { home, doubt, clock } = this.#from;
    this.#first ??= { atMs: clock.monotonic(), patienceMs: await this.#patienceFor(failure, options) };
    if (clock.monotonic() - this.#first.atMs < this.#first.patienceMs) return;
    if (failure.code !== 'forbidden') throw new Error(doubt?.text ?? 'the rules cannot be read', { cause: failure });
    const said = doubt?.text ?? 'these credentials may not read the rules';
    const role = describeRole({ path: home.path, clusterRole: WEBHOOK_ROLE }, this.#connection.baseUrl);
    throw new Error(`${said}; ${role}`, { cause: failure });
  }

  /** Reading takes only a right in the workspace of dep-ctrl: a user who surely lacks it need not wait. */
  async #patienceFor({ code }: KcpError, options: { readonly signal: AbortSignal }): Promise<number> {
    if (code !== 'forbidden') return FAILED_FOR_MS;
    const { exportName: name, workspace } = this.#from.home;
    const rights = [
      { verb: 'list', type: API_EXPORT_ENDPOINT_SLICES },
      { verb: 'list', type: API_EXPORTS, subresource: 'content', name },
    ];
    const holdings = await Promise.all(rights.map((right) => holdingOf(workspace, right, options)));
    return holdings.every((holding) => holding === 'held') ? REFUSED_FOR_MS : 0;
  }
}

/** Of what has never been read. An endpoint that is away is passed over, as the webhook does. */
function failureOf({ slice, sliceFreshness, endpoints }: EndpointsState): KcpError | undefined {
  const watches = [...endpoints.values()].flatMap((byType) => DECIDING_TYPES.map((type) => byType.get(groupVersionResourceKey(type))));
  const failures = [slice.kind === 'unknown' ? slice : sliceFreshness, ...watches].flatMap((each) => each?.lastError ?? []);
  return failures.find((error) => !AWAY.has(error.code));
}

/** The export of dep-ctrl. */
export interface Home {
  readonly path: WorkspacePath;
  readonly exportName: string;
  readonly workspace: ClusterClient;
}
