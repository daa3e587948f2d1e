import type { GroupVersionResource } from '@dep-ctrl/kcp-names';
import { expectJson, invalidResponse, parseJson } from './json-body.js';
import { isKcpError, KcpError } from '../errors/kcp-error.js';
import { readListHead } from './list-head.js';
import type { PageOrigin } from './list-page.js';
import type { AnswerMemory } from '../http/page-buffer.js';
import { resourceRequest, type ClusterLocation } from './resource-url.js';
import type { Requester } from '../http/requester.js';
import { afterFitting, afterTooLarge, firstPageSize, type PageSize } from './page-size.js';

/** Which objects to list, and how. */
export interface ListQuery {
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** Objects per page. Default 500. */
  readonly limit?: number | undefined;
  /** Objects on the first page, where it is known how many fit. More are asked for after it, if those are small. Default: `limit`. */
  readonly firstLimit?: number | undefined;
  /** Whole objects (default) or apiVersion, kind and metadata only. */
  readonly as?: 'objects' | 'metadata' | undefined;
  /** The largest list to take, all pages together. Default 256 MiB. */
  readonly maxBytes?: number | undefined;
  /** The largest page to take. Default: what is left of `maxBytes`. */
  readonly maxPageBytes?: number | undefined;
  /** What to do about a page that is larger: ask for fewer objects, as long as there is more than one, or `fail` (default) with `too-large`. */
  readonly onTooLarge?: 'shrink' | 'fail' | undefined;
  /** The same about a page that kcp does not make ready in time: it may be too much for it. */
  readonly onTimeout?: 'shrink' | 'fail' | undefined;
  /** Is told how many objects fit on a page, where a page with `limit` of them was too large. */
  readonly onShrunk?: ((limit: number) => void) | undefined;
  /** Memory for the pages: each is overwritten when the next is asked for. Default: each page has its own. */
  readonly buffer?: AnswerMemory | undefined;
  /**
   * What to do when the server forgets where the list was (410): begin anew, visible as `restarted` on the next page (up to three
   * times), or `fail` (default) with `expired`.
   */
  readonly onExpired?: 'restart' | 'fail' | undefined;
  /** Absent: strongly consistent. `0`: whatever the server has at hand. */
  readonly resourceVersion?: string | undefined;
  /** Deadline of each page, instead of the connection's. */
  readonly timeoutMs?: number | undefined;
}

/** Which rows of a Table to list. */
export interface TableQuery extends Omit<ListQuery, 'as'> {
  /** What comes beside the cells. Default `None`. */
  readonly includeObject?: 'None' | 'Metadata' | undefined;
}

/** Where to list what. */
export interface ListTarget {
  readonly requester: Requester;
  readonly location: ClusterLocation;
  readonly type: GroupVersionResource;
}

/** The form of the answer. */
export interface ListForm {
  readonly accept: string;
  readonly shape: 'items' | 'rows';
  readonly includeObject?: string;
}

const MAX_RESTARTS = 3;
// Selectors may leave a page empty; no server that makes progress leaves so many.
const MAX_EMPTY_PAGES = 100;
// kind, versions and a continue token, and the columns of a Table.
const HEAD_BYTES = 16 * 1024;
const DEFAULT_LIMIT = 500;
const DEFAULT_MAX_BYTES = 256 * 1024 * 1024;
const JSON_TYPE = 'application/json';

/** The form that a query for objects asks for. */
export function objectForm({ as = 'objects' }: ListQuery): ListForm {
  const accept = as === 'objects' ? JSON_TYPE : `${JSON_TYPE};as=PartialObjectMetadataList;v=v1;g=meta.k8s.io`;
  return { accept, shape: 'items' };
}

/** The form that a query for a Table asks for. */
export function tableForm({ includeObject = 'None' }: TableQuery): ListForm {
  return { accept: `${JSON_TYPE};as=Table;v=v1;g=meta.k8s.io`, shape: 'rows', includeObject };
}

/** Lists page by page. Throws KcpError; never a page that was not read whole. */
export async function* listPages(
  target: ListTarget,
  query: Omit<ListQuery, 'as'>,
  form: ListForm,
  { signal }: { readonly signal: AbortSignal },
): AsyncGenerator<PageOrigin> {
  let token: string | undefined;
  let restarts = 0;
  let restarted = false;
  let emptyPages = 0;
  let left = query.maxBytes ?? DEFAULT_MAX_BYTES;
  let size = firstPageSize(query.limit ?? DEFAULT_LIMIT, query.firstLimit);
  for (;;) {
    let page: PageOrigin;
    try {
      page = { ...(await readPage(target, { query, form, token, left, limit: size.limit }, signal)), restarted };
    } catch (failure) {
      const smaller = left > 0 ? smallerAfter(failure, size, query) : undefined;
      if (smaller !== undefined) {
        size = smaller;
        continue;
      }
      const again = token !== undefined && query.onExpired === 'restart' && restarts < MAX_RESTARTS;
      if (!again || !isKcpError(failure, 'expired')) throw failure;
      token = undefined;
      restarted = true;
      restarts += 1;
      left = query.maxBytes ?? DEFAULT_MAX_BYTES;
      continue;
    }
    yield page;
    restarted = false;
    const next = page.head.continue;
    if (next === '') return;
    if (next === token) throw invalidResponse(page, 'the list does not move on: a page points to itself');
    emptyPages = isEmpty(page, form) ? emptyPages + 1 : 0;
    if (emptyPages > MAX_EMPTY_PAGES) throw invalidResponse(page, `the list does not move on: ${emptyPages} pages in a row hold nothing`);
    token = next;
    left -= page.bytes.length;
    const known = afterFitting(size, { bytes: page.bytes.length, maxBytes: Math.min(left, query.maxPageBytes ?? left) });
    if (known !== size) query.onShrunk?.(known.limit);
    size = known;
  }
}

/** Undefined: it is of no use to ask for fewer objects. */
function smallerAfter(failure: unknown, size: PageSize, { onTooLarge, onTimeout }: ListQuery): PageSize | undefined {
  const shrinks =
    (onTooLarge === 'shrink' && isKcpError(failure, 'too-large')) || (onTimeout === 'shrink' && isKcpError(failure, 'timeout'));
  return shrinks ? afterTooLarge(size) : undefined;
}

/** Whether a page holds nothing; one that is larger than a head surely holds something. */
function isEmpty(page: PageOrigin, { shape }: ListForm): boolean {
  if (page.bytes.length > HEAD_BYTES) return false;
  const parsed = parseJson(page, page.bytes);
  const held: unknown =
    typeof parsed === 'object' && parsed !== null ? Object.entries(parsed).find(([key]) => key === shape)?.[1] : undefined;
  return !Array.isArray(held) || held.length === 0;
}

interface PageQuestion {
  readonly query: Omit<ListQuery, 'as'>;
  readonly form: ListForm;
  readonly token: string | undefined;
  readonly left: number;
  readonly limit: number;
}

async function readPage(
  { requester, location, type }: ListTarget,
  question: PageQuestion,
  signal: AbortSignal,
): Promise<Omit<PageOrigin, 'restarted'>> {
  const { query, form, token, left, limit } = question;
  const request = resourceRequest(
    'list',
    location,
    type,
    { namespace: query.namespace },
    {
      limit,
      continue: token,
      labelSelector: query.labelSelector,
      fieldSelector: query.fieldSelector,
      resourceVersion: token === undefined ? query.resourceVersion : undefined,
      includeObject: form.includeObject,
    },
  );
  const origin = { asked: request.asked, at: location.baseUrl };
  if (left <= 0) throw new KcpError({ ...origin, code: 'too-large', problem: 'the list is larger than the caller allowed' });
  const { timeoutMs, maxPageBytes = left, buffer } = query;
  const response = await requester.request(
    {
      method: 'GET',
      url: request.url,
      asked: request.asked,
      accept: form.accept,
      maxBytes: Math.min(left, maxPageBytes),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(buffer === undefined ? {} : { into: buffer }),
    },
    { signal },
  );
  expectJson(origin, response);
  const head = readListHead(response.body, form.shape);
  if (head === undefined)
    throw invalidResponse(origin, `the answer of ${response.body.length} bytes is no ${form.shape === 'rows' ? 'Table' : 'list'}`);
  return { ...origin, bytes: response.body, head };
}
