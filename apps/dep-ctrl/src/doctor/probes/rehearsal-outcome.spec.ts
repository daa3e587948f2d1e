import { describe, expect, it } from '@jest/globals';
import { outcomeOf } from './rehearsal-outcome.js';

const CALLED = 'Internal error occurred: failed calling webhook "vpcs.network.example.com.dependencies.opendefense.cloud"';
const DENIED = 'admission webhook "vpcs.network.example.com.dependencies.opendefense.cloud" denied the request: ';

describe(outcomeOf, () => {
  it.each<{ given: string; code?: 'timeout' | 'forbidden' | 'unavailable'; message: string; outcome: object }>([
    {
      given: 'a refusal that names what refers to the object',
      message: `cannot delete: ${DENIED}cannot delete Vpc net: still referenced by Vm web (.spec.vpc)`,
      outcome: { state: 'asked' },
    },
    {
      given: 'a refusal of a webhook that cannot tell',
      code: 'unavailable',
      message: `cannot delete: ${DENIED}cannot delete Vpc net: dep-ctrl has not read all rules about it yet; try again in a moment`,
      outcome: { state: 'cannot-tell', says: 'cannot delete Vpc net: dep-ctrl has not read all rules about it yet; try again in a moment' },
    },
    {
      given: "a refusal of somebody else's webhook",
      message: 'admission webhook "policy.example.com" denied the request: no deletes on Sundays',
      outcome: { state: 'asked' },
    },
    {
      given: 'a webhook that kcp does not reach',
      message: `${CALLED}: failed to call webhook: Post "https://w.example.com:9443/validate/abc/token?timeout=10s": no route to host`,
      outcome: { state: 'not-reached', problem: 'Post "https://w.example.com:9443/...": no route to host' },
    },
    {
      given: 'a webhook that answers nonsense',
      message: `${CALLED}: expected response.uid="a", got ""`,
      outcome: { state: 'not-reached', problem: 'expected response.uid="a", got ""' },
    },
    {
      given: 'no answer in time',
      code: 'timeout',
      message: 'timeout',
      outcome: { state: 'not-reached', problem: 'kcp did not answer within 12 s' },
    },
    { given: 'another failure', message: 'kcp is busy', outcome: { state: 'not-tried', because: 'failed', why: 'kcp is busy' } },
  ])('given $given, then that is what is told', ({ code = 'forbidden', message, outcome }) => {
    expect(outcomeOf({ code, message })).toEqual(outcome);
  });
});
