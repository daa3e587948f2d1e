import { describe, expect, it } from '@jest/globals';
import type { BackendResult, Outcome } from '../running/outcome.js';
import type { Scenario } from '../scenarios/scenario.js';
import { judgeTrial, outcomeOf, verdictLine } from './judge-trial.js';
import type { Saboteur } from './saboteur.js';

const scenario: Scenario = { id: 'S0.1', title: 'nothing is allowed', run: () => Promise.resolve() };
const saboteur: Saboteur = { name: 'allows', does: 'allows everything', changes: [], fails: {} };
const trial = { scenario, saboteur, says: ['nothing was asked', 'it was allowed'] };
const ran = (outcome: Outcome): BackendResult => ({ backend: 'embedded', outcomes: new Map([[scenario.id, outcome]]) });

describe(judgeTrial, () => {
  it.each<{ given: string; result: BackendResult; expected: string }>([
    { given: 'a scenario that passes', result: ran({ state: 'passed', ms: 1 }), expected: 'not noticed' },
    {
      given: 'one that fails and says what it was to say',
      result: ran({ state: 'failed', ms: 1, problem: 'at last it was allowed' }),
      expected: 'noticed',
    },
    {
      given: 'one that fails and says something else',
      result: ran({ state: 'failed', ms: 1, problem: 'did not end within 1 ms' }),
      expected: 'failed otherwise',
    },
    { given: 'one that this machine cannot run', result: ran({ state: 'skipped', why: 'needs kubectl' }), expected: 'not run' },
    {
      given: 'a kcp that did not start',
      result: { backend: 'embedded', outcomes: new Map(), notExercised: { why: 'no port', broken: true } },
      expected: 'failed otherwise',
    },
  ])('given $given, then that is: $expected', ({ result, expected }) => {
    const verdict = judgeTrial(trial, result);

    expect(verdict.state).toBe(expected);
    expect(verdictLine(trial, verdict).toLowerCase()).toContain(expected);
    expect(outcomeOf(verdict).state).toBe({ noticed: 'passed', 'not run': 'skipped' }[expected] ?? 'failed');
  });
});
