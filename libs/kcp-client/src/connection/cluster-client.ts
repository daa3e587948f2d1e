import type {
  ClusterAddress,
  GroupVersionResource,
  KubeLike,
  KubeObject,
  LogicalClusterName,
  Parsed,
  WorkspacePath,
} from '@dep-ctrl/kcp-names';
import { invalidResponse, objectFrom } from '../requests/json-body.js';
import { KcpError } from '../errors/kcp-error.js';
import { listPage, tablePage, type ListPage, type TablePage } from '../requests/list-page.js';
import { listPages, objectForm, tableForm, type ListQuery, type TableQuery } from '../requests/list-pages.js';
import { clusterUrl, pathRequest, resourceRequest, type ClusterLocation, type ResourceRef } from '../requests/resource-url.js';
import type { RawRequest, RawResponse, Requester } from '../http/requester.js';
import type { WatchableClient } from './wildcard-client.js';
import { openWatch, type WatchQuery } from '../requests/watch-query.js';

/** What every call takes: when to give up, and how long it may last at most. */
export interface CallOptions {
  readonly signal: AbortSignal;
  /** Instead of the connection's deadline. */
  readonly timeoutMs?: number | undefined;
}

/** Reads an object as a type of the caller's own, or says what is wrong with it. */
export type ParseObject<T> = (object: KubeObject) => Parsed<T>;

/** Options of calls that write. */
export interface WriteOptions extends CallOptions {
  /** Go through admission, store nothing. */
  readonly dryRun?: boolean | undefined;
  readonly fieldManager?: string | undefined;
}

/** Options of a delete. */
export interface DeleteOptions extends CallOptions {
  readonly preconditions?: { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined } | undefined;
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground' | undefined;
  readonly dryRun?: boolean | undefined;
}

/** One object of a type. */
export interface NamedRef extends ResourceRef {
  readonly name: string;
}

/** How to change an object without its whole content. `apply` is server-side apply; through a virtual workspace it never prunes. */
export type Patch =
  | { readonly kind: 'merge'; readonly body: object; readonly fieldManager?: string | undefined }
  | { readonly kind: 'json'; readonly body: readonly object[]; readonly fieldManager?: string | undefined }
  | { readonly kind: 'apply'; readonly body: object; readonly fieldManager: string; readonly force?: boolean | undefined };

/** An object to write, of any type. */
type Written = KubeObject | KubeLike;

/** What a caller does with objects of no particular type: a port for code that takes a ClusterClient, small enough for the fakes of its tests. */
export interface ObjectClient {
  get(type: GroupVersionResource, ref: NamedRef, options: CallOptions): Promise<KubeObject>;
  create(type: GroupVersionResource, object: KubeObject, options: WriteOptions): Promise<KubeObject>;
  replace(type: GroupVersionResource, object: KubeObject, options: WriteOptions): Promise<KubeObject>;
  /** Words for an error: what is asked and where. */
  describe(verb: string, type: GroupVersionResource): { readonly asked: string; readonly at: string };
}

/** The same port for a caller that patches what it has read. */
export interface PatchClient extends Pick<ObjectClient, 'get'> {
  patch(type: GroupVersionResource, ref: NamedRef, patch: Patch, options: Omit<WriteOptions, 'fieldManager'>): Promise<KubeObject>;
}

interface Call {
  readonly verb: string;
  readonly method: RawRequest['method'];
  readonly type: GroupVersionResource;
  readonly ref: ResourceRef;
  readonly sent?: { readonly body: object; readonly contentType?: string; readonly force?: boolean };
}

const PATCH_TYPES = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  apply: 'application/apply-patch+yaml', // JSON is YAML
} as const satisfies Record<Patch['kind'], string>;

/**
 * One workspace: reads and writes of any type. Every call throws KcpError and nothing else; none is retried (see `retrying`).
 * Answers are checked to be objects with metadata; their content is for the caller to parse. A type that is given (`get<Widget>`) is the caller's word for
 * what the content is, as with `as`: nothing checks it, and a Date of such a type is a string. `get` with `parse` believes nothing.
 */
export class ClusterClient implements WatchableClient, ObjectClient {
  /** The workspace; absent for a ServiceAccount's own. */
  readonly address?: LogicalClusterName | WorkspacePath;
  readonly #requester: Requester;
  readonly #location: ClusterLocation;

  constructor(requester: Requester, location: { readonly baseUrl: string; readonly address?: LogicalClusterName | WorkspacePath }) {
    if (location.address !== undefined) this.address = location.address;
    this.#requester = requester;
    this.#location = location satisfies { readonly address?: ClusterAddress };
  }

  /** Reads one object, or one of its subresources; `parse` makes it the caller's own, and what it does not take is `invalid-response`. */
  get<T>(type: GroupVersionResource, ref: NamedRef, options: CallOptions & { readonly parse: ParseObject<T> }): Promise<T>;
  get<T extends KubeLike = KubeObject>(type: GroupVersionResource, ref: NamedRef, options: CallOptions): Promise<NoInfer<T>>;
  async get(type: GroupVersionResource, ref: NamedRef, options: CallOptions & { readonly parse?: ParseObject<unknown> }): Promise<unknown> {
    const object = await this.#call({ verb: 'get', method: 'GET', type, ref }, options);
    if (options.parse === undefined) return object;
    const parsed = options.parse(object);
    if (parsed.ok) return parsed.value;
    throw invalidResponse({ asked: this.#describe('get', type, ref), at: this.#location.baseUrl }, parsed.problem);
  }

  /** Reads one object as the bytes that kcp sent, for a caller with a parser of its own. */
  async getBytes(
    type: GroupVersionResource,
    ref: NamedRef,
    options: CallOptions & { readonly maxBytes?: number | undefined },
  ): Promise<Buffer> {
    const request = resourceRequest('get', this.#location, type, ref);
    const { maxBytes } = options;
    const bound = maxBytes === undefined ? {} : { maxBytes };
    return (await this.#requester.request({ ...request, method: 'GET', ...deadline(options), ...bound }, options)).body;
  }

  /** Lists page by page. */
  async *list(type: GroupVersionResource, query: ListQuery, { signal }: CallOptions): AsyncGenerator<ListPage> {
    const target = { requester: this.#requester, location: this.#location, type };
    for await (const origin of listPages(target, query, objectForm(query), { signal })) yield listPage(origin);
  }

  /** Lists as a Table, page by page: the cells of the printer columns instead of objects. */
  async *listTable(type: GroupVersionResource, query: TableQuery, { signal }: CallOptions): AsyncGenerator<TablePage> {
    const target = { requester: this.#requester, location: this.#location, type };
    for await (const origin of listPages(target, query, tableForm(query), { signal })) yield tablePage(origin);
  }

  /** Opens a watch and answers with its bytes; a Reflector makes sense of them. */
  watch(type: GroupVersionResource, query: WatchQuery, { signal }: { readonly signal: AbortSignal }): Promise<AsyncIterable<Buffer>> {
    return openWatch({ requester: this.#requester, location: this.#location, type }, query, { signal });
  }

  /** Creates an object in the namespace that its metadata names. */
  create<T extends KubeLike = KubeObject>(type: GroupVersionResource, object: Written, options: WriteOptions): Promise<NoInfer<T>> {
    return this.#call<T>({ verb: 'create', method: 'POST', type, ref: namespaceOf(object), sent: { body: object } }, options);
  }

  /** Replaces an object; its `metadata.resourceVersion` makes that safe against other writers (`conflict`). */
  async replace<T extends KubeLike = KubeObject>(type: GroupVersionResource, object: Written, options: WriteOptions): Promise<NoInfer<T>> {
    return this.#call<T>({ verb: 'replace', method: 'PUT', type, ref: this.#refOf(type, object), sent: { body: object } }, options);
  }

  /** Replaces the status of an object. */
  async replaceStatus<T extends KubeLike = KubeObject>(
    type: GroupVersionResource,
    object: Written,
    options: WriteOptions,
  ): Promise<NoInfer<T>> {
    const ref = { ...this.#refOf(type, object), subresource: 'status' };
    return this.#call<T>({ verb: 'replace', method: 'PUT', type, ref, sent: { body: object } }, options);
  }

  /** Changes a part of an object or of a subresource. */
  patch<T extends KubeLike = KubeObject>(
    type: GroupVersionResource,
    ref: NamedRef,
    patch: Patch,
    options: Omit<WriteOptions, 'fieldManager'>,
  ): Promise<NoInfer<T>> {
    const { kind, body, fieldManager } = patch;
    const all: WriteOptions = fieldManager === undefined ? options : { ...options, fieldManager };
    const sent = { body, contentType: PATCH_TYPES[kind], force: kind === 'apply' && patch.force === true };
    return this.#call<T>({ verb: kind === 'apply' ? 'apply' : 'patch', method: 'PATCH', type, ref, sent }, all);
  }

  /** Deletes an object. Resolves when the server took it: finalizers may keep the object for longer. */
  async delete(type: GroupVersionResource, ref: NamedRef, options: DeleteOptions): Promise<void> {
    const { preconditions, propagationPolicy, dryRun } = options;
    const body = {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      ...(preconditions === undefined ? {} : { preconditions }),
      ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
      ...(dryRun === true ? { dryRun: ['All'] } : {}),
    };
    const request = resourceRequest('delete', this.#location, type, ref);
    await this.#requester.request({ ...request, method: 'DELETE', body: JSON.stringify(body), ...deadline(options) }, options);
  }

  /** The address of the workspace: its paths follow it. */
  get url(): string {
    return clusterUrl(this.#location);
  }

  /**
   * Sends one request to a path of the workspace: for what is no resource, such as `/version`, and for the clients of others. The path is sent as it is;
   * names in it are for the caller to check.
   */
  request(path: string, request: Omit<RawRequest, 'url' | 'asked'>, options: CallOptions): Promise<RawResponse> {
    const target = pathRequest(request.method.toLowerCase(), this.#location, path);
    return this.#requester.request({ ...deadline(options), ...request, ...target }, options);
  }

  /** Words for an error: what is asked and where. */
  describe(verb: string, type: GroupVersionResource): { readonly asked: string; readonly at: string } {
    return { asked: this.#describe(verb, type, {}), at: this.#location.baseUrl };
  }

  #describe(verb: string, type: GroupVersionResource, ref: ResourceRef): string {
    return resourceRequest(verb, this.#location, type, ref).asked;
  }

  async #call<T extends KubeLike = KubeObject>({ verb, method, type, ref, sent }: Call, options: WriteOptions): Promise<T> {
    const request = resourceRequest(verb, this.#location, type, ref, {
      dryRun: options.dryRun === true ? 'All' : undefined,
      fieldManager: options.fieldManager,
      force: sent?.force === true ? true : undefined,
    });
    const response = await this.#requester.request({ ...request, method, ...payload(sent), ...deadline(options) }, options);
    // What the content is, is the caller's word.
    return objectFrom({ asked: request.asked, at: this.#location.baseUrl }, response) as KubeLike as T;
  }

  #refOf(type: GroupVersionResource, object: Written): NamedRef {
    const { name } = object.metadata ?? {};
    if (name !== undefined) return { ...namespaceOf(object), name };
    throw new KcpError({ ...this.describe('replace', type), code: 'invalid', problem: 'the object has no metadata.name' });
  }
}

function namespaceOf({ metadata }: Written): ResourceRef {
  return { namespace: metadata?.namespace };
}

function payload(sent: { readonly body: object; readonly contentType?: string } | undefined): Pick<RawRequest, 'body' | 'contentType'> {
  if (sent === undefined) return {};
  return { body: JSON.stringify(sent.body), contentType: sent.contentType ?? 'application/json' };
}

function deadline({ timeoutMs }: CallOptions): Pick<RawRequest, 'timeoutMs'> {
  return timeoutMs === undefined ? {} : { timeoutMs };
}
