// The grammars of flag values that are our own. A problem reads on after "must be".
import { isIPv4 } from 'node:net';
import { notParsed, parseWorkspacePath, parsed, type Parsed, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { parseBareUrl, parseListenAddress } from '@dep-ctrl/command-settings';

/** An address that only programs on this machine reach. */
export interface LoopbackAddress {
  readonly host: string;
  readonly port: number;
}

/** A workspace path of at least two segments or `root`. */
export function parsePath(text: string): Parsed<WorkspacePath> {
  const path = parseWorkspacePath(text);
  return path.ok ? path : notParsed('a workspace path such as "root:dep-ctrl"');
}

/** The address that kcp calls, up to and with `/validate`. A path of its own, a query or a user would be lost in the URLs derived from it. */
export function parseWebhookUrl(text: string): Parsed<string> {
  const url = parseBareUrl(text);
  return url !== undefined && ['/', '/validate', '/validate/'].includes(url.pathname)
    ? parsed(`${url.origin}/validate`)
    : notParsed('a URL such as "https://webhook.example.com:9443" or the same with "/validate"');
}

/** `127.0.0.1:8090`, `localhost:8090`, `[::1]:8090`; `:8090` is the first of them. Others would be reached from outside. */
export function parseLoopbackAddress(text: string): Parsed<LoopbackAddress> {
  const address = parseListenAddress(text);
  const host = address.ok ? (address.value.host ?? '127.0.0.1') : '';
  return address.ok && (['localhost', '::1'].includes(host) || isLoopback(host))
    ? parsed({ host, port: address.value.port })
    : notParsed('an address of this machine alone, such as "127.0.0.1:8090" or "[::1]:8090"');
}

function isLoopback(host: string): boolean {
  return isIPv4(host) && host.startsWith('127.');
}
