import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import { Background } from '../background/background.js';
import { PlainError } from '../http/api-status.js';
import { LifecycleAuthorization, type LifecycleAsked } from './lifecycle-authorization.js';

const FIVE_MINUTES_MS = 300_000;

const asked: LifecycleAsked = {
  lifecycle: { verb: 'terminate' },
  cluster: '1home' as LogicalClusterName,
  name: 'held',
  user: { username: 'worker', groups: ['system:authenticated'] },
  isWildcard: false,
  path: '/services/x',
};

describe(LifecycleAuthorization, () => {
  let shard: { isServed: boolean; allows: boolean };
  let authorization: LifecycleAuthorization;

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    shard = { isServed: true, allows: true };
    authorization = new LifecycleAuthorization({
      authorizer: { reaches: () => shard.allows, rbacAllows: () => shard.allows },
      isServed: () => shard.isServed,
      background: new Background('real', () => undefined),
    });
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('given a user who was let in, when the shard of the type goes down, then the user is let in for five minutes', async () => {
    authorization.allows(asked);
    shard.isServed = false;

    expect(authorization.allows(asked)).toBe(true);
    await jest.advanceTimersByTimeAsync(FIVE_MINUTES_MS);
    expect(() => authorization.allows(asked)).toThrow(PlainError);
  });

  it.each([
    { given: 'another user', other: { user: { username: 'other', groups: [] } } },
    { given: 'all clusters at once', other: { isWildcard: true } },
    { given: 'another type', other: { name: 'other' } },
  ])('given the shard of the type is down and $given, then the answer is 500', ({ other }) => {
    authorization.allows(asked);
    shard.isServed = false;

    expect(() => authorization.allows({ ...asked, ...other })).toThrow('Internal Server Error: "/services/x": an error on the server ("")');
  });

  it('given a user who was refused, when the shard goes down, then the answer is 500', () => {
    shard.allows = false;
    expect(authorization.allows(asked)).toBe(false);
    shard.isServed = false;

    expect(() => authorization.allows(asked)).toThrow(PlainError);
  });

  it('given a master, then the shard of the type does not matter', () => {
    shard.isServed = false;

    expect(authorization.allows({ ...asked, user: { username: 'a', groups: ['system:masters'] } })).toBe(true);
  });
});
