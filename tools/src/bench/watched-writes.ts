// Many watches and a steady stream of writes: does every watch see each write of its object, once and in order, and how fast?
import { request, type Agent, type Dispatcher } from 'undici';
import { drained, headers, post } from './embedded-requests.js';
import type { Started } from './embedded-server.js';

/** How many watches are open; each write is seen by two of them. */
export const WATCHES = 200;
const WATCHED_NAMESPACES = WATCHES / 2;
/** How many writes are made a second. */
export const WRITES_PER_SECOND = 1_000;
// Offered a little faster than asked for: an open loop ends later than its last write is due, and would otherwise always miss by that.
const OFFERED_PER_SECOND = 1_050;
const WRITING_SECONDS = 5;
// Until then the engine still compiles.
const WARM_UP = 1_000;

/** What the watches saw. */
export interface Watched {
  readonly lost: number;
  readonly perSecond: number;
  readonly slowestMs: number;
}

/** Every namespace has one object and two watches. The object counts; a watch that sees a number twice, late or never has lost. */
export async function watchWrites(agent: Agent, started: Started): Promise<Watched> {
  const core = `${started.url}/clusters/root/api/v1`;
  const namespaces = Array.from({ length: WATCHED_NAMESPACES }, (_, index) => `watched-${index}`);
  for (const name of namespaces) {
    await post(agent, started, `${core}/namespaces`, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    await post(agent, started, `${core}/namespaces/${name}/configmaps`, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'counter' },
      data: { count: '0' },
    });
  }
  const total = WRITES_PER_SECOND * WRITING_SECONDS;
  const perNamespace = (WARM_UP + total) / WATCHED_NAMESPACES;
  const answered = new Map<string, number>();
  const watches = namespaces.flatMap((name) =>
    [0, 1].map(() => watchCounter(agent, started, `${core}/namespaces/${name}/configmaps`, { name, until: perNamespace, answered })),
  );
  await Promise.all(watches.map(({ open }) => open));
  const write = async (index: number): Promise<void> => {
    const name = namespaces[index % WATCHED_NAMESPACES] ?? '';
    const count = String(Math.floor(index / WATCHED_NAMESPACES) + 1);
    const options = {
      dispatcher: agent,
      method: 'PATCH',
      headers: { ...headers(started), 'content-type': 'application/merge-patch+json' },
    } as const;
    await drained(
      await request(`${core}/namespaces/${name}/configmaps/counter`, { ...options, body: JSON.stringify({ data: { count } }) }),
      200,
    );
    answered.set(`${name}/${count}`, performance.now());
  };
  await writePaced({ from: 0, until: WARM_UP }, write);
  const perSecond = await writePaced({ from: WARM_UP, until: WARM_UP + total }, write);
  const seen = await Promise.all(watches.map(({ done }) => done));
  return {
    perSecond,
    lost: seen.reduce((sum, { lost }) => sum + lost, 0),
    slowestMs: Math.max(...seen.map(({ slowestMs }) => slowestMs)),
  };
}

// An open loop: a slow answer does not slow the writer down, except that writes of one object keep their order.
async function writePaced(
  { from, until }: { readonly from: number; readonly until: number },
  write: (index: number) => Promise<void>,
): Promise<number> {
  const begun = performance.now();
  const running = new Map<number, Promise<void>>();
  for (let index = from; index < until; index += 1) {
    const due = begun + ((index - from) / OFFERED_PER_SECOND) * 1_000;
    const early = due - performance.now();
    if (early > 1) await new Promise((resolve) => setTimeout(resolve, early));
    const lane = index % WATCHED_NAMESPACES;
    running.set(
      lane,
      (running.get(lane) ?? Promise.resolve()).then(() => write(index)),
    );
  }
  await Promise.all(running.values());
  return (until - from) / ((performance.now() - begun) / 1_000);
}

interface CounterWatch {
  readonly open: Promise<void>;
  readonly done: Promise<{ readonly lost: number; readonly slowestMs: number }>;
}

function watchCounter(
  agent: Agent,
  started: Started,
  url: string,
  { name, until, answered }: { readonly name: string; readonly until: number; readonly answered: ReadonlyMap<string, number> },
): CounterWatch {
  const response = request(`${url}?watch=true`, { dispatcher: agent, headers: headers(started), bodyTimeout: 0 });
  return { open: response.then(() => undefined), done: response.then(({ body }) => readCounter(body, name, until, answered)) };
}

async function readCounter(
  body: Dispatcher.ResponseData['body'],
  name: string,
  until: number,
  answered: ReadonlyMap<string, number>,
): Promise<{ readonly lost: number; readonly slowestMs: number }> {
  let [rest, last, lost, slowestMs] = ['', 0, 0, 0];
  for await (const chunk of body) {
    const parts = (rest + String(chunk)).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      const count = Number((JSON.parse(part) as { object: { data?: { count?: string } } }).object.data?.count ?? Number.NaN);
      if (Number.isNaN(count) || count === 0) continue;
      if (count !== last + 1) lost += Math.max(1, count - last - 1);
      last = count;
      slowestMs = Math.max(slowestMs, performance.now() - (answered.get(`${name}/${count}`) ?? performance.now()));
    }
    if (last >= until) break;
  }
  return { lost: lost + (until - last), slowestMs };
}
