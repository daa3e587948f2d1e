import { describe, expect, it } from '@jest/globals';
import type { IncomingRequest } from '../http/incoming-request.js';
import { jsonReply, type Outcome, type WatchSink } from '../http/reply.js';
import { RequestFaults } from './request-faults.js';
import { RequestLog } from './request-log.js';

function request(method: string, path: string, query = ''): IncomingRequest {
  const { signal } = new AbortController();
  return { method, path, query: new URLSearchParams(query), headers: {}, body: () => Promise.resolve(Buffer.alloc(0)), signal };
}

const served = jsonReply(200, { served: true });
const stream: Outcome = {
  kind: 'stream',
  status: 200,
  headers: {},
  start: (sink) => {
    sink.send([Buffer.from('a')]);
    sink.send([Buffer.from('b')]);
    return () => undefined;
  },
};

function door(answer: Outcome = served): { faults: RequestFaults; log: RequestLog; ask: (one: IncomingRequest) => Promise<Outcome> } {
  const [faults, log] = [new RequestFaults(), new RequestLog()];
  return { faults, log, ask: faults.wrap('root', log, () => Promise.resolve(answer)) };
}

/** A server of watches that say what they are told to, each by itself. */
function watchServer() {
  const sinks: WatchSink[] = [];
  const start = (sink: WatchSink) => {
    sinks.push(sink);
    return () => undefined;
  };
  const { faults, ask } = door({ kind: 'stream', status: 200, headers: {}, start });
  const open = async () => {
    const outcome = await ask(request('GET', '/api/v1/secrets', 'watch=true'));
    if (outcome.kind !== 'stream') throw new Error(outcome.kind);
    const told: string[] = [];
    outcome.start({ send: (parts) => told.push(Buffer.concat(parts).toString()), end: () => told.push('end') });
    const sink = sinks.at(-1);
    return { say: (text: string) => sink?.send([Buffer.from(text)]), told };
  };
  return { faults, open };
}

describe(RequestFaults, () => {
  it.each([
    { given: 'a drop', fault: { kind: 'drop' }, expected: { kind: 'drop' } },
    { given: 'a cut', fault: { kind: 'cut', afterBytes: 3 }, expected: { kind: 'cut', afterBytes: 3, reply: served } },
    { given: 'an answer', fault: { kind: 'answer', status: 503, body: { no: 1 } }, expected: { kind: 'whole', status: 503 } },
    { given: 'a delay', fault: { kind: 'delay', ms: 1 }, expected: served },
  ] as const)('given $given, when a request matches, then it happens', async ({ fault, expected }) => {
    const { faults, ask } = door();
    faults.add({ path: /^\/api/ }, fault);

    expect(await ask(request('GET', '/api/v1/secrets'))).toMatchObject(expected);
    expect(await ask(request('GET', '/version'))).toBe(served);
  });

  it.each([
    { match: { listener: 'proxy' }, hits: false },
    { match: { listener: 'root' }, hits: true },
    { match: { method: 'POST' }, hits: false },
    { match: { method: /^(?:GET|LIST)$/ }, hits: true },
    { match: { method: /^(?:PUT|POST)$/ }, hits: false },
    { match: { path: '/api/v1/secrets' }, hits: true },
    { match: { path: '/api/v1' }, hits: false },
    { match: { watch: true }, hits: true },
    { match: { watch: false }, hits: false },
  ])('given the match $match, then it hits a watch of secrets: $hits', async ({ match, hits }) => {
    const { faults, log, ask } = door();
    faults.add(match, { kind: 'drop' });

    const outcome = await ask(request('GET', '/api/v1/secrets', 'watch=true'));

    expect([outcome.kind === 'drop', log.count(match)]).toEqual([hits, hits ? 1 : 0]);
  });

  it('given a number of times, then later requests are served, and so after a clear', async () => {
    const { faults, ask } = door();
    faults.add({}, { kind: 'drop' }, { times: 1 });

    expect((await ask(request('GET', '/'))).kind).toBe('drop');
    expect((await ask(request('GET', '/'))).kind).toBe('whole');
    faults.add({}, { kind: 'drop' });
    faults.clear();
    expect((await ask(request('GET', '/'))).kind).toBe('whole');
  });

  it('given a frozen watch, then it is silent, and tells all in order once it thaws', async () => {
    const { faults, ask } = door(stream);
    const thaw = faults.add({ watch: true }, { kind: 'freeze' });
    const outcome = await ask(request('GET', '/api/v1/secrets', 'watch=true'));
    const told: string[] = [];
    if (outcome.kind !== 'stream') throw new Error(outcome.kind);

    outcome.start({ send: (parts) => told.push(Buffer.concat(parts).toString()), end: () => told.push('end') });
    expect(told).toEqual([]);
    thaw();

    expect(told).toEqual(['a', 'b']);
  });

  it('given a freeze of two watches and three that run, then the two oldest are silent until it thaws', async () => {
    const { faults, open } = watchServer();
    const watches = [await open(), await open(), await open()];
    const thaw = faults.add({ watch: true }, { kind: 'freeze' }, { times: 2 });

    for (const { say } of watches) say('a');
    expect(watches.map(({ told }) => told.length)).toEqual([0, 0, 1]);
    thaw();

    expect(watches.map(({ told }) => told)).toEqual([['a'], ['a'], ['a']]);
  });

  it('given a watch that two freezes match, then it is silent until both have thawed', async () => {
    const { faults, open } = watchServer();
    const { say, told } = await open();
    const thaws = [faults.add({ watch: true }, { kind: 'freeze' }), faults.add({}, { kind: 'freeze' })];

    say('a');
    thaws[0]?.();
    expect(told).toEqual([]);
    thaws[1]?.();

    expect(told).toEqual(['a']);
  });

  it('given another fault that matches a watch that runs, then that watch goes on', async () => {
    const { faults, open } = watchServer();
    const { say, told } = await open();
    faults.add({ watch: true }, { kind: 'drop' });

    say('a');

    expect(told).toEqual(['a']);
  });

  it('given a held answer, then it comes when the fault is removed', async () => {
    const { faults, ask } = door();
    const release = faults.add({}, { kind: 'hold' });
    let answered = false;
    const asked = ask(request('GET', '/')).then((outcome) => {
      answered = true;
      return outcome;
    });

    await Promise.resolve();
    expect(answered).toBe(false);
    release();

    expect(await asked).toBe(served);
  });
});
