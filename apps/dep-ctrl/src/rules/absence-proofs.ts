/*
 * What is proven gone of rules: what withdrawn endpoints showed, and the rules that a guard names although no endpoint serves their workspace. How it is
 * proven: `UnboundProofs`. A proof counts for the guard that names the rules, and for no other.
 */
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import { UnboundProofs, type MissedWorkspace, type UnboundProofsOptions } from '@dep-ctrl/kcp-controller';
import type { Clock, ClusterClient } from '@dep-ctrl/kcp-client';
import type { RegistryReader, RegistryWriter, Touched } from '@dep-ctrl/rule-registry';
import { readSlices } from '@dep-ctrl/exported-types';
import { API_BINDINGS } from '@dep-ctrl/kcp-objects';
import { pagesOf } from './kept-objects.js';
import type { WatchedObjects } from './watched-objects.js';

/** What `AbsenceProofs` needs. */
export interface AbsenceProofsDependencies extends Pick<UnboundProofsOptions<MissedWorkspace>, 'connection'> {
  /** The export, and the workspace of it and of its endpoint slice. */
  readonly home: { readonly exportName: string; readonly workspace: Pick<ClusterClient, 'list'> };
  readonly reader: RegistryReader;
  readonly writer: RegistryWriter;
  readonly seen: WatchedObjects;
  readonly clock: Clock;
  /** Told what a proof may have changed. */
  readonly onChange: (touched: Touched) => void;
}

/** Authors at a time of one guard. Its status may name very many workspaces, and its owner may have written it. */
const MOST_AT_A_GUARD = 16;
/** Longer than a proof takes. */
const TURN_MS = 70_000;
const TIMEOUT_MS = 5_000;

/** The author of rules that the guard of a workspace names, and that have not been read. */
interface NamedAuthor extends MissedWorkspace {
  readonly guarded: LogicalClusterName;
}

/** The proofs of one process. */
export class AbsenceProofs extends UnboundProofs<NamedAuthor> {
  constructor(dependencies: AbsenceProofsDependencies) {
    const { connection, home, writer, seen, clock, onChange } = dependencies;
    super({
      connection,
      exportName: home.exportName,
      stores: seen.all(),
      judgedBy: [seen.rules, seen.guards, seen.bindings],
      bindings: seen.bindings,
      sliceMadeMs: async (signal) => (await readSlices(home, { signal, timeoutMs: TIMEOUT_MS })).madeMs,
      missed: () => unknownAuthors(dependencies),
      onUnbound: (cluster) => onChange(writer.workspaceGone(cluster)),
      onNowhere: ({ guarded, cluster }) => onChange(writer.authorGone(guarded, cluster)),
      clock,
      parseLarge: pagesOf(API_BINDINGS),
    });
  }
}

function unknownAuthors({ reader, seen, clock }: AbsenceProofsDependencies): readonly NamedAuthor[] {
  return seen.guards.list().flatMap(({ cluster: guarded, metadata }) => {
    const missing = reader.missing(guarded).flatMap((what) => (what.kind === 'rule' ? [what.rule.cluster] : []));
    const boundMs = Date.parse(metadata.creationTimestamp ?? '');
    return nextOf([...new Set(missing)], clock).map((cluster) => ({ key: `${guarded} ${cluster}`, guarded, cluster, boundMs }));
  });
}

/** Some authors at a time, for as long as a proof takes, then the next ones: an author that cannot be proven gone does not hold up the others. */
function nextOf(authors: readonly LogicalClusterName[], clock: Clock): readonly LogicalClusterName[] {
  if (authors.length <= MOST_AT_A_GUARD) return authors;
  const turn = Math.floor(clock.monotonic() / TURN_MS) % Math.ceil(authors.length / MOST_AT_A_GUARD);
  return authors.toSorted().slice(turn * MOST_AT_A_GUARD, (turn + 1) * MOST_AT_A_GUARD);
}
