// Shares the room of one ClusterRole among all providers: an object of kcp has at most 1.5 MB. A provider with more types than its share loses some of its
// own types; a provider within its share loses none. Pure. (shareRoom of fair-shares gives an author all or nothing.)
import type { GroupResource } from '@dep-ctrl/kcp-names';

/** How large the list may become: a third of what etcd takes. */
export const MOST_BYTES = 512 * 1024;

/** The types of a provider that have room, and the number of those that do not. */
export interface Share {
  readonly types: readonly GroupResource[];
  readonly leftOut: number;
}

/** Shares the room, the smallest lists first: the others get what they leave. */
export function shareOut<Provider>(
  wanted: ReadonlyMap<Provider, readonly GroupResource[]>,
  mostBytes = MOST_BYTES,
): ReadonlyMap<Provider, Share> {
  const shares = new Map<Provider, Share>();
  let room = mostBytes;
  let waiting = wanted.size;
  for (const [provider, types] of [...wanted].toSorted(([, a], [, b]) => bytesOf(a) - bytesOf(b))) {
    const fitting = fittingInto(types, room / waiting);
    shares.set(provider, { types: fitting, leftOut: types.length - fitting.length });
    room -= bytesOf(fitting);
    waiting -= 1;
  }
  return shares;
}

/** How much of a ClusterRole these types take: each at most its own rule, in JSON. */
export function bytesOf(types: readonly GroupResource[]): number {
  return types.reduce((sum, type) => sum + bytesOfOne(type), 0);
}

const RULE_BYTES = '{"apiGroups":[""],"resources":[""],"verbs":["get","list"]},'.length;

function bytesOfOne({ group, resource }: GroupResource): number {
  return RULE_BYTES + group.length + resource.length;
}

function fittingInto(types: readonly GroupResource[], room: number): readonly GroupResource[] {
  let used = 0;
  return types.filter((type) => {
    const bytes = bytesOfOne(type);
    if (used + bytes > room) return false;
    used += bytes;
    return true;
  });
}
