// Carries out removals and reads again to prove each of them. Keeps the webhook's rights until nothing else is left.
import type { Clock } from '@dep-ctrl/kcp-client';
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import { describeFailure } from '@dep-ctrl/command-settings';
import { carryOut } from './carry-out.js';
import type { Place } from './find-removals.js';
import type { Removal } from './plan-removal.js';

/** What one look found. */
export interface Look {
  readonly places: readonly Place[];
  /** Places that could not be looked at. */
  readonly problems: readonly string[];
}

/** One removal and how it ended. */
export interface Removed {
  readonly cluster: LogicalClusterName;
  readonly path?: string;
  readonly action: Removal['action'];
  readonly name: string;
  /** Where it was found. */
  readonly place: string;
  readonly state: 'planned' | 'done' | 'failed';
  readonly problem?: string;
}

interface Options {
  readonly dryRun: boolean;
  /** Workspaces of which nothing keeps the rest. */
  readonly leave: ReadonlySet<LogicalClusterName>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called with a line before a step that takes long. */
  readonly tell: (line: string) => void;
}

const KEPT: Readonly<Record<Removal['action'], string>> = {
  'delete-admission': 'it is left',
  'delete-configuration': 'it is left',
  'delete-guard': 'its configuration is left',
  'release-guard': 'its configuration is left',
  'mark-rule': 'it may be in force while something else is left',
  'delete-right': 'the webhook needs it while something else is left',
  'delete-protection': 'it keeps the workspace while something else is left',
  'delete-type': 'workspaces of it end in order while something else is left',
};

/** Said of what is there again. */
export const COMES_BACK = 'a controller has made or written it again: stop the controller first';

/** A controller that still runs makes a guard again within this time, even on a busy machine. */
const COMES_BACK_WITHIN_MS = 3_000;

/**
 * The order:
 * 1. the configuration by which kcp checks rules and guards: the webhook may be gone;
 * 2. the other configurations;
 * 3. guards, each after its configuration: a controller needs the guard to come back for it;
 * 4. rights, the policy about the workspace, and rules: the webhook needs them while a configuration refuses deletes;
 * 5. the type of the ordered teardown.
 * Steps 4 and 5 wait until nothing else is left, and no controller makes anything again.
 */
export async function removeInOrder(
  { places, problems }: Look,
  lookAgain: () => Promise<Look>,
  options: Options,
): Promise<readonly Removed[]> {
  const all = places.flatMap((place) => place.removals.map((removal) => ({ place, removal })));
  const [first, others] = [admissionFirst(all.filter(comesFirst)), all.filter((each) => !comesFirst(each))];
  const [last, guards] = [others.filter(comesLast), others.filter((each) => !comesLast(each))];
  const configurations: Removed[] = [];
  for (const { place, removal } of first) configurations.push(await removeOne(place, removal, options));
  const tried = [...eachOnce(configurations)];
  const stuck = new Set(tried.filter(isStuck).map(({ cluster }) => cluster));
  for (const { place, removal } of guards) {
    tried.push(stuck.has(removal.cluster) ? kept(place, removal) : await removeOne(place, removal, options));
  }
  const once = eachOnce(tried);
  const proven = options.dryRun ? once : await provenGone(once, lookAgain, { waits: last.length > 0, ...options });
  const keeps = problems.length > 0 || proven.some(({ state, cluster }) => state === 'failed' && !options.leave.has(cluster));
  const removed: Removed[] = [];
  for (const { place, removal } of typeLast(last)) removed.push(keeps ? kept(place, removal) : await removeOne(place, removal, options));
  const removedOnce = eachOnce(removed);
  return [...proven, ...(options.dryRun ? removedOnce : withComebacks(removedOnce, await lookAgain()))];
}

/** An object found in two places counts once: it is gone if one of them could remove it. */
function eachOnce(tried: readonly Removed[]): readonly Removed[] {
  const byKey = new Map<string, Removed>();
  for (const each of tried) {
    const first = byKey.get(keyOf(each));
    if (first === undefined || (first.state === 'failed' && each.state === 'done')) byKey.set(keyOf(each), { ...each, ...pathOf(first) });
  }
  return [...byKey.values()];
}

/** The number of objects to remove, of rules to mark, and of their workspaces. */
export function countRemovals(places: readonly Place[]): { readonly objects: number; readonly rules: number; readonly workspaces: number } {
  const all = places.flatMap((place) => place.removals.map((removal) => named(place, removal)));
  const [rules, objects] = [all.filter(({ action }) => action === 'mark-rule'), all.filter(({ action }) => action !== 'mark-rule')];
  return {
    objects: new Set(objects.map(keyOf)).size,
    rules: new Set(rules.map(keyOf)).size,
    workspaces: new Set(all.map(({ cluster }) => cluster)).size,
  };
}

function pathOf(removed: Removed | undefined): Pick<Removed, 'path'> {
  return removed?.path === undefined ? {} : { path: removed.path };
}

/** Looks again at what was removed; with `waits` once more after the time in which a controller makes it again. */
async function provenGone(
  tried: readonly Removed[],
  lookAgain: () => Promise<Look>,
  { waits, clock, signal, tell }: Options & { readonly waits: boolean },
): Promise<readonly Removed[]> {
  if (tried.length > 0) tell('looking again whether they stay away …');
  const atOnce = withComebacks(tried, await lookAgain());
  if (!waits || !atOnce.some(({ state }) => state === 'done')) return atOnce;
  await clock.sleep(COMES_BACK_WITHIN_MS, { signal });
  return withComebacks(atOnce, await lookAgain());
}

function comesFirst({ removal: { action } }: { readonly removal: Removal }): boolean {
  return action === 'delete-admission' || action === 'delete-configuration';
}

function admissionFirst<T extends { readonly removal: Removal }>(removals: readonly T[]): readonly T[] {
  const isAdmission = ({ removal: { action } }: T): boolean => action === 'delete-admission';
  return [...removals.filter(isAdmission), ...removals.filter((each) => !isAdmission(each))];
}

function typeLast<T extends { readonly removal: Removal }>(removals: readonly T[]): readonly T[] {
  const isType = ({ removal: { action } }: T): boolean => action === 'delete-type';
  return [...removals.filter((each) => !isType(each)), ...removals.filter(isType)];
}

/** A configuration that is left: its guard stays with it. */
function isStuck({ action, state }: Removed): boolean {
  return action === 'delete-configuration' && state === 'failed';
}

function comesLast({ removal: { action } }: { readonly removal: Removal }): boolean {
  return action === 'delete-right' || action === 'delete-protection' || action === 'delete-type' || action === 'mark-rule';
}

function named({ name: place, paths }: Place, { cluster, action, object }: Removal): Omit<Removed, 'state'> {
  const path = paths.get(cluster);
  // Role and binding have the same name, and so have a policy and its binding.
  const isPair = action === 'delete-right' || action === 'delete-protection';
  const name = isPair ? `${object.kind ?? ''} ${object.metadata.name ?? ''}` : (object.metadata.name ?? '');
  return { cluster, ...(path === undefined ? {} : { path }), action, name, place };
}

function kept(place: Place, removal: Removal): Removed {
  return { ...named(place, removal), state: 'failed', problem: KEPT[removal.action] };
}

async function removeOne(place: Place, removal: Removal, options: Options): Promise<Removed> {
  const what = named(place, removal);
  if (options.dryRun) return { ...what, state: 'planned' };
  try {
    await carryOut(place.client(removal.cluster), removal, options);
    return { ...what, state: 'done' };
  } catch (error) {
    return { ...what, state: 'failed', problem: describeFailure(error) };
  }
}

/**
 * Fails removals of objects that are there again: a controller makes them again. Counts failed changes as done if the object is gone with its binding or
 * its workspace: these may have waited for the guard.
 */
function withComebacks(tried: readonly Removed[], { places, problems }: Look): readonly Removed[] {
  const left = new Set(places.flatMap((place) => place.removals.map((removal) => keyOf(named(place, removal)))));
  return tried.map((each) => {
    if (left.has(keyOf(each))) {
      return each.state === 'done' ? { ...each, state: 'failed', problem: COMES_BACK } : each;
    }
    if (each.state !== 'failed' || !goesWithBinding(each) || problems.length > 0) return each;
    const { problem: _, ...gone } = each;
    return { ...gone, state: 'done' };
  });
}

/** Rules and guards end with the binding. Configurations and rights do not, and may then not be found any more. */
function goesWithBinding({ action }: Removed): boolean {
  return action === 'mark-rule' || action === 'delete-guard' || action === 'release-guard';
}

// An endpoint and a shard show the same workspaces of providers; each shard has a system:admin of its own.
function keyOf({ cluster, action, name, place }: Omit<Removed, 'state'>): string {
  return action === 'delete-right' ? `${place} ${name}` : `${cluster}/${action}/${name}`;
}
