// Reads the bodies of reviews and parses them at once, so that no body stays in memory longer. Small bodies (nearly all) never wait: they share a bound, and
// no provider gets all of it. Large bodies are read a few at a time, the providers in turn, each into memory that the next one uses again: sixty of 1.4 MB
// need the memory of four, and wait only for each other. A large body has to keep coming, and those who stalled have one turn among them for a minute: whoever is
// behind them waits for one of them, however many they are.
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { PageBuffer, type YoungGarbage } from '@dep-ctrl/kcp-client';
import { FairShare, FairSlots, type SlotRequest } from '@dep-ctrl/fair-shares';

/** The result of reading a body, or why it was not accepted. */
export type ReadBody<Review> =
  | { readonly outcome: 'read'; readonly review: Review }
  | { readonly outcome: 'too-large' }
  | { readonly outcome: 'overloaded' }
  | { readonly outcome: 'cut-short' };

/** The bounds of the memory for bodies. */
export interface BodyLimits {
  readonly maxBodyBytes: number;
  /** Up to here a body is small. */
  readonly smallBodyBytes: number;
  /** What small bodies that are being read take together. */
  readonly smallBodyBytesInAll: number;
  /** How long a small body may take to arrive. */
  readonly smallBodyMs: number;
  /** How many large bodies are read at a time. */
  readonly largeBodies: number;
  /** How many wait for that; the sharers share them. */
  readonly largeBodiesWaiting: number;
  /** How long a large body may take to arrive once it is being read: so much at first, and so much more for each MiB that has come. */
  readonly largeBodyMs: number;
  readonly largeBodyMsPerMiB: number;
  /** For how long a sharer whose large body did not keep coming shares its turn with all others like it. */
  readonly slowMs: number;
}

/** Takes out of a body what is needed of it, and keeps nothing else. */
export type ParseBody<Review> = (body: Buffer) => Promise<Review>;

/** A body that is to be read. */
export interface BodyQuestion<Review> {
  /** The provider that the URL is for: its reviews share the room. */
  readonly sharer: string;
  readonly parse: ParseBody<Review>;
}

/** A small body that has not come whole. */
interface Arriving {
  readonly request: IncomingMessage;
  readonly sharer: string;
  length: number;
}

/** The bodies of one server. */
export class Bodies {
  readonly #limits: BodyLimits;
  readonly #garbage: Pick<YoungGarbage, 'add'> | undefined;
  readonly #small: FairShare;
  /** Small bodies of which a part has come, the oldest first. */
  readonly #arriving = new Set<Arriving>();
  readonly #large: FairSlots;
  /** Each that waits holds a connection, which nobody may close meanwhile. */
  readonly #waiting: FairShare;
  readonly #memory: PageBuffer[] = [];
  /** Sharers whose large body did not keep coming, and what ends that. */
  readonly #slow = new Map<string, NodeJS.Timeout>();

  constructor(limits: BodyLimits, garbage?: Pick<YoungGarbage, 'add'>) {
    this.#limits = limits;
    this.#garbage = garbage;
    this.#small = new FairShare({ inAll: limits.smallBodyBytesInAll });
    this.#large = new FairSlots({ count: limits.largeBodies });
    this.#waiting = new FairShare({ inAll: limits.largeBodiesWaiting });
  }

  /** Reads a request's body and has it parsed. Rejects only for what `parse` throws: a client that goes away is an answer. */
  read<Review>(request: IncomingMessage, question: BodyQuestion<Review>): Promise<ReadBody<Review>> {
    const { maxBodyBytes, smallBodyBytes } = this.#limits;
    const announced = request.headers['content-length'];
    const length = Number(announced ?? maxBodyBytes);
    if (length > maxBodyBytes) return discard(request);
    // A client that does not say how much it will send may send much.
    return announced === undefined || length > smallBodyBytes
      ? this.#readLarge(request, length, question)
      : this.#readSmall(request, question);
  }

  /** Bytes are taken as they arrive, so that a promise of bytes takes nothing. */
  async #readSmall<Review>(request: IncomingMessage, { sharer, parse }: BodyQuestion<Review>): Promise<ReadBody<Review>> {
    const chunks: Buffer[] = [];
    const arriving: Arriving = { request, sharer, length: 0 };
    this.#arriving.add(arriving);
    const tooSlow = setTimeout(() => request.destroy(), this.#limits.smallBodyMs);
    try {
      const came = await arrive(request, (chunk) => {
        if (!this.#takeSmall(arriving, chunk.length)) return 'overloaded';
        chunks.push(chunk);
        return undefined;
      });
      clearTimeout(tooSlow);
      this.#arriving.delete(arriving);
      if (came !== 'whole') return { outcome: came };
      const [only] = chunks;
      return { outcome: 'read', review: await parse(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks)) };
    } finally {
      clearTimeout(tooSlow);
      this.#arriving.delete(arriving);
      this.#small.give(sharer, arriving.length);
    }
  }

  /** If no room is left, the sharer that holds most makes room: of its bodies the one that has been arriving for longest is cut off. */
  #takeSmall(arriving: Arriving, length: number): boolean {
    while (!this.#small.take(arriving.sharer, length)) {
      const cut = this.#slowest(this.#small.heldBy(arriving.sharer) + length);
      if (cut === undefined) return false;
      this.#arriving.delete(cut);
      this.#small.give(cut.sharer, cut.length);
      cut.length = 0;
      cut.request.destroy();
    }
    arriving.length += length;
    return true;
  }

  /** The oldest arriving body of the sharer that holds most, if that is more than this. */
  #slowest(moreThan: number): Arriving | undefined {
    let slowest: Arriving | undefined;
    let most = moreThan;
    for (const each of this.#arriving) {
      const held = this.#small.heldBy(each.sharer);
      if (held > most && each.length > 0) [slowest, most] = [each, held];
    }
    return slowest;
  }

  async #readLarge<Review>(request: IncomingMessage, announced: number, question: BodyQuestion<Review>): Promise<ReadBody<Review>> {
    const { sharer } = question;
    if (!this.#waiting.take(sharer, 1)) return { outcome: 'overloaded' };
    const gone = new AbortController();
    const leave = (): void => gone.abort();
    request.once('close', leave);
    // What waits is left only by a client that goes away, of whose body everything may have come.
    const giveBack = await this.#turnOf(sharer, { signal: gone.signal, rank: announced })
      .catch(() => undefined)
      .finally(() => {
        this.#waiting.give(sharer, 1);
        request.off('close', leave);
      });
    if (giveBack === undefined) return { outcome: 'cut-short' };
    try {
      return await this.#readInto(request, question);
    } finally {
      giveBack();
    }
  }

  /** While it waits its sharer may be found to be slow, or be forgiven. */
  async #turnOf(sharer: string, request: SlotRequest): Promise<() => void> {
    const lane = this.#slow.has(sharer) ? THE_SLOW : sharer;
    const giveBack = await this.#large.take(lane, request);
    if ((lane === THE_SLOW) === this.#slow.has(sharer)) return giveBack;
    giveBack();
    return this.#turnOf(sharer, request);
  }

  async #readInto<Review>(request: IncomingMessage, { sharer, parse }: BodyQuestion<Review>): Promise<ReadBody<Review>> {
    const { maxBodyBytes, largeBodyMs, largeBodyMsPerMiB, largeBodies } = this.#limits;
    const memory = this.#memory.pop() ?? new PageBuffer();
    memory.clear();
    const pace = new Pace(largeBodyMs, () => {
      this.#noteSlow(sharer);
      request.destroy();
    });
    try {
      const came = await arrive(request, (chunk) => {
        if (memory.bytes.length + chunk.length > maxBodyBytes) return 'too-large';
        memory.add(chunk);
        pace.extend(largeBodyMsPerMiB * (chunk.length / MIB));
        return undefined;
      });
      pace.stop();
      this.#garbage?.add(memory.bytes.length);
      return came === 'whole' ? { outcome: 'read', review: await parse(memory.bytes) } : { outcome: came };
    } finally {
      pace.stop();
      if (this.#memory.length < largeBodies) this.#memory.push(memory);
    }
  }

  #noteSlow(sharer: string): void {
    clearTimeout(this.#slow.get(sharer));
    this.#slow.set(sharer, setTimeout(() => this.#slow.delete(sharer), this.#limits.slowMs).unref());
  }
}

/** Ends what does not keep coming: there is a time at first, and more for what comes. */
class Pace {
  readonly #onTooSlow: () => void;
  #untilMs: number;
  #timer: NodeJS.Timeout;

  constructor(ms: number, onTooSlow: () => void) {
    this.#onTooSlow = onTooSlow;
    this.#untilMs = performance.now() + ms;
    this.#timer = setTimeout(() => this.#look(), ms);
  }

  extend(ms: number): void {
    this.#untilMs += ms;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #look(): void {
    const leftMs = this.#untilMs - performance.now();
    if (leftMs <= 0) this.#onTooSlow();
    else this.#timer = setTimeout(() => this.#look(), leftMs);
  }
}

const THE_SLOW = 'whoever did not keep sending';

const MIB = 1024 * 1024;

/** Takes a body as it comes, until `take` says why no more. A client that goes away is an answer, even where everything had come. */
async function arrive<Why extends string>(
  request: IncomingMessage,
  take: (chunk: Buffer) => Why | undefined,
): Promise<'whole' | 'cut-short' | Why> {
  try {
    // The request is not destroyed when reading stops: a refusal still has to be written.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      const why = take(chunk);
      if (why !== undefined) return why;
    }
  } catch {
    return 'cut-short';
  }
  return request.complete ? 'whole' : 'cut-short';
}

// Most clients listen for an answer only after they have said everything; the server's request timeout bounds how long that takes.
async function discard(request: IncomingMessage): Promise<{ readonly outcome: 'too-large' | 'cut-short' }> {
  request.resume();
  try {
    await once(request, 'end');
    return { outcome: 'too-large' };
  } catch {
    return { outcome: 'cut-short' };
  }
}
