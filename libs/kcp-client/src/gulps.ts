/** The one who sends: undici's side of an answer that is being read. */
export interface Flow {
  pause(): void;
  resume(): void;
}

/** From here on an answer is large. */
const LARGE_BYTES = 64 * 1024;

/** What kcp may write meanwhile fits into the buffers of a socket. */
const BREATH_MS = 2;

/**
 * Whether undici survives a pause: when a connection breaks that was to be closed after the answer, its parser takes what it has for
 * the end, and fails an assertion that nobody can catch if it is paused. A chunked answer on a connection that stays open tells its end.
 */
export function canPause(headers: Readonly<Record<string, string | readonly string[] | undefined>>): boolean {
  const { connection, 'transfer-encoding': encoding } = headers;
  return encoding === 'chunked' && (connection === undefined || connection === 'keep-alive');
}

/**
 * Reads a large answer in gulps. kcp writes records of 4 KB, and a process that keeps up with the writer wakes for each of them, which
 * costs more than what is in it. After a small pause many are there at once. A small answer is never held up.
 */
export class Gulps {
  #breath: NodeJS.Timeout | NodeJS.Immediate | undefined;

  /** Some of the answer came, `length` bytes so far. */
  taken(flow: Flow, length: number): void {
    if (length < LARGE_BYTES || this.#breath !== undefined) return;
    // What has already arrived is read first: it comes in the same turn.
    this.#breath = setImmediate(() => {
      flow.pause();
      this.#breath = setTimeout(() => {
        this.#breath = undefined;
        flow.resume();
      }, BREATH_MS);
    });
  }

  /** The answer ended, in whichever way. */
  end(): void {
    if (this.#breath === undefined) return;
    if ('refresh' in this.#breath) clearTimeout(this.#breath);
    else clearImmediate(this.#breath);
  }
}
