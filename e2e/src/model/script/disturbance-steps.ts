// What happens to dep-ctrl itself.
import { consent } from './provider-steps.js';
import { addRule, editRule, removeRule } from './rule-steps.js';
import type { State } from './state.js';
import type { Change, Fault, Restart, StepKind } from './step.js';

const WEBHOOK_IN_HUNDRED = 40;
const MEANWHILE_IN_HUNDRED = 70;
const FAULTS = 1_000_000;

export const restart: StepKind<Restart> = {
  weight: 3,
  choose(state, draws) {
    if (draws.percent(WEBHOOK_IN_HUNDRED)) return { kind: 'restart', role: 'webhook' };
    const kind = draws.pick([addRule, editRule, removeRule, consent]);
    const meanwhile = draws.percent(MEANWHILE_IN_HUNDRED) ? kind.choose(state, draws) : undefined;
    return { kind: 'restart', role: 'controller', ...(meanwhile === undefined ? {} : { meanwhile }) };
  },
  isPossible: (state, { meanwhile }) => meanwhile === undefined || isChangePossible(state, meanwhile),
  after: (state, { meanwhile }) => (meanwhile === undefined ? state : afterChange(state, meanwhile)),
};

export const fault: StepKind<Fault> = {
  weight: 10,
  choose: (_, draws) => ({ kind: 'fault', number: draws.below(FAULTS) }),
  isPossible: () => true,
  after: (state) => state,
};

function isChangePossible(state: State, change: Change): boolean {
  switch (change.kind) {
    case 'add-rule':
      return addRule.isPossible(state, change);
    case 'edit-rule':
      return editRule.isPossible(state, change);
    case 'remove-rule':
      return removeRule.isPossible(state, change);
    case 'consent':
      return consent.isPossible(state, change);
    default:
      return change satisfies never;
  }
}

function afterChange(state: State, change: Change): State {
  switch (change.kind) {
    case 'add-rule':
      return addRule.after(state, change);
    case 'edit-rule':
      return editRule.after(state, change);
    case 'remove-rule':
      return removeRule.after(state, change);
    case 'consent':
      return consent.after(state, change);
    default:
      return change satisfies never;
  }
}
