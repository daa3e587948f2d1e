// The labels by which the initializing and terminating virtual workspaces find logical clusters.
import { createHash } from 'node:crypto';
import type { KubeObject } from '@dep-ctrl/kcp-names';

const KEY_LENGTH = 63;
const PREFIX = { initializers: 'initializer.internal.kcp.io/', terminators: 'terminator.internal.kcp.io/' } as const;

/** The two kinds of lifecycle entries. */
export type LifecycleKind = keyof typeof PREFIX;

/** Key and value of the label of one entry. The key is cut to the length that a label may have. */
export function lifecycleLabel(kind: LifecycleKind, entry: string): readonly [string, string] {
  const hash = createHash('sha224').update(entry).digest('hex');
  const prefix = PREFIX[kind];
  return [`${prefix}${hash}`.slice(0, KEY_LENGTH), hash];
}

/** The labels of an object's entries; labels of entries that are gone are undefined, which removes them. */
export function lifecycleLabels(
  object: KubeObject,
  entries: Readonly<Record<LifecycleKind, readonly string[]>>,
): Readonly<Record<string, string | undefined>> {
  const stale = Object.keys(object.metadata.labels ?? {}).filter((key) => Object.values(PREFIX).some((prefix) => key.startsWith(prefix)));
  const current = (Object.keys(PREFIX) as LifecycleKind[]).flatMap((kind) => entries[kind].map((entry) => lifecycleLabel(kind, entry)));
  return { ...Object.fromEntries(stale.map((key) => [key, undefined])), ...Object.fromEntries(current) };
}
