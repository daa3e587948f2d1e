// A watch: first the state or the past events that it starts with, then new events, filtered by the client's selectors. An object that leaves the selection
// is DELETED for this watch, one that enters it is ADDED.
import type { ApiError } from '../../http/api-status.js';
import { expired, statusObject } from '../../http/api-status.js';
import type { StreamReply, WatchSink } from '../../http/reply.js';
import { withMetadata } from '../../json/json.js';
import { inScope, type Bucket, type Scope, type StoreEvent } from '../../storage/bucket.js';
import { StoredObject } from '../../storage/stored-object.js';
import { encodeBookmark, encodeEvent, type Encoding } from './encode-objects.js';
import { isSelected, isShown, type ListQuery } from './list-objects.js';
import type { WatchOptions } from '../requests/list-options.js';

/** The query of a watch. */
export interface WatchQuery extends Pick<ListQuery, 'scope' | 'labels' | 'fields' | 'shows' | 'resourceVersion'>, WatchOptions {}

/** The sources of a watch. */
export interface WatchSource {
  readonly bucket: Bucket;
  readonly revision: () => number;
  readonly bookmarkEveryMs: number;
  /** Calls back when the server closes all watches of this resource: it stops, or what it serves has changed. */
  readonly onClose: (close: () => void) => () => void;
}

/** The response of a watch. */
export function watchReply(source: WatchSource, query: WatchQuery, encoding: Encoding): StreamReply {
  return {
    kind: 'stream',
    status: 200,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-cache, private' },
    start: (sink) => startWatch(source, query, encoding, sink),
  };
}

function startWatch(source: WatchSource, query: WatchQuery, encoding: Encoding, sink: WatchSink): () => void {
  const asked = Number(query.resourceVersion);
  const fromState = query.sendInitialEvents || asked === 0;
  const past = fromState ? [] : source.bucket.eventsAfter(asked);
  if (past === undefined) {
    sendError(sink, expired(`too old resource version: ${asked} (${source.bucket.compactedAt})`));
    return () => undefined;
  }
  const follow = new Follower(query, encoding, sink, fromState ? 0 : asked);
  if (fromState) {
    for (const stored of source.bucket.list(scopeOf(query))) if (isShown(stored, query)) follow.send('ADDED', stored);
    if (query.sendInitialEvents && query.bookmarks) sink.send(encodeBookmark(source.revision(), true, encoding));
  }
  for (const event of past) follow.event(event);
  return followLive(source, query, encoding, { sink, follow });
}

function followLive(
  source: WatchSource,
  query: WatchQuery,
  encoding: Encoding,
  { sink, follow }: { readonly sink: WatchSink; readonly follow: Follower },
): () => void {
  const unsubscribe = source.bucket.subscribe((event) => follow.event(event));
  const bookmark = (): void => {
    if (query.bookmarks) sink.send(encodeBookmark(Math.max(source.revision(), follow.startedAfter), false, encoding));
  };
  const ticker = setInterval(bookmark, source.bookmarkEveryMs);
  const stop = (): void => {
    unsubscribe();
    offClose();
    clearInterval(ticker);
    clearTimeout(timer);
  };
  const close = (): void => {
    stop();
    sink.end();
  };
  const timer = setTimeout(() => {
    bookmark();
    close();
  }, query.timeoutMs);
  const offClose = source.onClose(close);
  return stop;
}

/** Turns events of the bucket into events of one watch. */
class Follower {
  readonly startedAfter: number;
  readonly #query: WatchQuery;
  readonly #scope: Scope;
  #encoding: Encoding;
  readonly #sink: WatchSink;

  constructor(query: WatchQuery, encoding: Encoding, sink: WatchSink, startedAfter: number) {
    this.#query = query;
    this.#scope = scopeOf(query);
    this.#encoding = encoding;
    this.#sink = sink;
    this.startedAfter = startedAfter;
  }

  // A watch from a version of the future stays silent until that version has passed.
  event({ type, current, previous, revision }: StoreEvent): void {
    if (revision <= this.startedAfter || !inScope(this.#scope, current)) return;
    if (this.#query.shows?.(current.object) === false) return;
    const was = previous !== undefined && isSelected(previous, this.#query);
    const is = type !== 'deleted' && isSelected(current, this.#query);
    if (is) this.send(was ? 'MODIFIED' : 'ADDED', current);
    else if (was) this.send('DELETED', type === 'deleted' ? current : leaving(previous, revision));
  }

  send(type: 'ADDED' | 'MODIFIED' | 'DELETED', stored: StoredObject): void {
    this.#sink.send(encodeEvent(type, stored, this.#encoding));
    if (this.#encoding.form.kind === 'table') this.#encoding = { ...this.#encoding, withoutColumns: true };
  }
}

// What leaves a selection is shown as it last was inside, at the version of its leaving.
function leaving(previous: StoredObject, revision: number): StoredObject {
  return new StoredObject(previous, revision, withMetadata(previous.object, { resourceVersion: String(revision) }));
}

function scopeOf({ scope }: Pick<ListQuery, 'scope'>): Scope {
  return scope.namespace === undefined ? { cluster: scope.cluster } : { cluster: scope.cluster, namespace: scope.namespace };
}

function sendError(sink: WatchSink, error: ApiError): void {
  sink.send([Buffer.from(`${JSON.stringify({ type: 'ERROR', object: statusObject(error.body) })}\n`)]);
  sink.end();
}
