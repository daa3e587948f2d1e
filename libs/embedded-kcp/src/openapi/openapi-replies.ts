// /openapi/v2 and /openapi/v3: documents by path, with the hashes that let clients keep them. A document is made when it is first
// asked for and kept as long as the resources it describes.
import { createHash } from 'node:crypto';
import type { JsonRecord } from '../json/json.js';
import { bytesReply, type WholeReply } from '../http/reply.js';
import type { ResourceDefinition } from '../machinery/resources/resource-definition.js';
import { openApiV2Document } from './openapi-v2.js';
import { documentedVersions, openApiV3Document, type DocumentedVersion } from './openapi-v3.js';

/** A request for a document. */
export interface OpenApiRequest {
  /** From `/openapi` on, without the cluster. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly accept: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

interface KeptDocument {
  readonly key: string;
  readonly definitions: readonly ResourceDefinition[];
  readonly bytes: Buffer;
  readonly hash: string;
}

// Workspaces with other bindings have other documents; a few of each are kept.
const KEPT_PER_RESOURCE = 16;

// Documents hang on the first resource that they describe, so that they go when it goes.
const documents = new WeakMap<ResourceDefinition, KeptDocument[]>();

/** The answer to a request below /openapi, or undefined when nothing is there. */
export function openApiReply(definitions: readonly ResourceDefinition[], request: OpenApiRequest): WholeReply | undefined {
  if (request.path === '/openapi/v2') return olderReply(request, definitions);
  if (request.path === '/openapi/v3') return documentReply(request, indexOf(definitions), 'anything');
  if (!request.path.startsWith('/openapi/v3/')) return undefined;
  const wanted = request.path.slice('/openapi/v3/'.length);
  const version = documentedVersions(definitions).find(({ path }) => path === wanted);
  return version === undefined
    ? bytesReply(200, [], { 'content-type': 'text/plain' })
    : versionReply(request, documentOf(definitions, version));
}

function indexOf(definitions: readonly ResourceDefinition[]): KeptDocument {
  const paths = documentedVersions(definitions).map((version) => {
    const { hash } = documentOf(definitions, version);
    return [version.path, { serverRelativeURL: `/openapi/v3/${version.path}?hash=${hash}` }];
  });
  return kept('index', definitions, { paths: Object.fromEntries(paths) as JsonRecord });
}

function documentOf(definitions: readonly ResourceDefinition[], { group, version, path }: DocumentedVersion): KeptDocument {
  const described = definitions.filter((one) => one.group === group && one.versions.some(({ name }) => name === version));
  return remembered(path, described, () => openApiV3Document(described, group, version));
}

function olderDocument(definitions: readonly ResourceDefinition[]): KeptDocument {
  return remembered('v2', definitions, () => openApiV2Document(definitions));
}

function remembered(key: string, definitions: readonly ResourceDefinition[], make: () => JsonRecord): KeptDocument {
  const [first] = definitions;
  if (first === undefined) return kept(key, definitions, make());
  const known = documents.get(first) ?? [];
  const found = known.find((one) => one.key === key && sameDefinitions(one.definitions, definitions));
  if (found !== undefined) return found;
  const document = kept(key, definitions, make());
  documents.set(first, [...known.slice(1 - KEPT_PER_RESOURCE), document]);
  return document;
}

function sameDefinitions(a: readonly ResourceDefinition[], b: readonly ResourceDefinition[]): boolean {
  return a.length === b.length && a.every((one, index) => one === b[index]);
}

function kept(key: string, definitions: readonly ResourceDefinition[], document: JsonRecord): KeptDocument {
  const bytes = Buffer.from(JSON.stringify(document));
  return { key, definitions, bytes, hash: createHash('sha512').update(bytes).digest('hex').toUpperCase() };
}

// The hash in the query makes the address of an unchanging document; a stale one is sent on to the present document.
function versionReply(request: OpenApiRequest, document: KeptDocument): WholeReply {
  const asked = request.query.get('hash');
  if (asked !== null && asked !== document.hash) {
    return bytesReply(301, [], { ...cacheHeaders(document), location: `${request.path}?hash=${document.hash}` });
  }
  const reply = documentReply(request, document);
  return asked === null ? reply : { ...reply, headers: { ...reply.headers, 'cache-control': 'public, immutable' } };
}

function documentReply(request: OpenApiRequest, document: KeptDocument, forms: 'json' | 'anything' = 'json'): WholeReply {
  if (forms === 'json' && !acceptsJson(request.accept)) return bytesReply(406, [], { vary: 'Accept' });
  if (request.ifNoneMatch === etag(document)) return bytesReply(304, [], cacheHeaders(document));
  return bytesReply(200, [document.bytes], cacheHeaders(document));
}

/**
 * kubectl takes the older document as protobuf and nothing else, where the newer does not know a kind. One without a byte is a document that
 * says nothing: kubectl validates nothing then, and goes on to say what is wrong with the kind.
 */
function olderReply(request: OpenApiRequest, definitions: readonly ResourceDefinition[]): WholeReply {
  const wantsProtobuf = request.accept?.includes(OLDER_PROTOBUF) === true || request.accept?.includes(OLDER_PROTOBUF_LATER) === true;
  if (!wantsProtobuf || acceptsJson(request.accept)) return documentReply(request, olderDocument(definitions));
  return bytesReply(200, [], { 'content-type': OLDER_PROTOBUF, 'cache-control': 'no-cache, private', vary: 'Accept' });
}

const OLDER_PROTOBUF = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
const OLDER_PROTOBUF_LATER = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';

// The other protobuf forms of a real kcp are not made here: a client that takes nothing else hears 406.
function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept === '') return true;
  const types = accept.split(',').map((part) => part.split(';')[0]?.trim());
  return types.some((type) => type === '*/*' || type === 'application/*' || type === 'application/json');
}

function cacheHeaders(document: KeptDocument): Readonly<Record<string, string>> {
  return { 'cache-control': 'no-cache, private', etag: etag(document), vary: 'Accept' };
}

function etag({ hash }: KeptDocument): string {
  return `"${hash}"`;
}
