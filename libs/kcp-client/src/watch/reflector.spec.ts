import { beforeEach, describe, expect, it } from '@jest/globals';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { Connection, Reflector, silentLogger, type ReflectorEvent, type ReflectorOptions } from '../index.js';
import { instantClock } from '../testing/instant-clock.js';
import { Script, vpc, vpcList, watchOf, type Act } from '../spec-support/script.js';
import { json, serve, text } from '../spec-support/serve.js';

const vpcs = { group: 'network.example.com', version: 'v1', resource: 'vpcs' };
const added = (name: string, resourceVersion: string): object => ({ type: 'ADDED', object: vpc(name, resourceVersion) });
const quiet = watchOf([], 'stay');

describe(Reflector, () => {
  it('given pages and a watch, then all objects are told at once with their clusters, and every change after them', async () => {
    const script = new Script(
      [json(200, vpcList('7', [vpc('a', '1')], 'next')), json(200, vpcList('7', [vpc('b', '2', 'c2')]))],
      [watchOf([added('c', '8'), { type: 'DELETED', object: vpc('a', '9') }], 'stay')],
    );

    const { events } = await reflect(script, (told) => told.length === 3);

    expect(events.map(summary)).toEqual(['replaced c1/a c2/b', 'applied c1/c', 'deleted c1/a']);
    expect(script.lists.map((query) => query.get('continue'))).toEqual([null, 'next']);
    expect(script.watches[0]?.get('resourceVersion')).toBe('7');
    expect(script.watches[0]?.get('allowWatchBookmarks')).toBe('true');
  });

  it('given what to keep of an object, then that is told, and what is not kept is as if it were not there', async () => {
    const script = new Script(
      [json(200, vpcList('7', [vpc('a', '1'), vpc('theirs', '2')]))],
      [watchOf([added('theirs', '8')], 'end'), watchOf([added('b', '9')], 'stay')],
    );
    const keep = (object: KubeObject): KubeObject | undefined =>
      object.metadata.name === 'theirs' ? undefined : { metadata: object.metadata, kept: true };

    const { events } = await reflect(script, (told) => told.length === 2, { keep });

    expect(events.map(summary)).toEqual(['replaced c1/a', 'applied c1/b']);
    expect(events[1]).toMatchObject({ object: { object: { kept: true } } });
    expect(script.watches[1]?.get('resourceVersion')).toBe('8');
  });

  describe('given a parser for what is large', () => {
    const huge = { ...vpc('huge', '8'), spec: { text: 'x'.repeat(70_000) } };
    const parseLarge = (json: Buffer, form: 'list' | 'event'): Promise<unknown> => {
      parsed.push(form);
      return Promise.resolve(JSON.parse(json.toString().replace(/x{9,}/g, 'little')));
    };
    let parsed: string[];
    beforeEach(() => {
      parsed = [];
    });

    it('given pages and lines of more than 64 KiB, then it parses them, and no others', async () => {
      const script = new Script(
        [json(200, vpcList('7', [huge], 'next')), json(200, vpcList('7', [vpc('b', '2')]))],
        [watchOf([added('c', '8'), { type: 'MODIFIED', object: huge }, added('d', '9')], 'stay')],
      );

      const { events } = await reflect(script, (told) => told.length === 4, { parseLarge });

      expect(events.map(summary)).toEqual(['replaced c1/huge c1/b', 'applied c1/c', 'applied c1/huge', 'applied c1/d']);
      expect(events[2]).toMatchObject({ object: { object: { spec: { text: 'little' } } } });
      expect(parsed).toEqual(['list', 'event']);
    });

    it('given an event that takes long to parse, then it is a sign of life of when it came', async () => {
      const script = new Script(
        [json(200, vpcList('7', []))],
        [watchOf([{ type: 'MODIFIED', object: huge }], 'reset'), watchOf([added('c', '9')], 'stay')],
      );
      let nowMs = 0;
      const signs: (number | undefined)[] = [];

      await reflect(script, (told) => told.length === 3, {
        clock: { ...instantClock(), monotonic: () => nowMs },
        parseLarge: (line) => {
          nowMs += 60_000;
          return Promise.resolve(JSON.parse(line.toString()));
        },
        onRequest: ({ lastSignOfLifeMs }) => signs.push(lastSignOfLifeMs),
      });

      expect([nowMs, signs.at(-1)]).toEqual([60_000, 0]);
    });

    it('given a large line that is no JSON, then it is told as undecodable', async () => {
      const script = new Script([json(200, vpcList('7', []))], [watchOf([`{${'y'.repeat(70_000)}\n`], 'stay')]);

      const { events } = await reflect(script, (told) => told.some(({ kind }) => kind === 'undecodable'), { parseLarge });

      expect(events.at(-1)).toMatchObject({
        kind: 'undecodable',
        problem: expect.stringMatching(/^a line of 70001 bytes is not JSON: "\{yyy/),
      });
    });

    it('given a large page that is no JSON, then it is listed again', async () => {
      const page = text(200, `{"kind":"VPCList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[${'y'.repeat(70_000)}]}`, {
        'content-type': 'application/json',
      });
      const script = new Script([page, json(200, vpcList('7', [vpc('a', '1')]))], [quiet]);

      const { events } = await reflect(script, (told) => told.length === 1, { parseLarge });

      expect(events.map(summary)).toEqual(['replaced c1/a']);
      expect(script.lists).toHaveLength(2);
    });
  });

  const endings: readonly (readonly [string, Act])[] = [
    ['that the server closes', watchOf([added('a', '8')], 'end')],
    ['that is reset', watchOf([added('a', '8')], 'reset')],
    ['that breaks inside a line', watchOf([added('a', '8'), '{"type":"ADDED","obj'], 'reset')],
    ['that ends inside a line', watchOf([added('a', '8'), '{"type":"ADDED","obj'], 'end')],
    ['that falls silent after a word', watchOf([added('a', '8')], 'stay')],
  ];
  it.each(endings)('given a watch %s, then the next one goes on behind the last event and nothing is told twice', async (_, first) => {
    const script = new Script([json(200, vpcList('7', []))], [first, watchOf([added('b', '9')], 'stay')]);

    const { events } = await reflect(script, (told) => told.length === 3);

    expect(events.map(summary)).toEqual(['replaced', 'applied c1/a', 'applied c1/b']);
    expect(script.watches[1]?.get('resourceVersion')).toBe('8');
    expect(script.lists).toHaveLength(1);
  });

  it('given a bookmark, then the next watch goes on behind it', async () => {
    const bookmark = { type: 'BOOKMARK', object: { kind: 'VPC', metadata: { resourceVersion: '20' } } };
    const script = new Script([json(200, vpcList('7', []))], [watchOf([bookmark], 'end'), watchOf([added('b', '21')], 'stay')]);

    await reflect(script, (told) => told.length === 2);

    expect(script.watches[1]?.get('resourceVersion')).toBe('20');
  });

  const gone: readonly (readonly [string, Act])[] = [
    ['as the answer', json(410, { kind: 'Status', status: 'Failure', reason: 'Expired', code: 410 })],
    ['as an event', watchOf([{ type: 'ERROR', object: { kind: 'Status', reason: 'Expired', code: 410 } }], 'stay')],
  ];
  it.each(gone)('given 410 %s, then everything is listed anew and swapped in whole', async (_, refusal) => {
    const script = new Script([json(200, vpcList('7', [vpc('a', '1')])), json(200, vpcList('30', [vpc('b', '25')]))], [refusal, quiet]);

    const { events } = await reflect(script, (told) => told.length === 2);

    expect(events.map(summary)).toEqual(['replaced c1/a', 'replaced c1/b']);
  });

  const passing: readonly (readonly [string, Act])[] = [
    ['500', text(500, 'oops')],
    ['403', json(403, { kind: 'Status', status: 'Failure', reason: 'Forbidden', code: 403 })],
    ['a login page', text(200, '<html>')],
    ['a reset', (request) => request.socket.resetAndDestroy()],
  ];
  it.each(passing)('given %s on the watch, then it is tried again from where it was until it works', async (_, refusal) => {
    const script = new Script([json(200, vpcList('7', []))], [refusal, refusal, watchOf([added('a', '8')], 'stay')]);

    const { events, slept } = await reflect(script, (told) => told.length === 2);

    expect(events.map(summary)).toEqual(['replaced', 'applied c1/a']);
    expect(script.watches.map((query) => query.get('resourceVersion'))).toEqual(['7', '7', '7']);
    expect(slept).toEqual([100, 200]);
  });

  it('given a watch that opens and never speaks, then it is not believed: there is a new list', async () => {
    const script = new Script([json(200, vpcList('7', [])), json(200, vpcList('9', [vpc('a', '8')]))], [quiet]);

    const { events } = await reflect(script, (told) => told.length === 2);

    expect(events.map(summary)).toEqual(['replaced', 'replaced c1/a']);
  });

  it('given lines that are no objects, then each is reported and the stream lives on', async () => {
    const homeless = { type: 'ADDED', object: { kind: 'VPC', metadata: { name: 'x' } } };
    const script = new Script([json(200, vpcList('7', []))], [watchOf(['garbage\n', homeless, added('a', '8')], 'stay')]);

    const { events } = await reflect(script, (told) => told.length === 4);

    expect(events.map(summary)).toEqual(['replaced', 'undecodable', 'undecodable', 'applied c1/a']);
    expect(script.watches).toHaveLength(1);
  });

  const unserved: readonly (readonly [string, Act])[] = [
    ['404 as text', text(404, '404 page not found')],
    ['404 with a Status', json(404, { kind: 'Status', status: 'Failure', reason: 'NotFound', code: 404 })],
    ['an empty list without a resourceVersion', json(200, { apiVersion: 'a/v1', items: [], kind: 'VPCList', metadata: {} })],
    [
      'half a list',
      (_request, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"apiVersion":"a/v1","items":['),
    ],
    ['429', text(429, 'storage is (re)initializing', { 'retry-after': '1' })],
  ];
  it.each(unserved)('given %s instead of a list, then nothing is told and it is not synced until there is one', async (_, refusal) => {
    const script = new Script([refusal, refusal, json(200, vpcList('7', []))], [quiet]);
    const seen: boolean[] = [];

    const { events } = await reflect(script, (told) => told.length === 1, { onRequest: (freshness) => seen.push(freshness.synced) });

    expect(events.map(summary)).toEqual(['replaced']);
    expect(seen.slice(0, 3)).toEqual([false, false, false]);
  });

  it('given a continue token that expired, then the list begins anew and its first pages are forgotten', async () => {
    const script = new Script(
      [
        json(200, vpcList('7', [vpc('a', '1')], 'next')),
        json(410, { kind: 'Status', status: 'Failure', reason: 'Expired', code: 410 }),
        json(200, vpcList('9', [vpc('b', '8')])),
      ],
      [quiet],
    );

    const { events } = await reflect(script, (told) => told.length === 1);

    expect(events.map(summary)).toEqual(['replaced c1/b']);
  });

  it('given initial events, then there is no list at all', async () => {
    const end = { type: 'BOOKMARK', object: { metadata: { resourceVersion: '7', annotations: { 'k8s.io/initial-events-end': 'true' } } } };
    const script = new Script([], [watchOf([added('a', '1'), end, added('b', '8')], 'stay')]);

    const { events } = await reflect(script, (told) => told.length === 2, { query: { initial: 'stream' } });

    expect(events.map(summary)).toEqual(['replaced c1/a', 'applied c1/b']);
    expect(script.watches[0]?.get('sendInitialEvents')).toBe('true');
  });

  it('given a consumer that throws, then run rejects with that', async () => {
    const script = new Script([json(200, vpcList('7', []))], [quiet]);
    await using kcp = await serve(script.listener);
    const connection = new Connection({ server: kcp.url });
    const onEvent = (): never => {
      throw new Error('bug');
    };
    const reflector = new Reflector({ client: connection.wildcard(), type: vpcs, onEvent });

    await expect(reflector.run(new AbortController().signal)).rejects.toThrow('bug');
    await connection.close();
  });

  it.each([
    {
      given: 'a type that nobody serves yet',
      acts: [
        text(404, '404 page not found'),
        json(404, { kind: 'Status', status: 'Failure', reason: 'NotFound', code: 404 }),
        json(200, vpcList('7', [])),
      ],
      watches: [quiet],
      warned: [],
    },
    {
      given: 'a type that is not served any more',
      acts: [json(200, vpcList('7', [])), text(404, '404 page not found'), json(200, vpcList('9', []))],
      watches: [text(404, '404 page not found'), quiet],
      warned: ['watch lost'],
    },
  ])('given $given, then the warnings are $warned', async ({ acts, watches, warned }) => {
    const warnings: string[] = [];
    const logger = { ...silentLogger, warn: (message: string) => void warnings.push(message) };
    await reflect(new Script(acts, watches), (told) => told.length === 1 + warned.length, { logger });

    expect(warnings).toEqual(warned);
  });
});

interface Extra extends Partial<Pick<ReflectorOptions, 'query' | 'logger' | 'keep' | 'parseLarge' | 'clock'>> {
  readonly onRequest?: (freshness: ReturnType<Reflector['freshness']>) => void;
}

/** Runs a reflector against a script until the events are enough, and stops it. */
async function reflect(
  script: Script,
  enough: (told: readonly ReflectorEvent[]) => boolean,
  { onRequest, ...extra }: Extra = {},
): Promise<{ readonly events: readonly ReflectorEvent[]; readonly slept: readonly number[] }> {
  const events: ReflectorEvent[] = [];
  const stop = new AbortController();
  const clock = instantClock();
  await using kcp = await serve((request, response) => {
    onRequest?.(reflector.freshness());
    script.listener(request, response);
  });
  const connection = new Connection({ server: kcp.url });
  const reflector = new Reflector({
    client: connection.wildcard(),
    type: vpcs,
    clock,
    random: () => 0,
    bounds: { silenceMs: 100 },
    onEvent(event) {
      events.push(event);
      if (enough(events)) stop.abort();
    },
    ...extra,
  });

  await reflector.run(stop.signal);
  await connection.close();
  return { events, slept: clock.slept };
}

function summary(event: ReflectorEvent): string {
  if (event.kind === 'undecodable') return event.kind;
  const objects = event.kind === 'replaced' ? event.objects : [event.object];
  return [event.kind, ...objects.map(({ cluster, object }) => `${cluster}/${String(object.metadata.name)}`)].join(' ');
}
