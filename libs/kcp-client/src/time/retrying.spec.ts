import { describe, expect, it } from '@jest/globals';
import { KcpError, retrying, type KcpErrorCode } from '../index.js';
import { instantClock } from '../testing/instant-clock.js';

const { signal } = new AbortController();

describe(retrying, () => {
  it('given failures that pass, then it waits longer each time, as long as the server asks, and answers', async () => {
    const clock = instantClock();
    const answers = [failure('unavailable'), failure('throttled', 3_000), failure('timeout'), failure('not-served'), 'done'];

    const answer = await retrying(() => next(answers), { attempts: 5, signal, clock, random: () => 0 });

    expect(answer).toBe('done');
    expect(clock.slept).toEqual([50, 3_000, 200, 400]);
  });

  it('given no more attempts, then it throws the last failure', async () => {
    const answers = [failure('unavailable'), failure('timeout'), 'done'];

    await expect(retrying(() => next(answers), { attempts: 2, signal, clock: instantClock() })).rejects.toMatchObject({ code: 'timeout' });
  });

  it.each<KcpErrorCode>(['forbidden', 'conflict', 'not-found', 'invalid-response'])(
    'given %s, then it is not tried again',
    async (code) => {
      await expect(retrying(() => next([failure(code), 'done']), { attempts: 5, signal, clock: instantClock() })).rejects.toMatchObject({
        code,
      });
    },
  );

  it('given a caller who waits for a kcp that starts, then a 403 is tried again, and what the caller does not name is not', async () => {
    const answers = [failure('forbidden'), failure('not-served'), failure('conflict'), 'done'];
    const retryOn = ({ retryable, code }: KcpError): boolean => retryable || code === 'forbidden';

    await expect(retrying(() => next(answers), { attempts: 5, signal, clock: instantClock(), retryOn })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(answers).toEqual(['done']);
  });

  it('given another error, then it is not tried again: it is a bug', async () => {
    await expect(retrying(() => next([new TypeError('bug'), 'done']), { attempts: 5, signal, clock: instantClock() })).rejects.toThrow(
      'bug',
    );
  });

  it('given a caller that gives up while it waits, then it ends', async () => {
    const call = retrying(() => next([failure('unavailable'), 'done']), {
      attempts: 5,
      signal: AbortSignal.abort(new Error('enough')),
      clock: instantClock(),
    });

    await expect(call).rejects.toThrow('enough');
  });
});

async function next(answers: (Error | string)[]): Promise<string> {
  const answer = await Promise.resolve(answers.shift() ?? 'nothing left');
  if (answer instanceof Error) throw answer;
  return answer;
}

function failure(code: KcpErrorCode, retryAfterMs?: number): KcpError {
  return new KcpError({ code, asked: 'x', at: 'y', problem: 'z', ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });
}
