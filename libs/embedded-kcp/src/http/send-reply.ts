// Writes replies to a socket: whole answers in one write, watches event by event, with a bound for the bytes that a slow client has not read.
import type { ServerResponse } from 'node:http';
import type { Outcome, StreamReply, WholeReply } from './reply.js';

/** The unsent bytes of one watch above which the connection is cut. */
export const WATCH_BACKLOG_BYTES = 8 * 1024 * 1024;

/** Sends the answer to a request. */
export function sendOutcome(response: ServerResponse, outcome: Outcome, cutAfter = Number.POSITIVE_INFINITY): void {
  if (response.destroyed) return;
  switch (outcome.kind) {
    case 'drop':
      response.destroy();
      return;
    case 'cut':
      sendOutcome(response, outcome.reply, outcome.afterBytes);
      return;
    case 'whole':
      sendWhole(response, outcome, cutAfter);
      return;
    case 'stream':
      sendStream(response, outcome, cutAfter);
      return;
    default:
      outcome satisfies never;
  }
}

function sendWhole(response: ServerResponse, reply: WholeReply, cutAfter: number): void {
  const length = reply.body.reduce((sum, part) => sum + part.length, 0);
  response.writeHead(reply.status, { ...reply.headers, 'content-length': length });
  if (cutAfter < length) {
    response.write(Buffer.concat(reply.body).subarray(0, cutAfter), () => response.destroy());
    return;
  }
  if (reply.body.length <= 1) {
    response.end(reply.body[0]);
    return;
  }
  // One write: many small ones would each become a TLS record.
  response.end(Buffer.concat(reply.body, length));
}

function sendStream(response: ServerResponse, reply: StreamReply, cutAfter: number): void {
  let left = cutAfter;
  // The state that a watch begins with is its answer, however large; only what comes after it can be left unread.
  let mostUnsent = Number.POSITIVE_INFINITY;
  response.writeHead(reply.status, { ...reply.headers });
  response.flushHeaders();
  const stop = reply.start({
    send: (parts) => {
      if (response.destroyed || response.writableEnded) return;
      const bytes = parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
      left -= bytes.length;
      if (left < 0) {
        response.write(bytes.subarray(0, bytes.length + left), () => response.destroy());
        return;
      }
      response.write(bytes);
      if (response.writableLength > mostUnsent) response.destroy();
    },
    end: () => void response.end(),
  });
  mostUnsent = response.writableLength + WATCH_BACKLOG_BYTES;
  if (response.destroyed) stop();
  else response.once('close', stop);
}
