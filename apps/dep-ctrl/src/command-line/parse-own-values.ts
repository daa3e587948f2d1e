// The grammars of flag values that are our own. A problem reads on after "must be".
import { notParsed, parseWorkspacePath, parsed, type Parsed, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { parseBareUrl } from '@dep-ctrl/command-settings';

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
