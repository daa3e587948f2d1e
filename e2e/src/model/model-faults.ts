// What a model run breaks: reads of the webhook, of consumers and of virtual workspaces alike, and processes.
import type { ProxyFault, RequestMatch } from '../faults/fault.js';
import type { Cast } from './cast.js';
import type { Chance } from './chance.js';

/** Something that is broken. */
export interface BrokenPart {
  readonly what: string;
  /** Which read is broken, and how many requests have met that; absent where a process is killed. */
  readonly fault?: { readonly read: string; readonly hits: () => Promise<number> };
  mend(): Promise<void>;
}

const answer = (status: number): ProxyFault => ({ kind: 'answer', status });
const WAYS: Readonly<Record<string, ProxyFault>> = {
  '401': answer(401),
  '403': answer(403),
  '404': answer(404),
  '409': answer(409),
  '410': answer(410),
  '429': { kind: 'answer', status: 429, headers: { 'retry-after': '1' } },
  '500': answer(500),
  '503': answer(503),
  'a reset': { kind: 'reset' },
  'a cut body': { kind: 'cut' },
  'half an answer': { kind: 'half' },
  'an empty object': { kind: 'answer', status: 200, body: '{}' },
  'a delay': { kind: 'delay', ms: 200 },
};
const READS = [
  'apibindings(?:/[^/]+)?',
  'things(?:/[^/]+)?',
  'places(?:/[^/]+)?',
  'apiexportendpointslices(?:/[^/]+)?',
  'apiresourceschemas/[^/]+',
  'dependencyrules',
  'dependencyguards',
  '(?:logicalclusters|workspaces)/[^/]+',
] as const;
const KILLS_IN_HUNDRED = 5;

/** Breaks something at random. The cast's world is to be breakable. */
export async function breakSomething(cast: Cast, chance: Chance): Promise<BrokenPart> {
  const { product } = cast.world;
  const isKill = chance.percent(KILLS_IN_HUNDRED);
  const way = chance.pick(Object.keys(WAYS));
  const read = chance.pick(READS);
  const fault = WAYS[way];
  if (isKill || fault === undefined) {
    const role = chance.percent(50) ? product.webhook : product.controller;
    await role.kill();
    return { what: `kill the ${role.name}`, mend: () => role.start() };
  }
  // Of this cast alone: other seeds are played by installations of their own, each with a proxy of its own.
  const match: RequestMatch = { caller: 'webhook', method: /^GET$/, path: new RegExp(`/${read}$`), isWatch: false };
  const broken = await product.faults.breakWhere(match, fault);
  return { what: `${way} for ${read}`, fault: { read, hits: () => broken.hits() }, mend: () => broken.mend() };
}
