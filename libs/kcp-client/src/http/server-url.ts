import { notParsed, parsed, parseWorkspacePath, quote, type Parsed, type WorkspacePath } from '@dep-ctrl/kcp-names';

declare const virtualWorkspaceUrl: unique symbol;

/** The address of a virtual workspace as an endpoint slice gives it: no trailing slash, no `/clusters` part. */
export type VirtualWorkspaceUrl = string & { readonly [virtualWorkspaceUrl]: true };

/** The address of a server and the workspace that its path named. */
export interface ServerUrl {
  /** Everything before `/clusters`, without a trailing slash. */
  readonly baseUrl: string;
  /** A path, or the name of a logical cluster: each name is a path too, mostly of one segment. */
  readonly workspace?: WorkspacePath;
}

/** Takes a kubeconfig's server apart, with or without `/clusters/<workspace>`. */
export function parseServerUrl(text: string): Parsed<ServerUrl> {
  const url = httpUrl(text);
  if (!url.ok) return url;
  const path = url.value.pathname.replace(/\/+$/u, '');
  const [, before, address] = /^(.*?)\/clusters(?:\/([^/]*))?$/u.exec(path) ?? [];
  if (before === undefined) return parsed({ baseUrl: url.value.origin + path });
  const baseUrl = url.value.origin + before;
  if (address === undefined || address === '*') return parsed({ baseUrl });
  const workspace = parseWorkspacePath(address.replaceAll('%3A', ':').replaceAll('%3a', ':'));
  return workspace.ok ? parsed({ baseUrl, workspace: workspace.value }) : workspace;
}

/** Reads the address of a virtual workspace. */
export function parseVirtualWorkspaceUrl(text: string): Parsed<VirtualWorkspaceUrl> {
  const url = httpUrl(text);
  if (!url.ok) return url;
  return parsed((url.value.origin + url.value.pathname.replace(/\/+$/u, '')) as VirtualWorkspaceUrl);
}

function httpUrl(text: string): Parsed<URL> {
  const expected = 'such as "https://kcp.example.com:6443/clusters/root"';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) return notParsed(`${quote(text)} is not a server address: expected a URL ${expected}`);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return notParsed(`${quote(text)} is not an http or https URL ${expected}`);
  if (url.username !== '' || url.password !== '')
    return notParsed(`the server address of ${quote(url.host)} should hold no user or password`);
  if (url.search !== '' || url.hash !== '') return notParsed(`${quote(text)} should end with its path, ${expected}`);
  return parsed(url);
}
