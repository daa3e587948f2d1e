import { setTimeout as sleep } from 'node:timers/promises';
import { request, type Dispatcher } from 'undici';
import type { KubeBody } from './kube-body.js';

/** One line of a watch. */
export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: KubeBody;
}

/** An open watch: everything it has said so far, and a way to wait for more. */
export class Watch {
  readonly #abort: AbortController;
  readonly #events: WatchEvent[] = [];
  #wake: () => void = () => undefined;
  #ended = false;

  constructor(lines: AsyncIterable<Buffer>, abort: AbortController) {
    this.#abort = abort;
    void this.#read(lines);
  }

  /** What came so far. */
  get events(): readonly WatchEvent[] {
    return this.#events;
  }

  /** Whether the server ended it. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Waits for the first event that matches; fails after the time given, naming what came instead. */
  async waitFor(what: string, matches: (event: WatchEvent) => boolean, withinMs = 30_000): Promise<WatchEvent> {
    const deadline = Date.now() + withinMs;
    for (let seen = 0; ;) {
      for (; seen < this.#events.length; seen += 1) {
        const event = this.#events[seen];
        if (event !== undefined && matches(event)) return event;
      }
      if (this.#ended || Date.now() > deadline) {
        const came = this.#events.map(({ type, object }) => `${type} ${object.metadata.name ?? object.message ?? ''}`);
        throw new Error(`the watch ${this.#ended ? 'ended' : 'was silent'} before ${what}; it said: ${came.join(', ') || 'nothing'}`);
      }
      await this.#more(deadline - Date.now());
    }
  }

  /** Waits until the server ends it. */
  async waitForEnd(withinMs = 30_000): Promise<void> {
    const deadline = Date.now() + withinMs;
    while (!this.#ended) {
      if (Date.now() > deadline) throw new Error(`the watch was still open after ${withinMs} ms`);
      await this.#more(deadline - Date.now());
    }
  }

  /** Ends it from our side. */
  close(): void {
    this.#abort.abort();
  }

  async #more(ms: number): Promise<void> {
    const timer = new AbortController();
    await Promise.race([
      new Promise<void>((resolve) => {
        this.#wake = resolve;
      }),
      sleep(Math.max(ms, 1), undefined, { signal: timer.signal }).catch(() => undefined),
    ]);
    timer.abort();
  }

  async #read(chunks: AsyncIterable<Buffer>): Promise<void> {
    let rest = Buffer.alloc(0);
    try {
      for await (const chunk of chunks) {
        rest = Buffer.concat([rest, chunk]);
        for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
          const line = rest.subarray(0, end).toString('utf8').trim();
          rest = rest.subarray(end + 1);
          if (line !== '') this.#events.push(JSON.parse(line) as WatchEvent);
        }
        this.#wake();
      }
    } catch {
      // closed by us or cut by the server: both end the watch
    }
    this.#ended = true;
    this.#wake();
  }
}

/** Opens a watch; throws the answer when it is not 200. */
export async function openWatch(url: string, dispatcher: Dispatcher, headers: Readonly<Record<string, string>>): Promise<Watch> {
  const abort = new AbortController();
  const answer = await request(url, { dispatcher, headers: { ...headers }, signal: abort.signal, headersTimeout: 60_000, bodyTimeout: 0 });
  if (answer.statusCode !== 200) throw new Error(`the watch ${url} was answered ${answer.statusCode}: ${await answer.body.text()}`);
  return new Watch(answer.body as AsyncIterable<Buffer>, abort);
}
