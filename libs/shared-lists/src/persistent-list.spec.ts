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
    { given: 'pages that are too large', script: [['too-large'], ['too-large'], ['a']], expected: ['a (anew)'], waitedMs: 0 },
    {
      given: 'objects that are too large',
      script: [['too-large'], ['too-large'], ['too-large'], ['too-large']],
      expected: ['too-large'],
      waitedMs: 0,
    },
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

  it.each([
    { first: 500, limits: [500, 62, 7, 2] },
    { first: 1_000, limits: [1_000, 125, 15, 2] },
    { first: 10_000, limits: [10_000, 1_250, 156, 19, 2] },
  ])("given objects near etcd's limit and pages of $first, then they shrink to what always fits", async ({ first, limits }) => {
    const asked: number[] = [];
    const shrunk: number[] = [];

    const script = limits.map((limit) => [limit === 2 ? 'a' : 'too-large']);
    await readAll(new ManualClock(), script, {
      first,
      onOpen: (limit) => asked.push(limit),
      onShrunk: (limit) => shrunk.push(limit),
    });

    expect(asked).toEqual(limits);
    expect(shrunk).toEqual(limits.slice(1));
  });
});

/** Per try: pages, or the code of the failure that ends it. */
type Script = readonly (readonly string[])[];

async function readAll(
  clock: ManualClock,
  script: Script,
  {
    first = 500,
    onOpen,
    onShrunk = () => undefined,
  }: { first?: number; onOpen?: (limit: number) => void; onShrunk?: (limit: number) => void } = {},
): Promise<string[]> {
  const tries = [...script];
  const open = async function* (limit: number): AsyncGenerator<Page> {
    onOpen?.(limit);
    for (const step of tries.shift() ?? []) {
      if (step.length > 1) throw failure(step as KcpErrorCode);
      yield await Promise.resolve({ bytes: Buffer.from(step), resourceVersion: '1', last: false, restarted: false });
    }
  };
  const read: string[] = [];
  try {
    for await (const { bytes, restarted } of persistentList(open, { limit: first, clock, signal: forever, onShrunk })) {
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
