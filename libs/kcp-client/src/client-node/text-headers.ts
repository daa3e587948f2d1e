import type { IncomingHttpHeaders } from 'node:http';

/** Headers as client-node has them: one text each. */
export function textHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) texts[name] = typeof value === 'string' ? value : value.join(', ');
  return texts;
}
