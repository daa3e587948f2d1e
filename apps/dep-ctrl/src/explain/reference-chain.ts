// The chain of references to one object: the objects that block its delete, the objects that block the deletes of those, and so on. Reads only.
import type { Connection } from '@dep-ctrl/kcp-client';
import { printGroupResource, type LogicalClusterName, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { describeFailure } from '@dep-ctrl/command-settings';
import { unguarded, type ExplainedBlocker, type Explanation } from './explanation.js';
import { findSubject, type FoundObject } from './find-subject.js';
import { explainDelete, type Rehearsal } from './rehearse-reviews.js';

/** An object that refers to the one above it. */
export interface Referrer {
  /** `virtualmachines.compute.example.com`. */
  readonly type: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  /** The rules and fields by which it does. */
  readonly by: readonly ExplainedBlocker[];
  readonly referrers: readonly Referrer[];
  /** `seen`: it stands elsewhere in the chain already; `too-many`: the chain ends here for its length; otherwise why it could not be read. */
  readonly cut?: 'seen' | 'too-many' | { readonly why: string } | undefined;
}

/** The answer about one object, with everything that refers to it, directly or not. */
export interface ReferenceChain {
  readonly explanation: Explanation;
  readonly referrers: readonly Referrer[];
}

// Each takes a review: as many as a person reads, in a second or two.
const MOST_REVIEWS = 40;

interface Walk {
  readonly connection: Connection;
  readonly workspace: LogicalClusterName | WorkspacePath;
  readonly rehearsal: Rehearsal;
  /** The types that some rule guards. */
  readonly guarded: ReadonlySet<string>;
  readonly seen: Set<string>;
}

/** Follows the references. Nearer ones first where not all are looked at. */
export async function referenceChain(
  connection: Connection,
  workspace: LogicalClusterName | WorkspacePath,
  root: FoundObject,
  rehearsal: Rehearsal,
): Promise<ReferenceChain> {
  const { rules } = rehearsal.rules.snapshot();
  const guarded = new Set(rules.flatMap(({ dependencies }) => dependencies.map((each) => printGroupResource(each))));
  const walk: Walk = { connection, workspace, rehearsal, guarded, seen: new Set([keyOf(ofRoot(root))]) };
  const explanation = await answerFor(walk, root);
  const top: Growing = { referrers: [], blockers: explanation.blockers };
  let layer = [top];
  let reviews = 1;
  while (layer.length > 0) {
    const next: Growing[] = [];
    for (const above of layer) {
      for (const grown of referrersIn(above.blockers)) {
        above.referrers.push(grown);
        reviews += await grow(grown, walk, reviews < MOST_REVIEWS);
        next.push(grown);
      }
    }
    layer = next;
  }
  return { explanation, referrers: top.referrers };
}

interface Growing {
  readonly referrers: GrowingReferrer[];
  blockers: readonly ExplainedBlocker[];
}

type GrowingReferrer = Growing & Omit<Referrer, 'referrers' | 'cut'> & { cut?: Referrer['cut'] };

/** Adds the objects that refer to this one. Returns the number of reviews that this took. */
async function grow(referrer: GrowingReferrer, walk: Walk, mayLook: boolean): Promise<0 | 1> {
  const key = keyOf(referrer);
  if (walk.seen.has(key)) {
    referrer.cut = 'seen';
    return 0;
  }
  walk.seen.add(key);
  if (!walk.guarded.has(referrer.type)) return 0;
  if (!mayLook) {
    referrer.cut = 'too-many';
    return 0;
  }
  const [resource = '', ...group] = referrer.type.split('.');
  const query = { resource, group: group.join('.'), name: referrer.name, namespace: referrer.namespace ?? 'default' };
  try {
    const found = await findSubject(walk.connection, { path: walk.workspace, by: 'of the object' }, query, walk.rehearsal);
    const { blockers, because, message } = await answerFor(walk, found);
    referrer.blockers = blockers;
    // A refusal without anybody to name: what cannot be told.
    if (blockers.length === 0 && message !== undefined) referrer.cut = { why: `${because}: ${message}` };
  } catch (error) {
    walk.rehearsal.signal.throwIfAborted();
    referrer.cut = { why: describeFailure(error) };
  }
  return 1;
}

function answerFor({ rehearsal, workspace }: Walk, found: FoundObject): Promise<Explanation> {
  const { guardedCluster } = found;
  if (guardedCluster === undefined) return Promise.resolve(unguarded(found, workspace));
  return explainDelete(rehearsal, { ...found, guardedCluster }, workspace);
}

/** One for each object, whatever the number of fields and rules. */
function referrersIn(blockers: readonly ExplainedBlocker[]): readonly GrowingReferrer[] {
  const byObject = new Map<string, ExplainedBlocker[]>();
  for (const blocker of blockers) byObject.set(keyOf(blocker), [...(byObject.get(keyOf(blocker)) ?? []), blocker]);
  return [...byObject.values()].flatMap((by) => {
    const [first] = by;
    if (first === undefined) return [];
    const { type, kind, namespace, name } = first;
    return [{ type, kind, ...(namespace === undefined ? {} : { namespace }), name, by, referrers: [], blockers: [] }];
  });
}

function ofRoot({ type, object: { metadata } }: FoundObject): Pick<Referrer, 'type' | 'namespace' | 'name'> {
  const { namespace, name = '' } = metadata;
  return { type: printGroupResource(type), ...(namespace === undefined ? {} : { namespace }), name };
}

function keyOf({ type, namespace = '', name }: Pick<Referrer, 'type' | 'namespace' | 'name'>): string {
  return `${type} ${namespace}/${name}`;
}
