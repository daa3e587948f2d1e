// One HTTP exchange on an undici dispatcher: whole answers with a deadline and a byte cap, or a stream of chunks with a bound on silence.
// Never follows a redirect, never retries.
import type { Dispatcher } from 'undici';
import { allowManyListeners } from '../time/abort-signals.js';
import { KcpError, type KcpErrorCode } from '../errors/kcp-error.js';
import type { Answer, Asked } from '../errors/failure.js';
import { canPause, Gulps, type Flow } from './gulps.js';
import { networkFailure } from '../errors/network-failure.js';
import type { AnswerMemory } from './page-buffer.js';
import type { RawRequest } from './requester.js';

/** What goes out. */
export interface Exchange extends Asked {
  readonly dispatcher: Dispatcher;
  readonly origin: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly headers: Record<string, string | string[]>;
  readonly body?: string | Uint8Array;
  readonly signal: AbortSignal;
  readonly forbidden?: RawRequest['forbidden'];
}

/** The bounds of a whole answer. */
export interface AnswerBounds {
  /** From the call to the last byte. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** Where to put the body: what it held is overwritten. Default: memory of its own. */
  readonly into?: AnswerMemory | undefined;
}

/** The beginning of an answer and the rest as it comes. */
export interface OpenAnswer {
  readonly status: number;
  readonly headers: Answer['headers'];
  readonly chunks: AsyncIterable<Buffer>;
  /** Ends the answer unread. Not needed by a caller that reads the chunks. */
  cancel(): void;
}

/** Sends a request and collects the whole answer. */
export function collectAnswer(exchange: Exchange, { timeoutMs, maxBytes, into }: AnswerBounds): Promise<Answer> {
  const { dispatcher, signal } = exchange;
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let finished = false;
    let status = 0;
    let headers: Answer['headers'] = {};
    let length = 0;
    const body: AnswerMemory = into ?? new Chunks();
    body.clear();
    const gulps = new Gulps();
    let mayPause = false;
    let isWaiting = false;

    const waitFor = (room: Promise<void>, flow: Flow): void => {
      isWaiting = true;
      flow.pause();
      void room.then(() => {
        isWaiting = false;
        if (!finished) flow.resume();
      });
    };

    // A pause that is over must not end a wait for memory.
    const unlessWaiting = (flow: Flow): Flow => ({
      pause: () => flow.pause(),
      resume: () => {
        if (!isWaiting) flow.resume();
      },
    });

    const finish = (): boolean => {
      if (finished) return false;
      finished = true;
      clearTimeout(timer);
      gulps.end();
      signal.removeEventListener('abort', onAbort);
      return true;
    };
    const fail = (failure: KcpError): void => {
      if (!finish()) return;
      controller?.abort(failure);
      reject(failure);
    };
    const giveUp = (code: KcpErrorCode, problem: string, cause?: unknown): void =>
      fail(new KcpError({ asked: exchange.asked, at: exchange.at, code, problem, cause }));
    const onAbort = (): void => giveUp('aborted', 'the caller gave up', signal.reason);
    const timer = setTimeout(() => {
      const sofar = status === 0 ? 'no answer' : `only ${length} bytes of the answer`;
      giveUp('timeout', `${sofar} within ${timeoutMs} ms`);
    }, timeoutMs);

    allowManyListeners(signal);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) {
      onAbort();
      return;
    }
    dispatcher.dispatch(wireOptions(exchange), {
      onRequestStart(started) {
        controller = started;
        const forbidden = exchange.forbidden?.();
        if (finished) started.abort(new Error('given up before it was sent'));
        else if (forbidden !== undefined) fail(forbidden);
      },
      onResponseStart(_, statusCode, answerHeaders) {
        status = statusCode;
        headers = answerHeaders;
        mayPause = canPause(answerHeaders);
      },
      onResponseData(flow, chunk) {
        // What still comes after the end may meet the memory in the hands of the next answer.
        if (finished) return;
        length += chunk.length;
        if (length > maxBytes) {
          giveUp('too-large', `the answer is larger than ${maxBytes} bytes`);
          return;
        }
        const room = body.add(chunk);
        if (!mayPause) return;
        if (room !== undefined) waitFor(room, flow);
        else if (!isWaiting) gulps.taken(unlessWaiting(flow), length);
      },
      onResponseEnd() {
        if (finish()) resolve({ status, headers, body: body.bytes });
      },
      onResponseError(_, error) {
        if (finish()) reject(networkFailure(exchange, error));
      },
    });
  });
}

/** The chunks of a body that needs no memory beforehand: joined at the end. */
class Chunks implements AnswerMemory {
  readonly #chunks: Buffer[] = [];

  clear(): void {
    this.#chunks.length = 0;
  }

  add(chunk: Buffer): undefined {
    this.#chunks.push(chunk);
  }

  get bytes(): Buffer {
    const [first, ...others] = this.#chunks;
    return first !== undefined && others.length === 0 ? first : Buffer.concat(this.#chunks);
  }
}

/** Sends a request and hands out its answer as it comes; rejects when no byte came for `silenceMs`. The signal ends it. */
export async function openAnswer(exchange: Exchange, { silenceMs }: { readonly silenceMs: number }): Promise<OpenAnswer> {
  const { dispatcher, signal } = exchange;
  allowManyListeners(signal);
  try {
    const { statusCode, headers, body } = await dispatcher.request({
      ...wireOptions(exchange),
      signal,
      headersTimeout: silenceMs,
      bodyTimeout: silenceMs,
    });
    return { status: statusCode, headers, chunks: guarded(body, exchange), cancel: () => body.on('error', () => undefined).destroy() };
  } catch (cause) {
    throw streamFailure(exchange, cause);
  }
}

async function* guarded(chunks: AsyncIterable<Buffer>, exchange: Exchange): AsyncGenerator<Buffer> {
  try {
    yield* chunks;
  } catch (cause) {
    throw streamFailure(exchange, cause);
  }
}

function streamFailure(exchange: Exchange, cause: unknown): KcpError {
  const { asked, at, signal } = exchange;
  if (signal.aborted) return new KcpError({ asked, at, code: 'aborted', problem: 'the caller gave up', cause });
  return networkFailure({ asked, at }, cause);
}

function wireOptions({ origin, method, path, headers, body }: Exchange): Dispatcher.DispatchOptions {
  return { origin, method, path, headers, body: body ?? null };
}
