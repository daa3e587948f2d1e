/** One request as a listener saw it. */
export interface RecordedRequest {
  /** `proxy` or the shard's name. */
  readonly listener: string;
  readonly method: string;
  /** Path and query as sent, decoded. */
  readonly path: string;
  readonly query: string;
  readonly userAgent: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Selects requests: every given condition must hold. */
export interface RequestMatch {
  /** `proxy` or a shard's name. */
  readonly listener?: string;
  /** The whole method, or an expression that is found in it. */
  readonly method?: string | RegExp;
  /** The whole path, or an expression that is found in it. */
  readonly path?: string | RegExp;
  /** Only watches, or only requests that are none. */
  readonly watch?: boolean;
}

/** Whether a request meets a match. */
export function matchesRequest(match: RequestMatch, request: RecordedRequest): boolean {
  if (match.listener !== undefined && match.listener !== request.listener) return false;
  if (match.watch !== undefined && match.watch !== /(?:^|&)watch=(?:true|1)(?:&|$)/.test(request.query)) return false;
  return says(match.method, request.method) && says(match.path, request.path);
}

function says(wanted: string | RegExp | undefined, text: string): boolean {
  return typeof wanted === 'string' ? wanted === text : (wanted?.test(text) ?? true);
}

// Enough for any test; a long run must not keep every request it ever saw.
const LOG_LIMIT = 50_000;

/** Counts and records the requests that arrived, newest last. */
export class RequestLog {
  #requests: RecordedRequest[] = [];
  #total = 0;

  /** How many requests arrived since the start or the last clear, or how many of the recorded ones match. */
  count(match?: RequestMatch): number {
    return match === undefined ? this.#total : this.recorded(match).length;
  }

  /** The recorded requests, oldest first. At most the last 50 000 are kept. */
  recorded(match: RequestMatch = {}): readonly RecordedRequest[] {
    return this.#requests.filter((request) => matchesRequest(match, request));
  }

  /** Forgets all. */
  clear(): void {
    this.#requests = [];
    this.#total = 0;
  }

  /** Adds a request. */
  add(request: RecordedRequest): void {
    this.#total += 1;
    this.#requests.push(request);
    if (this.#requests.length > LOG_LIMIT) this.#requests = this.#requests.slice(LOG_LIMIT / 2);
  }
}
