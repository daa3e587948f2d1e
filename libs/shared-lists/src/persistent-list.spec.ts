import { describe, expect, it } from '@jest/globals';
import { KcpError, type KcpErrorCode, type Page } from '@dep-ctrl/kcp-client';
import { ManualClock } from '@dep-ctrl/kcp-client/testing';
import { persistentList } from './persistent-list.js';

const forever = new AbortController().signal;

describe(persistentList, () => {
  it.each<{ given: string; script: Script; expected: string[]; waitedMs: number }>([
    { given: 'nothing wrong', script: [['a', 'b']], expected: ['a', 'b'], waitedMs: 0 },
    { given: 'a hiccup at once', script: [['unreachable'], ['a']], expected: ['a (anew)'], waitedMs: 100 },
    {
      given: 'a hiccup between pages',
      script: [
        ['a', 'unavailable'],
        ['a', 'b'],
      ],
      expected: ['a', 'a (anew)', 'b'],
      waitedMs: 100,
    },
    { given: 'two hiccups', script: [['server-error'], ['unreachable'], ['a']], expected: ['a (anew)'], waitedMs: 200 },
    { given: 'three hiccups', script: [['server-error'], ['server-error'], ['server-error']], expected: ['server-error'], waitedMs: 200 },
    {
      given: 'kcp asking to wait, as often as it likes',
      script: [['throttled'], ['throttled'], ['throttled'], ['throttled'], ['a']],
      expected: ['a (anew)'],
      waitedMs: 4_000,
    },
    { given: 'an object that is too large', script: [['too-large']], expected: ['too-large'], waitedMs: 0 },
    { given: 'no permission', script: [['forbidden']], expected: ['forbidden'], waitedMs: 0 },
    { given: 'nothing served there', script: [['not-served']], expected: ['not-served'], waitedMs: 0 },
    { given: 'an answer that makes no sense', script: [['invalid-response']], expected: ['invalid-response'], waitedMs: 0 },
    { given: 'a timeout', script: [['timeout']], expected: ['timeout'], waitedMs: 0 },
  ])('given $given, then the reader gets $expected', async ({ script, expected, waitedMs }) => {
    const clock = new ManualClock();
    const reading = readAll(clock, script);

    await clock.advance(waitedMs);

    expect(await Promise.race([reading, Promise.resolve().then(() => 'still waiting')])).toEqual(expected);
  });
});

/** Per try: pages, or the code of the failure that ends it. */
type Script = readonly (readonly string[])[];

async function readAll(clock: ManualClock, script: Script): Promise<string[]> {
  const tries = [...script];
  const open = async function* (): AsyncGenerator<Page> {
    for (const step of tries.shift() ?? []) {
      if (step.length > 1) throw failure(step as KcpErrorCode);
      yield await Promise.resolve({ bytes: Buffer.from(step), resourceVersion: '1', last: false, restarted: false });
    }
  };
  const read: string[] = [];
  try {
    for await (const { bytes, restarted } of persistentList(open, { clock, signal: forever })) {
      read.push(`${bytes.toString()}${restarted ? ' (anew)' : ''}`);
    }
  } catch (thrown) {
    read.push(thrown instanceof KcpError ? thrown.code : String(thrown));
  }
  return read;
}

function failure(code: KcpErrorCode): KcpError {
  return new KcpError({ code, asked: 'list', at: 'here', problem: 'x', ...(code === 'throttled' ? { retryAfterMs: 1_000 } : {}) });
}
