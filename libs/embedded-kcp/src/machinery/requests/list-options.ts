// The query of a list or watch, and the combinations that Kubernetes refuses.
import { badRequest, invalid, type StatusCause, unreadable } from '../../http/api-status.js';
import { isTrue } from '../../http/request-info.js';

/** The beginning and the size of a page. */
export interface Paging {
  readonly limit: number;
  readonly continueToken: string;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
}

/** The parameters that only a watch has. */
export interface WatchOptions {
  readonly bookmarks: boolean;
  readonly sendInitialEvents: boolean;
  readonly timeoutMs: number;
}

// kube-apiserver picks between one and two times its --min-request-timeout of 30 min.
const LONGEST_MS = 45 * 60_000;

/** Reads the parameters of a list. */
export function readListOptions(query: URLSearchParams): Paging {
  readInteger(query, 'timeoutSeconds');
  const paging = readPaging(query);
  refuse(problemsOfList(paging, query.has('sendInitialEvents')));
  return paging;
}

/** Reads the parameters of a watch. */
export function readWatchOptions(query: URLSearchParams): Paging & WatchOptions {
  const seconds = readInteger(query, 'timeoutSeconds');
  const problem = versionProblem(query);
  if (problem !== undefined) throw unreadable(problem);
  const paging = readPaging(query);
  refuse(problemsOfWatch(paging, query.has('sendInitialEvents')));
  return {
    ...paging,
    bookmarks: isTrue(query.get('allowWatchBookmarks')),
    sendInitialEvents: isTrue(query.get('sendInitialEvents')),
    timeoutMs: seconds > 0 ? seconds * 1000 : LONGEST_MS,
  };
}

function versionProblem(query: URLSearchParams): string | undefined {
  const given = query.get('resourceVersion') ?? '';
  const shown = JSON.stringify(given);
  return /^\d*$/.test(given) ? undefined : `resourceVersion: Invalid value: ${shown}: strconv.ParseUint: parsing ${shown}: invalid syntax`;
}

function readPaging(query: URLSearchParams): Paging {
  const problem = versionProblem(query);
  if (problem !== undefined) throw badRequest(`invalid resource version: ${problem}`);
  return {
    limit: readInteger(query, 'limit'),
    continueToken: query.get('continue') ?? '',
    resourceVersion: query.get('resourceVersion') ?? '',
    resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
  };
}

function readInteger(query: URLSearchParams, name: string): number {
  const text = query.get(name) ?? '';
  if (!/^[-+]?\d*$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  return Number(text);
}

function problemsOfList(
  { resourceVersion, resourceVersionMatch: match, continueToken }: Paging,
  isStreaming: boolean,
): readonly StatusCause[] {
  const stray = isStreaming ? [forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list')] : [];
  if (match === '') return stray;
  if (match !== 'Exact' && match !== 'NotOlderThan') return [unsupported(match, '"Exact", "NotOlderThan", ""'), ...stray];
  const causes = [
    ...(resourceVersion === '' ? ['resourceVersionMatch is forbidden unless resourceVersion is provided'] : []),
    ...(continueToken === '' ? [] : ['resourceVersionMatch is forbidden when continue is provided']),
    ...(match === 'Exact' && resourceVersion === '0' ? ['resourceVersionMatch "exact" is forbidden for resourceVersion "0"'] : []),
  ];
  return [...causes.slice(0, 1).map((why) => forbidden('resourceVersionMatch', why)), ...stray];
}

function problemsOfWatch({ resourceVersionMatch: match, continueToken }: Paging, isStreaming: boolean): readonly StatusCause[] {
  const isRight = match === 'NotOlderThan';
  const causes = [
    ...(isStreaming && !isRight
      ? [forbidden('resourceVersionMatch', 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan')]
      : []),
    ...(!isStreaming && match !== ''
      ? [forbidden('resourceVersionMatch', 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided')]
      : []),
    ...(match !== '' && !isRight ? [unsupported(match, '"NotOlderThan"')] : []),
    ...(continueToken === '' ? [] : [forbidden('resourceVersionMatch', 'resourceVersionMatch is forbidden when continue is provided')]),
  ];
  return causes;
}

function refuse(causes: readonly StatusCause[]): void {
  if (causes.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', causes);
}

function forbidden(field: string, why: string): StatusCause {
  return { reason: 'FieldValueForbidden', message: `Forbidden: ${why}`, field };
}

function unsupported(match: string, supported: string): StatusCause {
  const message = `Unsupported value: ${JSON.stringify(match)}: supported values: ${supported}`;
  return { reason: 'FieldValueNotSupported', message, field: 'resourceVersionMatch' };
}
