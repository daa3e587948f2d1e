/** The sender: undici's side of an answer that is being read. */
export interface Flow {
  pause(): void;
  resume(): void;
}

/** An answer of more bytes is large. */
const LARGE_BYTES = 64 * 1024;

/** The first pause. */
const FIRST_BREATH_MS = 2;
/** Longer would hold up the end of a page; what a kcp at work writes meanwhile fits into the buffers of a socket. */
const LONGEST_BREATH_MS = 8;
const SHORTEST_BREATH_MS = 1;
/** A gulp that holds less costs more for waking up than for reading. */
const SMALL_GULP_BYTES = 96 * 1024;
/** With more than that the buffers between the two may be full, and the writer waits for the reader. */
const LARGE_GULP_BYTES = 256 * 1024;

/**
 * Whether undici survives a pause: when a connection breaks that was to be closed after the answer, its parser takes what it has for
 * the end, and if it is paused it fails an assertion that cannot be caught. A chunked answer on a connection that stays open tells its end.
 */
export function canPause(headers: Readonly<Record<string, string | readonly string[] | undefined>>): boolean {
  const { connection, 'transfer-encoding': encoding } = headers;
  return encoding === 'chunked' && (connection === undefined || connection === 'keep-alive');
}

/** How long to pause after a gulp that brought so many bytes: as long as the writer needs for the next one. */
export function nextBreathMs(lastMs: number, gulpBytes: number): number {
  if (gulpBytes < SMALL_GULP_BYTES) return Math.min(LONGEST_BREATH_MS, lastMs * 2);
  if (gulpBytes > LARGE_GULP_BYTES) return Math.max(SHORTEST_BREATH_MS, lastMs / 2);
  return lastMs;
}

/**
 * Reads a large answer in gulps. kcp writes records of 4 KB, and a process that keeps up with the writer wakes for each of them, which
 * costs more than what is in it. After a small pause many are there at once. A small answer is never held up.
 */
export class Gulps {
  #breath: NodeJS.Timeout | NodeJS.Immediate | undefined;
  #breathMs = FIRST_BREATH_MS;
  #length = 0;
  #before = LARGE_BYTES;

  /** Some of the answer came, `length` bytes so far. */
  taken(flow: Flow, length: number): void {
    this.#length = length;
    if (length < LARGE_BYTES || this.#breath !== undefined) return;
    // What has already arrived is read first: it comes in the same turn.
    this.#breath = setImmediate(() => {
      flow.pause();
      this.#breathMs = nextBreathMs(this.#breathMs, this.#length - this.#before);
      this.#before = this.#length;
      this.#breath = setTimeout(() => {
        this.#breath = undefined;
        flow.resume();
      }, this.#breathMs);
    });
  }

  /** The answer ended, in whichever way. */
  end(): void {
    if (this.#breath === undefined) return;
    if ('refresh' in this.#breath) clearTimeout(this.#breath);
    else clearImmediate(this.#breath);
  }
}
