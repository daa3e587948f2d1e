// One call for a dying workspace: what is bound there, in which order it goes, and each stage as far as it gets now. Nothing is remembered from one call to
// the next, so that a process that starts anew does the same.
import { typesOfBindings, type BoundType } from '@dep-ctrl/exported-types';
import { listAll, MOST_PAGE_BYTES, type Clock, type ClusterClient, type Stoppable } from '@dep-ctrl/kcp-client';
import { API_BINDINGS } from '@dep-ctrl/kcp-objects';
import { groupResourceKey, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { Ordering } from './ordering.js';
import { PassTime } from './pass-time.js';
import { planTeardown, type Stage } from './plan-teardown.js';
import { stageStep, type Round } from './stage-step.js';
import { annotate, sweep, type LeftType, type Sweep, type SweepContext } from './sweep.js';
import type { HeldObject } from './teardown-line.js';

/** What a call needs. */
export interface PassContext {
  readonly client: Pick<ClusterClient, 'list' | 'delete' | 'patch'>;
  readonly ordering: Ordering;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Whether to begin although there may be more edges than are known. */
  readonly withOrderAsItIs: boolean;
  /** How long one request may take. */
  readonly requestMs: number;
  readonly onDeleted: () => void;
  readonly onAnnotated: () => void;
}

/** How far a call got. */
export interface PassResult {
  readonly kind: 'empty' | 'waiting' | 'order-unknown';
  /** How many types have an order. */
  readonly types: number;
  readonly left: readonly LeftType[];
  /** Some of what is waited for. */
  readonly named: readonly HeldObject[];
  /** How many objects are waited for beside those. */
  readonly more: number;
  /** There was no time for all: it goes on at once. */
  readonly isCut: boolean;
  /** A request was not answered in time. */
  readonly isSlow: boolean;
}

/** After 2 s of work other workspaces have their turn. */
const PASS_BOUNDS = { allMs: 30_000, workMs: 2_000 };
/** What an exporter's stages have at least, where those of another one took the time by keeping kcp waiting. */
const STAGE_MS = 500;
/** Where more exporters than this keep kcp waiting, the call ends. */
const MOST_SLOW = 2;
/** The APIBindings of a workspace, all together. */
const MOST_BINDING_BYTES = 32 * 1024 * 1024;
const BINDINGS_QUERY = { maxBytes: MOST_BINDING_BYTES, maxPageBytes: MOST_PAGE_BYTES, onTooLarge: 'shrink' } as const;

/** Does what can be done now. Throws KcpError where kcp does not answer as it should. */
export async function teardownPass(context: PassContext, options: Stoppable): Promise<PassResult> {
  const { client, ordering, clock, withOrderAsItIs } = context;
  const time = new PassTime(clock, PASS_BOUNDS);
  const { edges, isComplete } = ordering.orderOf(await boundTypes(client, options));
  if (!isComplete && !withOrderAsItIs)
    return { kind: 'order-unknown', types: 0, left: [], named: [], more: 0, isCut: false, isSlow: false };

  const plan = planTeardown(edges);
  const left: LeftType[] = [];
  const waiting: StageEnd[] = [];
  const undone = new Set<number>();
  const slow = new Set<LogicalClusterName>();
  for (const [index, stage] of plan.entries()) {
    const isOver = slow.size > MOST_SLOW || stage.types.some(({ exporter }) => slow.has(exporter));
    if (isOver || stage.after.some((before) => undone.has(before))) {
      undone.add(index);
      continue;
    }
    if (slow.size > 0) time.grant(STAGE_MS);
    const end = await teardownStage(stage, left.length > 0, { ...context, time }, options);
    left.push(...end.left);
    if (end.isSlow) for (const { exporter } of stage.types) slow.add(exporter);
    if (end.isDone) continue;
    undone.add(index);
    waiting.push(end);
  }
  return {
    kind: undone.size === 0 ? 'empty' : 'waiting',
    types: plan.flatMap(({ types }) => types).length,
    left,
    named: waiting.flatMap(({ named }) => named),
    more: waiting.reduce((sum, { named, count }) => sum + count - named.length, 0),
    isCut: waiting.some(({ isCut }) => isCut),
    isSlow: slow.size > 0,
  };
}

interface StageEnd {
  readonly isDone: boolean;
  readonly left: readonly LeftType[];
  readonly named: readonly HeldObject[];
  readonly count: number;
  readonly isCut: boolean;
  readonly isSlow: boolean;
}

async function teardownStage(stage: Stage, isAfterLeft: boolean, context: SweepContext, options: Stoppable): Promise<StageEnd> {
  const left: LeftType[] = [];
  let mayAnnotate = context.ordering.skipAnnotation !== undefined;
  for (let rounds = 1; ; rounds += 1) {
    const sweeps: Sweep[] = [];
    const types = stage.types.filter((type) => !left.some((one) => one.type.group === type.group && one.type.resource === type.resource));
    let isCut = false;
    for (const type of types) {
      isCut = context.time.isOver() || sweeps.some(({ isSlow }) => isSlow);
      if (isCut) break;
      const swept = await sweep(type, context, options);
      if (swept.kind === 'swept') sweeps.push(swept);
      else if (swept.kind === 'left') left.push(swept);
      // A binding goes last, when nothing is left of what it brought.
      else if (await isBound(type, context.client, options)) left.push({ kind: 'left', type, why: 'it is not served' });
    }
    const round = sumOf(sweeps);
    isCut ||= sweeps.some((one) => one.isCut);
    const isSlow = sweeps.some((one) => one.isSlow);
    const isAfter = isAfterLeft || left.length > 0;
    const step = isCut || isSlow ? 'wait' : stageStep(round, { isCycle: stage.isCycle, rounds, mayAnnotate, isAfterLeft: isAfter });
    switch (step) {
      case 'done':
        return { isDone: true, left, named: [], count: 0, isCut: false, isSlow: false };
      case 'leave':
        left.push(...types.map((type): LeftType => ({ kind: 'left', type, why: 'a type that refers to it was left' })));
        return { isDone: true, left, named: [], count: 0, isCut: false, isSlow: false };
      case 'wait':
        return {
          isDone: false,
          left,
          named: sweeps.flatMap(({ named }) => named),
          count: round.held + round.referenced + round.refused,
          isCut,
          isSlow,
        };
      case 'annotate': {
        mayAnnotate = false;
        for (const { referenced } of sweeps) {
          const refused = await annotate(referenced, context, options);
          if (refused !== undefined) left.push(refused);
        }
        break;
      }
      case 'again':
        break;
      default:
        step satisfies never;
    }
  }
}

async function boundTypes(client: PassContext['client'], options: Stoppable): Promise<readonly BoundType[]> {
  return typesOfBindings((await listAll(client, API_BINDINGS, BINDINGS_QUERY, options)).objects);
}

async function isBound(type: BoundType, client: PassContext['client'], options: Stoppable): Promise<boolean> {
  const key = groupResourceKey(type);
  return (await boundTypes(client, options)).some((one) => groupResourceKey(one) === key);
}

function sumOf(sweeps: readonly Sweep[]): Round {
  const sum = { gone: 0, held: 0, newlyHeld: 0, referenced: 0, refused: 0 };
  for (const { round } of sweeps) for (const key of Object.keys(sum) as (keyof Round)[]) sum[key] += round[key];
  return sum;
}
