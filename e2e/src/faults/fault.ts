// What can be broken between dep-ctrl and kcp, and how: values that pass from the suite to the process that breaks.

/** Who asks, a role or a command: each has listeners of its own, so that a fault can be meant for one of them. */
export const CALLERS = ['controller', 'webhook', 'command'] as const;

/** One of them. */
export type Caller = (typeof CALLERS)[number];

/** How an answer is broken. */
export type ProxyFault =
  /** Another answer, without asking kcp. */
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly body?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** The connection ends before any answer. */
  | { readonly kind: 'reset' }
  /** The connection ends in the middle of the body. */
  | { readonly kind: 'cut' }
  /** Half of the body, as if it were all of it. */
  | { readonly kind: 'half' }
  /** No answer, ever; kcp is not asked. */
  | { readonly kind: 'hang' }
  /** kcp is asked once the fault is mended. */
  | { readonly kind: 'hold' }
  /** kcp is asked later. */
  | { readonly kind: 'delay'; readonly ms: number };

/** Which requests a fault is meant for: all that match everything that is said here. */
export interface RequestMatch {
  readonly caller?: Caller;
  /** The base URL of the server of kcp that is asked. */
  readonly server?: string;
  readonly method?: RegExp;
  /** Without the query. */
  readonly path?: RegExp;
  /** As it was sent, without the question mark. */
  readonly query?: RegExp;
  readonly accept?: RegExp;
  readonly isWatch?: boolean;
}

/** A request as faults choose by it. */
export interface ProxiedRequest {
  readonly caller: Caller;
  readonly server: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly accept: string;
}

/** Whether a fault is meant for a request. */
export function matchesRequest(match: RequestMatch, asked: ProxiedRequest): boolean {
  const { caller = asked.caller, server = asked.server, isWatch } = match;
  const isSaid = (pattern: RegExp | undefined, text: string): boolean => pattern === undefined || pattern.test(text);
  return (
    caller === asked.caller &&
    server === asked.server &&
    isSaid(match.method, asked.method) &&
    isSaid(match.path, asked.path) &&
    isSaid(match.query, asked.query) &&
    isSaid(match.accept, asked.accept) &&
    (isWatch === undefined || isWatch === /(?:^|&)watch=(?:1|true)(?:&|$)/.test(asked.query))
  );
}

/** A text as it stands, in a pattern. */
export function literal(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
