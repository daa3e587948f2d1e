import { describe, expect, it } from '@jest/globals';
import type { InstallOutcome } from '@dep-ctrl/webhook-installer';
import { name, path } from '../rules/spec-support/objects.js';
import { installationOf } from './installation.js';

const context = {
  cluster: name('network1'),
  path: path('root:network'),
  exportName: 'dependencies.opendefense.cloud',
  resources: [{ group: 'g', resource: 'rs' }],
};
const problem = 'because';

describe(installationOf, () => {
  it.each<{ outcome: InstallOutcome; expected: string; says: string }>([
    {
      outcome: { state: 'conflict', owner: 'other1' },
      expected: 'Conflict',
      says: 'made by the installation whose export lives in logical cluster other1',
    },
    { outcome: { state: 'conflict', owner: undefined }, expected: 'Conflict', says: 'made by nobody we know' },
    { outcome: { state: 'not-bound', problem, retryable: false }, expected: 'NotBound', says: 'dep-ctrl bind root:network' },
    { outcome: { state: 'claim-not-accepted', problem, retryable: false }, expected: 'ClaimNotAccepted', says: 'should accept' },
    { outcome: { state: 'forbidden', problem, retryable: false }, expected: 'Forbidden', says: problem },
    { outcome: { state: 'invalid', problem, retryable: false }, expected: 'Invalid', says: problem },
    { outcome: { state: 'unreachable', problem, retryable: true }, expected: 'Unreachable', says: problem },
  ])('given $outcome.state, then it failed as $expected and says what to do where', ({ outcome, expected, says }) => {
    const installation = installationOf(outcome, context);

    expect(installation).toMatchObject({ state: 'failed', reason: expected, message: expect.stringContaining('root:network') });
    expect('message' in installation && installation.message).toContain(says);
  });

  it('given a path of one segment without a binding, then it says how it was read and how a path is written', () => {
    const installation = installationOf({ state: 'not-bound', problem, retryable: false }, { ...context, path: path('storage') });

    expect(installation).toMatchObject({
      reason: 'UnknownCluster',
      message: expect.stringMatching(/^"storage" is taken for the name of a logical cluster, .* such as "root:storage"$/),
    });
  });

  it.each<InstallOutcome>([{ state: 'unchanged' }, { state: 'installed', change: 'created' }])(
    'given $state, then it is installed',
    (outcome) => {
      expect(installationOf(outcome, context)).toEqual({ state: 'installed', resources: context.resources });
    },
  );
});
