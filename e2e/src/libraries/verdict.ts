// Whether what a consumer was told is what happened, pure. All resource versions are of one shard: there they are numbers that grow
// with every write, and a watch tells them in that order.

/** One thing that a consumer was told, and when. */
export type Told = { readonly atMs: number } & (
  | { readonly kind: 'replaced'; readonly objects: ReadonlyMap<string, number> }
  | { readonly kind: 'applied' | 'deleted'; readonly object: string; readonly revision: number }
);

/** A write that kcp has confirmed. */
export interface Accepted {
  readonly object: string;
  readonly revision: number;
}

/** What happened: the confirmed writes of objects, which objects were removed, and what there is in the end. */
export interface Truth {
  readonly accepted: readonly Accepted[];
  readonly removed: ReadonlySet<string>;
  readonly objects: ReadonlyMap<string, number>;
}

/** What is wrong with what was told; three empty lists are the law kept. */
export interface Verdict {
  /** Writes that were neither told nor covered by a list. */
  readonly lost: readonly string[];
  /** Events behind what was told before: told twice, or in the wrong order. */
  readonly doubled: readonly string[];
  /** Objects that the consumer sees otherwise than they are. */
  readonly different: readonly string[];
}

/** Compares what was told of one shard with the truth. */
export function judge(told: readonly Told[], truth: Truth): Verdict {
  const { view, doubled } = addUp(told);
  const names = new Set([...view.keys(), ...truth.objects.keys()]);
  return {
    lost: truth.accepted.filter((write) => !isTold(told, write, truth.removed)).map(nameOf),
    doubled,
    different: [...names].filter((name) => view.get(name) !== truth.objects.get(name)).sort(),
  };
}

/** The objects that all that was told adds up to. */
export function viewOf(told: readonly Told[]): ReadonlyMap<string, number> {
  return addUp(told).view;
}

function addUp(told: readonly Told[]): { readonly view: ReadonlyMap<string, number>; readonly doubled: readonly string[] } {
  let view = new Map<string, number>();
  let newest = 0;
  const doubled: string[] = [];
  for (const entry of told) {
    if (entry.kind === 'replaced') {
      view = new Map(entry.objects);
      for (const revision of view.values()) newest = Math.max(newest, revision);
      continue;
    }
    const isKnown = entry.kind === 'applied' || view.has(entry.object);
    if (entry.revision <= newest || !isKnown) doubled.push(`${entry.kind} ${nameOf(entry)}`);
    newest = Math.max(newest, entry.revision);
    if (entry.kind === 'applied') view.set(entry.object, entry.revision);
    else view.delete(entry.object);
  }
  return { view, doubled };
}

/** Whether a write was told as an event, or a list told of it in its place. */
function isTold(told: readonly Told[], write: Accepted, removed: ReadonlySet<string>): boolean {
  let isPassed = false; // an event behind the write was told already
  let isCovered = false;
  for (const entry of told) {
    if (entry.kind === 'replaced') isCovered ||= !isPassed && covers(entry.objects, write, removed);
    else if (entry.kind === 'applied' && entry.object === write.object && entry.revision === write.revision) return true;
    else isPassed ||= entry.revision > write.revision;
  }
  return isCovered;
}

/** Whether a list is newer than a write: it has the object as it was then or later, or without it something that was written later. */
function covers(objects: ReadonlyMap<string, number>, { object, revision }: Accepted, removed: ReadonlySet<string>): boolean {
  const listed = objects.get(object);
  if (listed !== undefined) return listed >= revision;
  return removed.has(object) && [...objects.values()].some((other) => other > revision);
}

function nameOf({ object, revision }: Accepted): string {
  return `${object}@${String(revision)}`;
}
