// What @kubernetes/client-node is about to send, as a request of ours; or what is wrong with it. Pure.
import { notParsed, parsed, quote, type Parsed } from '@dep-ctrl/kcp-names';
import type { RawRequest } from '../http/requester.js';

/** The parts of a generated request that matter here. */
export interface GeneratedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** A request below a workspace. */
export interface WorkspaceRequest {
  /** What follows the address of the workspace, query included. */
  readonly path: string;
  readonly request: Omit<RawRequest, 'url' | 'asked'>;
}

const METHODS: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] satisfies readonly RawRequest['method'][];

/** Reads a generated request for the workspace at `base`. What this cannot send as it is meant is refused: a header that is dropped in silence may be `Impersonate-User`. */
export function requestOf(base: string, { method, url, headers, body }: GeneratedRequest): Parsed<WorkspaceRequest> {
  if (!url.startsWith(`${base}/`)) return notParsed(`its address ${quote(url)} is outside of the workspace`);
  if (!isMethod(method)) return notParsed(`the method ${quote(method)} is not supported`);
  const watch = new URL(url).searchParams.get('watch');
  if (watch !== null && watch !== 'false') return notParsed('a watch has no whole answer: use a Reflector, or list without `watch`');
  if (body !== undefined && typeof body !== 'string') return notParsed('its body is a form: only JSON and YAML are supported');
  const { accept, 'content-type': contentType, ...others } = lowerCased(headers);
  const [other] = Object.keys(others);
  if (other !== undefined) return notParsed(`the header ${quote(other)} is not sent: identity and user agent are those of the Connection`);
  return parsed({
    path: url.slice(base.length),
    request: {
      method,
      ...(accept === undefined ? {} : { accept }),
      ...(contentType === undefined ? {} : { contentType }),
      ...(body === undefined ? {} : { body }),
    },
  });
}

// The paths of the APIs that end with a slash and name no object.
const ROOTS = /^\/(?:apis?|apis?\/[^/]+|apis\/[^/]+\/[^/]+|version|logs|openid\/v1\/jwks|\.well-known\/openid-configuration)\/$/u;

/** What is wrong with the path of a generated request: with an empty name, `.` or `..` it would address something else, such as all objects instead of one. */
export function pathProblem(path: string): string | undefined {
  const [, ...segments] = (ROOTS.test(path) ? path.slice(0, -1) : path).split('/');
  const odd = segments.find((segment) => /^(?:\.|%2e){0,2}$/iu.test(segment));
  return odd === undefined ? undefined : `${quote(odd)} is no name`;
}

function isMethod(method: string): method is RawRequest['method'] {
  return METHODS.includes(method);
}

function lowerCased(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
