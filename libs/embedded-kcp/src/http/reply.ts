/** Headers of a response; several values become several lines. */
export type ReplyHeaders = Readonly<Record<string, string | string[]>>;

/** A response that is complete before it is sent. Parts are sent one after the other, so that lists need no copy. */
export interface WholeReply {
  readonly kind: 'whole';
  readonly status: number;
  readonly headers: ReplyHeaders;
  readonly body: readonly Buffer[];
}

/** The receiver of watch events. */
export interface WatchSink {
  /** Sends one event. */
  readonly send: (parts: readonly Buffer[]) => void;
  /** Ends the response in order. */
  readonly end: () => void;
}

/** A response that goes on until one side ends it. `start` returns what to do when the client has gone. */
export interface StreamReply {
  readonly kind: 'stream';
  readonly status: number;
  readonly headers: ReplyHeaders;
  readonly start: (sink: WatchSink) => () => void;
}

/** The answer to a request. */
export type Reply = WholeReply | StreamReply;

/** What a listener does with a request: it answers, or it breaks the connection before or within the answer. */
export type Outcome = Reply | { readonly kind: 'drop' } | { readonly kind: 'cut'; readonly reply: Reply; readonly afterBytes: number };

/** A JSON response. */
export function jsonReply(status: number, value: unknown, headers: ReplyHeaders = {}): WholeReply {
  return bytesReply(status, [Buffer.from(JSON.stringify(value))], headers);
}

/** A JSON response whose bytes exist already. */
export function bytesReply(status: number, body: readonly Buffer[], headers: ReplyHeaders = {}): WholeReply {
  return { kind: 'whole', status, headers: { 'content-type': 'application/json', ...headers }, body };
}

/** A plain text response, as Go's http.Error writes it: with a line feed at the end. */
export function textReply(status: number, text: string, headers: Readonly<Record<string, string>> = {}): WholeReply {
  return {
    kind: 'whole',
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff', ...headers },
    body: [Buffer.from(`${text}\n`)],
  };
}

/** A copy with more headers. */
export function withHeaders<T extends Reply>(reply: T, headers: ReplyHeaders): T {
  return { ...reply, headers: { ...reply.headers, ...headers } };
}
