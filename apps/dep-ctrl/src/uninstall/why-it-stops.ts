// The stop before an uninstall that would leave workspaces without the controller that ends them, or types without the type that they extend. Pure.
import { printFirst } from '@dep-ctrl/exported-types';
import type { ShardAdmin } from '../command-line/connect.js';
import type { Unswept } from '../shard-rights/shards-not-given.js';
import type { HeldWorkspace } from '../teardown-type/held-workspaces.js';
import { TEARDOWN_TYPE } from '../teardown-type/teardown-type.js';

/** What was found of workspaces that carry our terminator. */
export interface FoundHeld {
  /** WorkspaceTypes that extend ours, as `name in path`. */
  readonly extending: readonly string[];
  readonly held: readonly HeldWorkspace[];
  readonly shards: readonly Pick<ShardAdmin, 'file'>[];
  readonly unswept: readonly Unswept[];
  /** What could not be looked at. */
  readonly problems: readonly string[];
}

const OR_LEAVE =
  'or give --leave-terminators: then each waits at its end until the terminator is taken off by hand, and the result says how';

/** Why it stops: some carry it, some types extend ours, or that cannot be known. Undefined: it goes on. */
export function whyItStops({ extending, held, shards, unswept, problems }: FoundHeld): string | undefined {
  if (extending.length > 0) {
    const names = printFirst(extending, { most: 3 });
    const many = extending.length === 1 ? 'a WorkspaceType extends' : `${extending.length} WorkspaceTypes extend`;
    return `${many} the one of the ordered teardown (${names}), and without it kcp makes no workspace of ${extending.length === 1 ? 'it' : 'them'} any more: first remove ${TEARDOWN_TYPE} from spec.extend.with`;
  }
  if (held.length > 0) {
    const names = printFirst(held.map(({ path, cluster }) => path ?? cluster).toSorted(), { most: 3 });
    const many = held.length === 1 ? '1 workspace carries' : `${held.length} workspaces carry`;
    return `${many} the terminator of dep-ctrl (${names}; --dry-run names all): delete them while a controller runs, ${OR_LEAVE}`;
  }
  const unseen =
    shards.length === 0 ? 'no shard was looked at; give --shard-kubeconfig once per shard' : [...problems, ...unswept.map(toText)][0];
  return unseen === undefined ? undefined : `whether workspaces carry the terminator of dep-ctrl is not known: ${unseen}, ${OR_LEAVE}`;
}

function toText({ where, why }: Unswept): string {
  return `${where}: ${why}`;
}
