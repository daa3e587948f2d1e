import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';

/** A body as it arrived, or why it was not taken. */
export type ReadBody =
  | { readonly outcome: 'read'; readonly body: Buffer }
  | { readonly outcome: 'too-large' }
  | { readonly outcome: 'overloaded' }
  | { readonly outcome: 'cut-short' };

/** How many bytes of bodies the whole server holds at a time. Taken as bytes arrive, so that a promise of bytes takes nothing. */
export class BodyAllowance {
  readonly #maxBytes: number;
  #held = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Whether there is room for so many more. */
  take(bytes: number): boolean {
    if (this.#held + bytes > this.#maxBytes) return false;
    this.#held += bytes;
    return true;
  }

  /** Gives back what was taken. */
  give(bytes: number): void {
    this.#held -= bytes;
  }
}

/** Reads a request's body up to a cap. Never rejects: a client that goes away is an answer. Whoever gets `read` gives its bytes back. */
export async function readBody(request: IncomingMessage, maxBytes: number, allowance: BodyAllowance): Promise<ReadBody> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return discard(request);
  const chunks: Buffer[] = [];
  let length = 0;
  const refuse = (outcome: 'too-large' | 'overloaded' | 'cut-short'): ReadBody => {
    allowance.give(length);
    return { outcome };
  };
  try {
    // Not destroyed on return: the refusal still has to be written.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (length + chunk.length > maxBytes) return refuse('too-large');
      if (!allowance.take(chunk.length)) return refuse('overloaded');
      length += chunk.length;
      chunks.push(chunk);
    }
  } catch {
    return refuse('cut-short');
  }
  if (!request.complete) return refuse('cut-short');
  const [only] = chunks;
  return { outcome: 'read', body: chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, length) };
}

// Most clients listen for an answer only after they have said everything; the server's request timeout bounds how long that takes.
async function discard(request: IncomingMessage): Promise<ReadBody> {
  request.resume();
  try {
    await once(request, 'end');
    return { outcome: 'too-large' };
  } catch {
    return { outcome: 'cut-short' };
  }
}
