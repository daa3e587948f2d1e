import { parseCallTimeout } from '@dep-ctrl/admission-server';
import { HANDED_OVER } from '../../own-objects/handed-over.js';
import { parseLogicalClusterName, type LogicalClusterName } from '@dep-ctrl/kcp-names';

/**
 * What a doubt leads to, by the URL that kcp called: `enforcing` refuses; `advisory` (Warn and Audit rules) and `bypass` (annotated objects) allow with a
 * warning. `handed-over` refuses everything: the rules of an earlier installation are not back.
 */
export type ReviewMode = 'enforcing' | 'advisory' | 'bypass' | typeof HANDED_OVER;

/** Whether a doubt leads to an answer that allows. */
export function isLenient(mode: ReviewMode): boolean {
  return mode === 'advisory' || mode === 'bypass';
}

/** The parts of a review's URL: guarded workspace, token, mode, and for how long kcp waits. */
export interface ReviewTarget {
  /** The guarded workspace; undefined for a configuration that names none: then every rule for the resource counts. */
  readonly guardedCluster: LogicalClusterName | undefined;
  readonly token: string | undefined;
  readonly mode: ReviewMode;
  readonly timeoutMs: number;
}

/** The parts of the URL for written rules and guards. */
export interface AdmissionTarget {
  readonly asksAbout: 'rules';
  readonly token: string | undefined;
  readonly timeoutMs: number;
}

/** The target of a URL that kcp calls. */
export type ServedTarget = ReviewTarget | AdmissionTarget;

/** Whether the call is about a rule or guard that is written. */
export function isAdmissionTarget(target: ServedTarget): target is AdmissionTarget {
  return 'asksAbout' in target;
}

/** Whether a URL begins like one of kcp's calls. */
export function isCallOfKcp(url: string): boolean {
  return /^\/(?:validate|admit)(?:[/?]|$)/.test(url);
}

/** Reads the URL of a call; undefined when it is anything else. */
export function parseServedTarget(url: string): ServedTarget | undefined {
  return parseAdmissionTarget(url) ?? parseReviewTarget(url);
}

/** Reads `/validate[/<cluster>[/<token>]][/advisory|/bypass|/handed-over][?timeout=10s]`; undefined when the URL is anything else. */
export function parseReviewTarget(url: string): ReviewTarget | undefined {
  const [path, query] = splitOnce(url, '?');
  const [root, first, ...rest] = path.split('/');
  if (root !== '' || first !== 'validate') return undefined;
  const last = rest.at(-1);
  const mode = last === 'advisory' || last === 'bypass' || last === HANDED_OVER ? last : 'enforcing';
  const [cluster, token, ...excess] = mode === 'enforcing' ? rest : rest.slice(0, -1);
  if (excess.length > 0 || token === '') return undefined;
  const timeoutMs = parseCallTimeout(query);
  if (cluster === undefined) return { guardedCluster: undefined, token, mode, timeoutMs };
  const name = parseLogicalClusterName(decode(cluster));
  return name.ok ? { guardedCluster: name.value, token, mode, timeoutMs } : undefined;
}

/** Reads `/admit[/<token>][?timeout=10s]`. */
function parseAdmissionTarget(url: string): AdmissionTarget | undefined {
  const [path, query] = splitOnce(url, '?');
  const [, token] = /^\/admit(?:\/([^/]+))?$/.exec(path) ?? [undefined, ''];
  return token === '' ? undefined : { asksAbout: 'rules', token, timeoutMs: parseCallTimeout(query) };
}

function splitOnce(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
