// What the teardown bench measures: the same workspaces with our terminator and without, in turn. Medians of all rounds, where nothing else is said.

import { setTimeout as wait } from 'node:timers/promises';
import { atMost } from '@dep-ctrl/kcp-client';
import type { Measured } from './measure.js';
import type { RoleProcess } from './review-process.js';
import { median } from './review-site.js';
import type { Stock } from './teardown-objects.js';
import type { Kind, Stocked, TeardownWorld } from './teardown-world.js';

/** Where it is measured: both roles in one process, the rule in force. */
export interface TeardownSite {
  readonly world: TeardownWorld;
  readonly roles: RoleProcess;
  readonly rounds: number;
}

const SMALL: Stock = { namespaces: 1, networks: 1, machines: 3 };
const LARGE: Stock = { namespaces: 10, networks: 100, machines: 1_000 };
const PAIR: Stock = { namespaces: 1, networks: 1, machines: 1 };

/** kcp leaves what is in a namespace alone for so long. */
const GRACE_MS = 5_000;
/** What a namespace has of a type is one collection for kcp. */
const COLLECTIONS = 10;
const HELD_MS = 20_000;
const AT_ONCE = 50;
/** How many workspaces kcp is asked to make at a time. */
const MAKERS = 10;
const ROW_AT_A_TIME = 25;
const ROW_SAMPLE = 25;

/** One teardown, in milliseconds since the delete. */
interface Teardown {
  /** From when the controller saw it until it let it go, as the controller counts it. */
  readonly oursMs: number;
  readonly letGoMs: number;
  readonly goneMs: number;
  readonly refused: number;
}

/** One network and three machines. */
export async function small({ world, roles, rounds }: TeardownSite): Promise<readonly Measured[]> {
  const kinds: readonly Kind[] = ['ordered', 'plain', 'unreferenced'];
  const measured = await inTurns({ world, roles, rounds }, kinds, SMALL);
  const of = (kind: Kind, what: keyof Teardown): number => median(measured[kind].map((each) => each[what]));
  const what = '1 network, 3 machines';
  return [
    { what: `${what}: our part`, value: of('ordered', 'oursMs'), unit: 'ms', goal: { atMost: 500 } },
    { what: `${what}: from the delete until let go`, value: of('ordered', 'letGoMs'), unit: 'ms' },
    { what: `${what}: refused reviews, in all`, value: sum(measured.ordered, 'refused'), unit: '', goal: { atMost: 0 } },
    { what: `${what}: refused reviews, in all, without the type`, value: sum(measured.plain, 'refused'), unit: '' },
    { what: `${what}: gone`, value: of('ordered', 'goneMs') / 1_000, unit: 's' },
    { what: `${what}: gone, without the type`, value: of('plain', 'goneMs') / 1_000, unit: 's' },
    { what: `${what}: gone, where nothing refers to anything`, value: of('unreferenced', 'goneMs') / 1_000, unit: 's' },
    {
      what: `${what}: gone, later than that`,
      value: (of('ordered', 'goneMs') - of('unreferenced', 'goneMs')) / 1_000,
      unit: 's',
      goal: { atMost: 1 },
    },
  ];
}

/** 100 networks and 1 000 machines in 10 namespaces. */
export async function large(site: TeardownSite): Promise<readonly Measured[]> {
  const measured = await inTurns(site, ['ordered', 'plain'], LARGE);
  const of = (kind: Kind, what: keyof Teardown): number => median(measured[kind].map((each) => each[what]));
  const what = '100 networks, 1000 machines';
  const over = measured.ordered.map(({ oursMs, refused }) => refused - (oursMs <= GRACE_MS ? 0 : COLLECTIONS));
  return [
    { what: `${what}: our part`, value: of('ordered', 'oursMs') / 1_000, unit: 's' },
    { what: `${what}: refused reviews`, value: of('ordered', 'refused'), unit: '' },
    { what: `${what}: refused reviews beyond what is wanted`, value: Math.max(...over), unit: '', goal: { atMost: 0 } },
    { what: `${what}: refused reviews, without the type`, value: of('plain', 'refused'), unit: '' },
    { what: `${what}: gone`, value: of('ordered', 'goneMs') / 1_000, unit: 's' },
    { what: `${what}: gone, without the type`, value: of('plain', 'goneMs') / 1_000, unit: 's' },
  ];
}

/** A machine that a finalizer holds for 20 s. All at once, as they only wait. */
export async function held({ world, rounds }: TeardownSite): Promise<readonly Measured[]> {
  const kinds = Array.from({ length: rounds }, (): readonly Kind[] => ['ordered', 'plain']).flat();
  const made = await makeAll(world, kinds, PAIR, { isHeld: true });
  const measured = await Promise.all(
    made.map(async (stocked) => {
      await world.delete(stocked);
      await wait(HELD_MS);
      const releasedMs = await world.release(stocked);
      const [letGoMs, goneMs] = await Promise.all([world.ends.letGo(stocked.name), world.ends.gone(stocked.name)]);
      return { kind: stocked.kind, letGoMs: letGoMs - releasedMs, goneMs: goneMs - releasedMs };
    }),
  );
  const of = (wanted: Kind, what: 'letGoMs' | 'goneMs'): number =>
    median(measured.filter(({ kind }) => kind === wanted).map((one) => one[what])) / 1_000;
  const what = 'a machine held for 20 s';
  return [
    { what: `${what}: let go after its finalizer`, value: of('ordered', 'letGoMs'), unit: 's', goal: { atMost: 3 } },
    { what: `${what}: gone after its finalizer`, value: of('ordered', 'goneMs'), unit: 's' },
    { what: `${what}: gone after its finalizer, without the type`, value: of('plain', 'goneMs'), unit: 's' },
  ];
}

/** 50 workspaces that are deleted at once. */
export async function atOnce({ world, roles }: TeardownSite): Promise<readonly Measured[]> {
  const made = await makeAll(
    world,
    Array.from({ length: AT_ONCE }, () => 'ordered'),
    SMALL,
  );
  roles.forgetPeak();
  const beforeMiB = roles.peakMiB;
  const [refused, oursS] = [await refusedReviews(roles), await oursSeconds(roles)];
  const measured = await Promise.all(
    made.map(async (stocked) => {
      const deletedMs = await world.delete(stocked);
      const [letGoMs, goneMs] = await Promise.all([world.ends.letGo(stocked.name), world.ends.gone(stocked.name)]);
      return { letGoMs: letGoMs - deletedMs, goneMs: goneMs - deletedMs };
    }),
  );
  const letGo = measured.map(({ letGoMs }) => letGoMs / 1_000);
  const what = `${AT_ONCE} workspaces at once`;
  return [
    { what: `${what}: our part, mean`, value: ((await oursSeconds(roles)) - oursS) / AT_ONCE, unit: 's' },
    { what: `${what}: from the delete until let go, median`, value: median(letGo), unit: 's' },
    { what: `${what}: from the delete until let go, the slowest`, value: Math.max(...letGo), unit: 's' },
    { what: `${what}: the slowest against the median`, value: Math.max(...letGo) / median(letGo), unit: 'x', goal: { atMost: 3 } },
    { what: `${what}: all gone`, value: Math.max(...measured.map(({ goneMs }) => goneMs)) / 1_000, unit: 's' },
    { what: `${what}: refused reviews`, value: (await refusedReviews(roles)) - refused, unit: '' },
    { what: `${what}: memory at the peak, more than before`, value: roles.peakMiB - beforeMiB, unit: 'MiB', goal: { atMost: 40 } },
  ];
}

/** Many workspaces, one after the other in a few rows. */
export async function inARow({ world, roles }: TeardownSite, count: number): Promise<readonly Measured[]> {
  const residentMB: number[] = [];
  let gone = 0;
  const before = await endedEmpty(roles);
  await atMost(ROW_AT_A_TIME, Array.from({ length: count }), async () => {
    const stocked = await world.stocked('ordered', PAIR);
    await world.delete(stocked);
    await world.ends.gone(stocked.name);
    gone += 1;
    if (gone % ROW_SAMPLE === 0) residentMB.push(roles.residentMB);
  });
  const quarter = (which: number): number => {
    const length = Math.floor(residentMB.length / 4);
    return median(residentMB.slice(which * length, (which + 1) * length));
  };
  const what = `${count} workspaces in a row`;
  return [
    { what: `${what}: memory in the second quarter`, value: quarter(1), unit: 'MB' },
    { what: `${what}: memory in the last quarter`, value: quarter(3), unit: 'MB' },
    { what: `${what}: growth from the second to the last quarter`, value: quarter(3) - quarter(1), unit: 'MB', goal: { atMost: 10 } },
    { what: `${what}: let go, and empty before`, value: (await endedEmpty(roles)) - before, unit: '', goal: { atLeast: count } },
    { what: `${what}: still remembered`, value: await roles.counted('dep_ctrl_teardown_workspaces'), unit: '', goal: { atMost: 0 } },
  ];
}

/** One teardown of each kind in every round, each alone, beginning with another kind than the round before. */
async function inTurns(
  { world, roles, rounds }: TeardownSite,
  kinds: readonly Kind[],
  stock: Stock,
): Promise<Readonly<Record<Kind, readonly Teardown[]>>> {
  const measured: Record<Kind, Teardown[]> = { ordered: [], plain: [], unreferenced: [] };
  for (let round = 0; round < rounds; round += 1) {
    const made = await Promise.all(kinds.map((kind) => world.stocked(kind, stock)));
    const first = round % made.length;
    for (const stocked of [...made.slice(first), ...made.slice(0, first)])
      measured[stocked.kind].push(await teardown(world, roles, stocked));
  }
  return measured;
}

async function teardown(world: TeardownWorld, roles: RoleProcess, stocked: Stocked): Promise<Teardown> {
  const [refused, oursS] = [await refusedReviews(roles), await oursSeconds(roles)];
  const deletedMs = await world.delete(stocked);
  const [letGoMs, goneMs] = await Promise.all([world.ends.letGo(stocked.name), world.ends.gone(stocked.name)]);
  return {
    oursMs: ((await oursSeconds(roles)) - oursS) * 1_000,
    letGoMs: letGoMs - deletedMs,
    goneMs: goneMs - deletedMs,
    refused: (await refusedReviews(roles)) - refused,
  };
}

function refusedReviews(roles: RoleProcess): Promise<number> {
  return roles.counted('dep_ctrl_reviews_total', 'verdict="deny"');
}

function oursSeconds(roles: RoleProcess): Promise<number> {
  return roles.counted('dep_ctrl_teardown_seconds_sum');
}

/** Workspaces that were let go when all that has an order was gone. */
function endedEmpty(roles: RoleProcess): Promise<number> {
  return roles.counted('dep_ctrl_teardown_seconds_count', 'end="empty"');
}

function sum(teardowns: readonly Teardown[], what: keyof Teardown): number {
  return teardowns.reduce((total, each) => total + each[what], 0);
}

/** Makes workspaces, in any order. */
async function makeAll(world: TeardownWorld, kinds: readonly Kind[], stock: Stock, options = {}): Promise<readonly Stocked[]> {
  const made: Stocked[] = [];
  await atMost(MAKERS, kinds, async (kind) => void made.push(await world.stocked(kind, stock, options)));
  return made;
}
