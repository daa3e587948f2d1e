// Answers requests for stored resources: reads the parameters, lets the machinery act, encodes the result. The same for every resource.
import type { KubeObject, LogicalClusterName } from '@dep-ctrl/kcp-names';
import { stringify as printYaml } from 'yaml';
import { ApiError, methodNotSupported, notFound } from '../../http/api-status.js';
import { methodNotAllowed } from '../requests/method-not-allowed.js';
import { bytesReply, jsonReply, type Reply, type WholeReply } from '../../http/reply.js';
import { withWarnings } from '../../http/warnings.js';
import { awaitRevision } from './await-revision.js';
import { createObject, type Written } from './create-object.js';
import { patchedObject } from '../requests/decode-object.js';
import { deleteCollection, deleteObject } from './delete-object.js';
import { encodeList, encodeObject, type Encoding } from './encode-objects.js';
import { onlyName, parseFieldSelector } from '../resources/field-selector.js';
import { parseLabelSelector } from '../resources/label-selector.js';
import { listPage, tooLarge, type ListQuery } from './list-objects.js';
import { readListOptions, readWatchOptions, type Paging } from '../requests/list-options.js';
import { applyObject } from './apply-object.js';
import { negotiate, refuseMisfit } from '../requests/negotiate.js';
import { readObject, reportDuplicates } from '../requests/read-object.js';
import { applyPatch, duplicatesIn, readConfiguration, readPatch } from '../requests/read-patch.js';
import type { ResourceRequest } from '../requests/resource-request.js';
import { readIncludeObject } from '../resources/table.js';
import { findVisible, updateObject } from './update-object.js';
import { watchReply, type WatchSource } from './watch-objects.js';
import { readDeleteOptions, readPatchOptions, readWriteOptions } from '../requests/write-options.js';
import type { Machinery, WriteTarget } from './write-target.js';

/** The parts that the handler needs beside the machinery. */
export interface HandlerOptions {
  readonly machinery: Machinery;
  readonly bookmarkEveryMs: number;
  /** How long a list waits for a version of the future. */
  readonly futureMs: number;
  readonly onClose: WatchSource['onClose'];
}

/** Serves requests for stored resources. */
export class ResourceHandler {
  readonly #options: HandlerOptions;

  constructor(options: HandlerOptions) {
    this.#options = options;
  }

  /** Answers a request that is authorized. */
  async handle(request: ResourceRequest): Promise<Reply> {
    const { info, cluster, definition } = request;
    if (info.verb === 'list') return this.#list(request);
    if (info.verb === 'watch') return this.#watch(request);
    if (cluster === '*') throw inWildcard(info.verb, definition);
    const target = this.#target(request, cluster);
    switch (info.verb) {
      case 'get':
        return this.#get(request, target);
      case 'create':
        return this.#create(request, target);
      case 'update':
        return this.#update(request, target);
      case 'patch':
        return this.#patch(request, target);
      case 'delete':
        return this.#delete(request, target);
      case 'deletecollection':
        return this.#deleteCollection(request, target);
      default:
        return info.verb satisfies never;
    }
  }

  #target({ definition, version, info, user, visible }: ResourceRequest, cluster: LogicalClusterName): WriteTarget {
    const namespace = definition.namespaced ? (info.namespace ?? '') : '';
    return { definition, version, cluster, namespace, user, visible, subresource: info.subresource };
  }

  async #list(request: ResourceRequest): Promise<Reply> {
    const { store } = this.#options.machinery;
    const query = { ...listSelection(request), ...readListOptions(request.http.query) };
    const asked = Number(query.resourceVersion);
    if (asked > store.revision && !(await awaitRevision(store, asked, { withinMs: this.#options.futureMs, signal: request.http.signal })))
      throw tooLarge(asked, store.revision);
    const page = listPage(store.bucket(request.definition.bucket), store.revision, query);
    const { encoding, yaml } = this.#encoding(request, 'list');
    return encoded(200, encodeList(page, encoding), yaml);
  }

  #watch(request: ResourceRequest): Reply {
    const { store } = this.#options.machinery;
    const query = { ...selection(request), ...readWatchOptions(request.http.query) };
    const source: WatchSource = {
      bucket: store.bucket(request.definition.bucket),
      revision: () => store.revision,
      bookmarkEveryMs: this.#options.bookmarkEveryMs,
      onClose: bothCloses(this.#options.onClose, request.closeOn),
    };
    return watchReply(source, query, this.#encoding(request, 'other').encoding);
  }

  #get(request: ResourceRequest, target: WriteTarget): Reply {
    const name = request.info.name ?? '';
    const stored = findVisible(this.#options.machinery, target, name);
    if (stored === undefined || request.shows?.(stored.object) === false) throw notFound(request.definition, name);
    const { encoding, yaml } = this.#encoding(request, 'object');
    return encoded(200, encodeObject(stored, encoding), yaml);
  }

  async #create(request: ResourceRequest, target: WriteTarget): Promise<Reply> {
    const options = readWriteOptions('CreateOptions', request.http.query, request.http.headers['user-agent']);
    const { object, duplicates } = await readObject(request, options);
    return this.#written(request, await createObject(this.#options.machinery, target, object, options), duplicates);
  }

  async #update(request: ResourceRequest, target: WriteTarget): Promise<Reply> {
    const options = readWriteOptions('UpdateOptions', request.http.query, request.http.headers['user-agent']);
    const { object, duplicates } = await readObject(request, options);
    const name = request.info.name ?? '';
    const claim = { operation: 'Update', manager: options.fieldManager } as const;
    const isMissing = findVisible(this.#options.machinery, target, name) === undefined;
    if (isMissing && request.definition.rules?.allowsCreateOnUpdate === true && target.subresource === undefined) {
      const named: KubeObject = { ...object, metadata: { ...object.metadata, name } };
      return this.#written(request, await createObject(this.#options.machinery, target, named, options), duplicates);
    }
    const change = { make: () => object, retries: false, claim };
    return this.#written(request, await updateObject(this.#options.machinery, target, name, change, options), duplicates);
  }

  async #patch(request: ResourceRequest, target: WriteTarget): Promise<Reply> {
    const { definition, version, http, info } = request;
    const patch = readPatch(await http.body(), http.headers['content-type'], definition);
    const options = readPatchOptions(patch.kind, http.query, http.headers['user-agent']);
    const name = info.name ?? '';
    if (patch.kind === 'apply') {
      return this.#written(request, await applyObject(this.#options.machinery, target, name, readConfiguration(patch), options), []);
    }
    const duplicates = reportDuplicates(duplicatesIn(patch), request, options, patch.kind === 'json' ? 'json patch ' : '');
    const change = {
      make: (current: KubeObject) => patchedObject(applyPatch(current, patch, version), definition, version.name),
      retries: true,
      claim: { operation: 'Update', manager: options.fieldManager },
    } as const;
    return this.#written(request, await updateObject(this.#options.machinery, target, name, change, options), duplicates);
  }

  async #delete(request: ResourceRequest, target: WriteTarget): Promise<Reply> {
    const { definition, http, info } = request;
    const options = readDeleteOptions(await http.body(), http.query);
    const { state, stored, warnings } = await deleteObject(this.#options.machinery, target, info.name ?? '', options);
    const { encoding, yaml } = this.#encoding(request, state === 'stays' ? 'object' : 'other');
    if (state === 'stays') return withWarnings(encoded(200, encodeObject(stored, encoding), yaml), warnings);
    const { group, resource } = definition;
    const details = { name: stored.name, ...(group === '' ? {} : { group }), kind: resource, uid: stored.uid };
    return withWarnings(jsonReply(200, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details }), warnings);
  }

  async #deleteCollection(request: ResourceRequest, target: WriteTarget): Promise<Reply> {
    const { definition, http, info } = request;
    if (!definition.verbs.includes('deletecollection')) throw methodNotAllowed();
    const options = readDeleteOptions(await http.body(), http.query);
    const { labels, fields } = selection(request);
    const scoped = { ...target, namespace: definition.namespaced ? info.namespace : undefined };
    const { objects, warnings } = await deleteCollection(this.#options.machinery, scoped, { labels, fields }, options);
    const { encoding, yaml } = this.#encoding(request, 'list');
    const page = { objects, revision: this.#options.machinery.store.revision };
    return withWarnings(encoded(200, encodeList(page, encoding), yaml), warnings);
  }

  #written(request: ResourceRequest, { stored, warnings, created }: Written, duplicates: readonly string[]): Reply {
    const { encoding, yaml } = this.#encoding(request, 'object');
    return withWarnings(encoded(created ? 201 : 200, encodeObject(stored, encoding), yaml), [...duplicates, ...warnings]);
  }

  #encoding(
    { definition, version, http }: ResourceRequest,
    found: 'object' | 'list' | 'other',
  ): { readonly encoding: Encoding; readonly yaml: boolean } {
    const { form, yaml } = negotiate(http.headers.accept);
    if (found !== 'other') refuseMisfit(form, found, definition);
    const nowMs = this.#options.machinery.now();
    return { encoding: { definition, version, form, includeObject: readIncludeObject(http.query), nowMs }, yaml };
  }
}

function bothCloses(first: WatchSource['onClose'], second: WatchSource['onClose'] | undefined): WatchSource['onClose'] {
  if (second === undefined) return first;
  return (close) => {
    const offs = [first(close), second(close)];
    return () => {
      for (const off of offs) off();
    };
  };
}

/** kcp takes the name of something cluster-scoped for its key, which under the wildcard is nobody's. */
function listSelection(request: ResourceRequest): ReturnType<typeof selection> {
  const selected = selection(request);
  const isKey = request.cluster === '*' && !request.definition.namespaced && onlyName(selected.fields) !== undefined;
  return isKey ? { ...selected, shows: () => false } : selected;
}

function selection({ http, info, definition, version, cluster, visible, shows }: ResourceRequest): Omit<ListQuery, keyof Paging> {
  return {
    scope: { cluster, namespace: definition.namespaced ? info.namespace : undefined },
    shows,
    labels: [...parseLabelSelector(http.query.get('labelSelector') ?? ''), ...(visible ?? [])],
    fields: parseFieldSelector(http.query.get('fieldSelector') ?? '', definition, version),
  };
}

function encoded(status: number, parts: readonly Buffer[], yaml: boolean): WholeReply {
  const headers = { 'cache-control': 'no-cache, private' };
  if (!yaml) return bytesReply(status, parts, headers);
  const text = printYaml(JSON.parse(Buffer.concat(parts).toString()), { lineWidth: 0 });
  return bytesReply(status, [Buffer.from(text)], { ...headers, 'content-type': 'application/yaml' });
}

function inWildcard(verb: string, definition: ResourceRequest['definition']): ApiError {
  const { body } = methodNotSupported(definition, verb);
  return new ApiError({ ...body, message: `${body.message} in the \`*\` logical cluster` });
}
