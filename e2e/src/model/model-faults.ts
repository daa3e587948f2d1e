// What a model run breaks: reads of the webhook where this kcp can break single requests, and processes everywhere.
import type { RequestFault } from '@dep-ctrl/embedded-kcp';
import type { Cast } from './cast.js';
import type { Chance } from './chance.js';

/** Something that is broken. */
export interface BrokenPart {
  readonly what: string;
  mend(): Promise<void>;
}

const WAYS: Readonly<Record<string, RequestFault>> = {
  '403': { kind: 'answer', status: 403 },
  '404': { kind: 'answer', status: 404 },
  '410': { kind: 'answer', status: 410 },
  '500': { kind: 'answer', status: 500 },
  'a reset': { kind: 'drop' },
  'half an answer': { kind: 'cut', afterBytes: 80 },
  'a delay': { kind: 'delay', ms: 200 },
};
const READS = ['apibindings', 'things', 'places', 'apiresourceschemas/[^/]+', 'dependencyrules'] as const;
const KILLS_IN_HUNDRED = 5;

/** Breaks something at random. */
export async function breakSomething(cast: Cast, chance: Chance): Promise<BrokenPart> {
  const { product, kcp } = cast.world;
  const isKill = chance.percent(KILLS_IN_HUNDRED);
  const way = chance.pick(Object.keys(WAYS));
  const read = chance.pick(READS);
  const fault = WAYS[way];
  if (isKill) {
    const role = chance.percent(50) ? product.webhook : product.controller;
    await role.kill();
    return { what: `kill the ${role.name}`, mend: () => role.start() };
  }
  if (kcp.backend.faults === undefined || fault === undefined) return { what: 'break nothing', mend: () => Promise.resolve() };
  const path = new RegExp(`(?:${cast.addresses.join('|')})/.*${read}$`);
  const mend = kcp.backend.faults.onRequest({ method: 'GET', path, watch: false }, fault);
  return {
    what: `${way} for ${read}`,
    mend: () => {
      mend();
      return Promise.resolve();
    },
  };
}
