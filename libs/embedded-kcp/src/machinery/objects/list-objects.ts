// Selects the objects of a list, at a revision and by pages. Pure over the bucket; only the wait for a future revision is not.
import type { KubeObject, LogicalClusterName } from '@dep-ctrl/kcp-names';
import { ApiError, badRequest, expired } from '../../http/api-status.js';
import { outerKey, type Bucket, type Scope } from '../../storage/bucket.js';
import type { StoredObject } from '../../storage/stored-object.js';
import { matchesFields, onlyName, type FieldSelector } from '../resources/field-selector.js';
import { matchesLabels, type LabelSelector } from '../resources/label-selector.js';
import type { Paging } from '../requests/list-options.js';

/** The query of a list. */
export interface ListQuery extends Paging {
  readonly scope: { readonly cluster: LogicalClusterName | '*'; readonly namespace?: string | undefined };
  readonly labels: LabelSelector;
  readonly fields: FieldSelector;
  readonly shows?: ((object: KubeObject) => boolean) | undefined;
}

/** One page. */
export interface ListPage {
  readonly objects: readonly StoredObject[];
  readonly revision: number;
  readonly continueToken?: string;
  readonly remaining?: number;
}

/** One page of a bucket. `revision` is the shard's current one; the caller has waited for it where the query asks for a later. */
export function listPage(bucket: Bucket, revision: number, query: ListQuery): ListPage {
  const { cluster, namespace } = query.scope;
  const scope: Scope = namespace === undefined ? { cluster } : { cluster, namespace };
  const start = readStart(query);
  const at = start?.revision ?? exactRevision(query) ?? revision;
  const all = at === revision ? listNow(bucket, scope, query.fields) : bucket.listAt(scope, at);
  if (all === undefined) throw tooOld(start, revision);
  const isSelective = query.labels.length > 0 || query.fields.length > 0 || query.shows !== undefined;
  const { objects, next } = takePage(all, start === undefined ? 0 : firstAtOrAfter(all, scope, start.key), query, isSelective);
  const last = all[next - 1];
  if (next >= all.length || last === undefined) return { objects, revision: at };
  const continueToken = printToken(at, relativeKey(scope, last));
  return { objects, revision: at, continueToken, ...(isSelective ? {} : { remaining: all.length - next }) };
}

// One name in one namespace is one key: no walk through all objects.
function listNow(bucket: Bucket, scope: Scope, fields: FieldSelector): readonly StoredObject[] {
  const { cluster, namespace } = scope;
  const name = onlyName(fields);
  if (name === undefined || cluster === '*' || namespace === undefined) return bucket.list(scope);
  const object = bucket.get({ cluster, namespace, name });
  return object === undefined ? [] : [object];
}

function takePage(
  all: readonly StoredObject[],
  from: number,
  query: ListQuery,
  isSelective: boolean,
): { readonly objects: readonly StoredObject[]; readonly next: number } {
  const limit = query.limit > 0 && query.resourceVersion !== '0' ? query.limit : Number.POSITIVE_INFINITY;
  const objects: StoredObject[] = [];
  let next = from;
  for (; next < all.length && objects.length < limit; next += 1) {
    const stored = all[next];
    if (stored !== undefined && (!isSelective || isShown(stored, query))) objects.push(stored);
  }
  return { objects, next };
}

/** Whether a list or watch shows an object: selected, and not hidden from this caller. */
export function isShown(stored: StoredObject, query: Pick<ListQuery, 'labels' | 'fields' | 'shows'>): boolean {
  return isSelected(stored, query) && query.shows?.(stored.object) !== false;
}

/** Whether an object meets the selectors of a query. */
export function isSelected({ object }: StoredObject, { labels, fields }: Pick<ListQuery, 'labels' | 'fields'>): boolean {
  return matchesLabels(labels, object.metadata.labels) && matchesFields(fields, object);
}

/** kube-apiserver's answer if a future version does not come in time. */
export function tooLarge(asked: number, current: number): ApiError {
  return new ApiError(
    {
      code: 504,
      reason: 'Timeout',
      message: `Timeout: Too large resource version: ${asked}, current: ${current}`,
      details: { causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }], retryAfterSeconds: 1 },
    },
    { 'retry-after': '1' },
  );
}

// Before resourceVersionMatch existed, a limit together with a version meant exactly that version; it still does.
function exactRevision({ resourceVersion, resourceVersionMatch, limit }: ListQuery): number | undefined {
  if (resourceVersion === '' || resourceVersion === '0') return undefined;
  return resourceVersionMatch === 'Exact' || (resourceVersionMatch === '' && limit > 0) ? Number(resourceVersion) : undefined;
}

interface Start {
  readonly revision: number | undefined;
  readonly key: string;
}

function readStart({ continueToken, resourceVersion }: ListQuery): Start | undefined {
  if (continueToken === '') return undefined;
  if (resourceVersion !== '' && resourceVersion !== '0') throw badRequest('specifying resource version is not allowed when using continue');
  const text = Buffer.from(continueToken, 'base64url').toString();
  const wrong = (why: string): ApiError => badRequest(`invalid continue token: continue key is not valid: ${why}`);
  const illegal = illegalByte(continueToken);
  if (illegal !== undefined) throw wrong(`illegal base64 data at input byte ${illegal}`);
  let token: unknown;
  try {
    token = JSON.parse(text);
  } catch {
    throw wrong(`invalid character '${text[0] ?? ''}' looking for beginning of value`);
  }
  const { v, rv, start } = token as { v?: unknown; rv?: unknown; start?: unknown };
  if (v !== 'meta.k8s.io/v1') throw wrong(`server does not recognize this encoded version ${JSON.stringify(v)}`);
  if (typeof start !== 'string' || !start.startsWith('/') || typeof rv !== 'number')
    throw wrong(`encoded start key empty (version meta.k8s.io/v1)`);
  return { revision: rv < 0 ? undefined : rv, key: start.slice(1).replace(/\0$/, '') };
}

// Where Go's decoder stops reading base64 without padding.
function illegalByte(text: string): number | undefined {
  const strange = text.search(/[^A-Za-z0-9_-]/);
  if (strange !== -1) return strange;
  return text.length % 4 === 1 ? text.length - 1 : undefined;
}

function printToken(revision: number, key: string): string {
  return Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: revision, start: `/${key}\0` })).toString('base64url');
}

// The 410 carries a token with which a client may go on inconsistently.
function tooOld(start: Start | undefined, current: number): ApiError {
  if (start === undefined) return expired(`The resourceVersion for the provided list is too old.`);
  const again = Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: -1, start: `/${start.key}\0` })).toString('base64url');
  const error = expired(
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
  );
  return new ApiError({ ...error.body, metadata: { continue: again, resourceVersion: String(current) } });
}

function relativeKey(scope: Scope, stored: StoredObject): string {
  if (scope.cluster === '*') return outerKey(stored);
  return scope.namespace === undefined && stored.namespace !== '' ? `${stored.namespace}/${stored.name}` : stored.name;
}

function firstAtOrAfter(all: readonly StoredObject[], scope: Scope, key: string): number {
  const index = all.findIndex((stored) => relativeKey(scope, stored) > key);
  return index === -1 ? all.length : index;
}
