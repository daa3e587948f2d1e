import type { ProxyFault } from './fault.js';

const answer = (status: number, headers: Readonly<Record<string, string>> = {}, body?: string): ProxyFault => ({
  kind: 'answer',
  status,
  headers,
  ...(body === undefined ? {} : { body }),
});

/** Every way in which a read of the webhook is broken, by what people call it. */
export const EVERY_WAY: Readonly<Record<string, ProxyFault>> = {
  '401': answer(401),
  '403': answer(403),
  '404': answer(404),
  '409': answer(409),
  '410': answer(410),
  '429': answer(429, { 'retry-after': '1' }),
  '500': answer(500),
  '503': answer(503),
  'a reset connection': { kind: 'reset' },
  'a cut body': { kind: 'cut' },
  'half a page': { kind: 'half' },
  'a hang': { kind: 'hang' },
  'another content type': answer(200, { 'content-type': 'text/html' }, '<html><body>please log in</body></html>'),
  'an empty object': answer(200, {}, '{}'),
};
