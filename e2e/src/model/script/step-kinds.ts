// All kinds of steps, and the choice among them.
import { bind, endNamespace, endWorkspace, unbind } from './consumer-steps.js';
import { fault, restart } from './disturbance-steps.js';
import { ask, create, deleteCollection, deleteOne, repoint } from './object-steps.js';
import { consent, join, leave } from './provider-steps.js';
import { addRule, editRule, removeRule } from './rule-steps.js';
import type { State } from './state.js';
import type { Step, StepKind, StepOf } from './step.js';
import type { Draws } from './topology.js';

type Kinds = { readonly [Kind in Step['kind']]: StepKind<StepOf<Kind>> };

const KINDS: Kinds = {
  create,
  repoint,
  ask,
  delete: deleteOne,
  'delete-collection': deleteCollection,
  'add-rule': addRule,
  'edit-rule': editRule,
  'remove-rule': removeRule,
  consent,
  leave,
  join,
  bind,
  unbind,
  'end-namespace': endNamespace,
  'end-workspace': endWorkspace,
  restart,
  fault,
};
const TOTAL = Object.values(KINDS).reduce((sum, { weight }) => sum + weight, 0);

/** The names of all kinds. */
export const STEP_KINDS = Object.keys(KINDS) as readonly Step['kind'][];

/** Any step that makes sense now. */
export function choose(state: State, draws: Draws): Step {
  for (;;) {
    let share = draws.below(TOTAL);
    for (const kind of Object.values(KINDS)) {
      share -= kind.weight;
      if (share >= 0) continue;
      const step = kind.choose(state, draws);
      if (step !== undefined) return step;
      break;
    }
  }
}

/** Whether a step makes sense now. */
export function isPossible(state: State, step: Step): boolean {
  return kindOf(step).isPossible(state, step);
}

/** What is there after a step. */
export function after(state: State, step: Step): State {
  return kindOf(step).after(state, step);
}

// The table has for each kind what handles it, which the compiler cannot follow.
function kindOf<S extends Step>(step: S): StepKind<S> {
  return KINDS[step.kind] as unknown as StepKind<S>;
}
