import { describe, expect, it } from '@jest/globals';
import { KcpError } from '@dep-ctrl/kcp-client';
import { path } from '../rules/spec-support/objects.js';
import { refusalIn, withRole } from './missing-role.js';

const kcpError = (code: 'forbidden' | 'not-found') => new KcpError({ code, asked: 'get it', at: 'https://kcp', problem: 'kcp says so' });
const forbidden = kcpError('forbidden');
const refusedBy = (problem: string) => new KcpError({ code: 'forbidden', asked: 'delete it', at: 'https://kcp', problem });
const missing = kcpError('not-found');

describe(refusalIn, () => {
  it.each([
    { given: 'a refusal', error: forbidden, expected: forbidden },
    { given: 'a refusal behind a failure', error: new Error('a', { cause: new Error('b', { cause: forbidden }) }), expected: forbidden },
    { given: 'a refusal among others', error: new AggregateError([missing, new Error('a', { cause: forbidden })]), expected: forbidden },
    {
      given: 'several of which none is a refusal',
      error: new AggregateError([missing, 'x'], 'y', { cause: forbidden }),
      expected: undefined,
    },
    { given: 'another answer of kcp', error: missing, expected: undefined },
    {
      given: 'a namespace that nobody may delete',
      error: refusedBy('namespaces "default" is forbidden: this namespace may not be deleted'),
      expected: undefined,
    },
    { given: 'a webhook that refuses', error: refusedBy('admission webhook "a.b" denied the request: still used'), expected: undefined },
    {
      given: 'a policy that refuses',
      error: refusedBy("x is forbidden: ValidatingAdmissionPolicy 'no-deletes' with binding 'b' denied request: no"),
      expected: undefined,
    },
    { given: 'a failure without a cause', error: new Error('a'), expected: undefined },
    { given: 'what is no error', error: { cause: forbidden }, expected: undefined },
    { given: 'nothing', error: undefined, expected: undefined },
  ])('given $given, then $expected.code', ({ error, expected }) => {
    expect(refusalIn(error)).toBe(expected);
  });
});

describe(withRole, () => {
  const role = { path: path('root:network'), clusterRole: 'dep-ctrl-reader' };

  it('given a refusal, then the failure says which role is missing, and how an admin grants it', () => {
    const failure = withRole(new Error('it cannot be read', { cause: forbidden }), role, 'https://kcp:6443');

    expect(failure).toEqual(
      new Error(
        `it cannot be read: ${forbidden.message}; role missing: dep-ctrl-reader in root:network, which an admin there grants: kubectl --server https://kcp:6443/clusters/root:network create clusterrolebinding dep-ctrl-reader:NAME --clusterrole dep-ctrl-reader --user NAME`,
      ),
    );
  });

  it('given any other failure, then it stays as it is', () => {
    expect(withRole(missing, role, 'https://kcp:6443')).toBe(missing);
  });
});
