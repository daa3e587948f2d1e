import { describe, expect, it } from '@jest/globals';
import { systemClock, type Connection } from '@dep-ctrl/kcp-client';
import { instantClock, sleepless } from '@dep-ctrl/kcp-client/testing';
import { onEmbeddedKcp, pathOf } from './spec-support/embedded-world.js';
import { ensureWorkspace } from './ensure-workspace.js';
import { onceReady } from './fresh-workspace.js';
import { LOGICAL_CLUSTERS } from './kcp-types.js';

const options = () => ({ signal: AbortSignal.timeout(60_000) });
const there = pathOf('root:there');

/** What a workspace answers that the front-proxy does not know, `times` over, and then what it answers once it does. */
function refusedFirst(connection: Connection, times: number): { readonly enter: () => Promise<string>; readonly tries: () => number } {
  let tries = 0;
  const enter = async () => {
    tries += 1;
    const path = tries <= times ? pathOf('root:nobody-knows-it') : there;
    await connection.cluster(path).get(LOGICAL_CLUSTERS, { name: 'cluster' }, options());
    return 'entered';
  };
  return { enter, tries: () => tries };
}

describe(onceReady, () => {
  it('given a workspace that was made a moment ago and is refused at first, then it is waited for', () =>
    onEmbeddedKcp(async ({ admin }) => {
      await ensureWorkspace(admin, there, { ...options(), clock: systemClock });
      const { enter, tries } = refusedFirst(admin, 2);

      expect(await onceReady(admin, there, enter, { ...options(), clock: instantClock({ atLeastMs: 1_000 }) })).toBe('entered');
      expect(tries()).toBe(3);
    }));

  it('given a workspace that is ready and refuses for good, then the refusal is believed after a few seconds', () =>
    onEmbeddedKcp(async ({ admin }) => {
      await ensureWorkspace(admin, there, { ...options(), clock: systemClock });
      const { enter } = refusedFirst(admin, Infinity);

      await expect(onceReady(admin, there, enter, { ...options(), clock: instantClock({ atLeastMs: 1_000 }) })).rejects.toThrow(
        'nobody-knows-it',
      );
    }));

  it('given a workspace that is surely not there, then nobody waits for it', () =>
    onEmbeddedKcp(async ({ admin }) => {
      const { enter, tries } = refusedFirst(admin, Infinity);

      await expect(onceReady(admin, there, enter, { ...options(), clock: sleepless })).rejects.toThrow('nobody-knows-it');
      expect(tries()).toBe(1);
    }));
});
