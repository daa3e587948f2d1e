import { WILDCARD, type GroupVersionResource } from '@dep-ctrl/kcp-names';
import { listPage, tablePage, type ListPage, type TablePage } from '../requests/list-page.js';
import { listPages, objectForm, tableForm, type ListQuery, type TableQuery } from '../requests/list-pages.js';
import { openWatch, type WatchQuery } from '../requests/watch-query.js';
import { resourceRequest, type ClusterLocation } from '../requests/resource-url.js';
import type { Requester } from '../http/requester.js';

/** What a Reflector needs of a client. */
export interface WatchableClient {
  list(type: GroupVersionResource, query: ListQuery, options: { readonly signal: AbortSignal }): AsyncIterable<ListPage>;
  watch(type: GroupVersionResource, query: WatchQuery, options: { readonly signal: AbortSignal }): Promise<AsyncIterable<Buffer>>;
  /** Words for an error: what is asked and where. */
  describe(verb: string, type: GroupVersionResource): { readonly asked: string; readonly at: string };
}

/** Lists and watches over all logical clusters at once: all that the wildcard can do. Always over all namespaces too. */
export class WildcardClient implements WatchableClient {
  readonly #requester: Requester;
  readonly #location: ClusterLocation;

  constructor(requester: Requester, { baseUrl }: { readonly baseUrl: string }) {
    this.#requester = requester;
    this.#location = { baseUrl, address: WILDCARD };
  }

  /** Lists page by page. On a shard, name bound resources as `resource:identityHash`. Throws KcpError. */
  async *list(
    type: GroupVersionResource,
    query: Omit<ListQuery, 'namespace'>,
    { signal }: { readonly signal: AbortSignal },
  ): AsyncGenerator<ListPage> {
    const target = { requester: this.#requester, location: this.#location, type };
    for await (const origin of listPages(target, query, objectForm(query), { signal })) yield listPage(origin);
  }

  /** Lists as a Table, page by page. Throws KcpError. */
  async *listTable(
    type: GroupVersionResource,
    query: Omit<TableQuery, 'namespace'>,
    { signal }: { readonly signal: AbortSignal },
  ): AsyncGenerator<TablePage> {
    const target = { requester: this.#requester, location: this.#location, type };
    for await (const origin of listPages(target, query, tableForm(query), { signal })) yield tablePage(origin);
  }

  /** Opens a watch and answers with its bytes; a Reflector makes sense of them. Throws KcpError, also while it is read. */
  watch(
    type: GroupVersionResource,
    query: Omit<WatchQuery, 'namespace'>,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<AsyncIterable<Buffer>> {
    return openWatch({ requester: this.#requester, location: this.#location, type }, query, { signal });
  }

  /** Words for an error: what is asked and where. */
  describe(verb: string, type: GroupVersionResource): { readonly asked: string; readonly at: string } {
    return { asked: resourceRequest(verb, this.#location, type, {}).asked, at: this.#location.baseUrl };
  }
}
