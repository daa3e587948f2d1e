import { describe, expect, it } from '@jest/globals';
import { SharedReads } from './shared-reads.js';

const signal = new AbortController().signal;

describe(SharedReads, () => {
  it('given many questions at once, then there is one read per key', async () => {
    const { reads, begun } = reader();

    const answers = await Promise.all(Array.from({ length: 1000 }, (_, at) => reads.ask(`k${at % 5}`, { signal })));

    expect(begun).toHaveLength(5);
    expect(new Set(answers).size).toBe(5);
  });

  it('given an answer younger than the bound, then it is handed out again; older, then it is read again', async () => {
    const { reads, begun, clock } = reader();
    await reads.ask('k', { signal });

    clock.ms = 999;
    await reads.ask('k', { signal });
    expect(begun).toHaveLength(1);

    clock.ms = 1000;
    await reads.ask('k', { signal });
    expect(begun).toHaveLength(2);
  });

  it('given a read under way, when fresh answers are asked for, then they share one that begins afterwards', async () => {
    const { reads, begun, finish } = reader({ held: true });
    const first = reads.ask('k', { signal });
    const fresh = [reads.ask('k', { signal, fresh: true }), reads.ask('k', { signal, fresh: true })];

    finish();
    expect(await first).toBe('k#1');
    expect(await Promise.all(fresh)).toEqual(['k#2', 'k#2']);
    expect(await reads.ask('k', { signal })).toBe('k#2');
    expect(begun).toEqual(['k', 'k']);
  });

  it('given a failure, then all who wait get it and the next question reads again', async () => {
    const { reads, begun } = reader({ failures: 1 });

    const both = await Promise.allSettled([reads.ask('k', { signal }), reads.ask('k', { signal })]);
    const again = await reads.ask('k', { signal });

    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(again).toBe('k#2');
    expect(begun).toHaveLength(2);
  });

  it('given an answer that is not to be kept, then the next question reads again', async () => {
    const { reads, begun } = reader({ keeps: () => false });

    await reads.ask('k', { signal });
    await reads.ask('k', { signal });

    expect(begun).toHaveLength(2);
  });

  it('given one of two who stops waiting, then the other still gets the answer', async () => {
    const { reads, finish, aborted } = reader({ held: true });
    const impatient = new AbortController();
    const gone = reads.ask('k', { signal: impatient.signal });
    const stays = reads.ask('k', { signal });

    impatient.abort(new Error('no patience'));
    await expect(gone).rejects.toThrow('no patience');
    finish();

    expect(await stays).toBe('k#1');
    expect(aborted).toEqual([]);
  });

  it('given nobody who waits any more, then the read is aborted and the next question reads again', async () => {
    const { reads, finish, aborted, begun } = reader({ held: true });
    const impatient = new AbortController();
    const gone = reads.ask('k', { signal: impatient.signal });

    impatient.abort();
    await expect(gone).rejects.toThrow();
    expect(aborted).toEqual(['k']);
    finish();

    expect(await reads.ask('k', { signal })).toBe('k#2');
    expect(begun).toHaveLength(2);
  });

  it('given a signal that is aborted already, then nothing is read', async () => {
    const { reads, begun } = reader();

    await expect(reads.ask('k', { signal: AbortSignal.abort() })).rejects.toThrow();

    expect(begun).toEqual([]);
  });
});

function reader({ held = false, failures = 0, keeps = () => true }: { held?: boolean; failures?: number; keeps?: () => boolean } = {}) {
  const clock = { ms: 0, monotonic: () => clock.ms };
  const begun: string[] = [];
  const aborted: string[] = [];
  let finish: () => void = () => undefined;
  const released = held ? new Promise<void>((resolve) => (finish = resolve)) : Promise.resolve();
  const read = async (key: string, options: { signal: AbortSignal }): Promise<string> => {
    const number = begun.push(key);
    options.signal.addEventListener('abort', () => aborted.push(key));
    await released;
    if (number <= failures) throw new Error('broken');
    return `${key}#${number}`;
  };
  return {
    reads: new SharedReads<string, string>({ read, clock, staleAfterMs: 1000, keeps }),
    begun,
    aborted,
    clock,
    finish: () => finish(),
  };
}
