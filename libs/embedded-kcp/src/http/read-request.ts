// Turns Node's request into an IncomingRequest, which is independent of its socket.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { TLSSocket } from 'node:tls';
import { ApiError } from './api-status.js';
import type { CertificateSubject, IncomingRequest } from './incoming-request.js';

// kcp's limit on request bodies (3 MiB), and how it says no.
const BODY_LIMIT = 3 * 1024 * 1024;

/** The IncomingRequest of a request. Its signal is aborted when the response ends, from either side. */
export function toIncoming(request: IncomingMessage, response: ServerResponse): IncomingRequest {
  const url = request.url ?? '/';
  const mark = url.indexOf('?');
  let body: Promise<Buffer> | undefined;
  let signal: AbortSignal | undefined;
  return {
    method: request.method ?? 'GET',
    path: decodePath(mark === -1 ? url : url.slice(0, mark)),
    query: new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1)),
    headers: request.headers,
    certificate: request.socket instanceof TLSSocket ? certificateOf(request.socket) : undefined,
    body: () => (body ??= readBody(request)),
    // Few requests ask for it, and aborting one costs a stack trace.
    get signal(): AbortSignal {
      return (signal ??= abortedAtEnd(response));
    },
  };
}

function abortedAtEnd(response: ServerResponse): AbortSignal {
  const over = new AbortController();
  if (response.closed) over.abort();
  else response.once('close', () => over.abort());
  return over.signal;
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const certificates = new WeakMap<TLSSocket, ReturnType<typeof subjectOf>>();

// What a connection was opened with holds for all its requests.
function certificateOf(socket: TLSSocket): ReturnType<typeof subjectOf> {
  if (!certificates.has(socket)) certificates.set(socket, subjectOf(socket));
  return certificates.get(socket);
}

function subjectOf(socket: TLSSocket): CertificateSubject | 'invalid' | undefined {
  const certificate = socket.getPeerCertificate();
  // Node answers an empty object for "none"; its types do not say so.
  const subject = certificate.subject as { CN?: string; O?: string | string[] } | undefined;
  if (subject === undefined) return undefined;
  if (!socket.authorized) return 'invalid';
  const organizations = subject.O ?? [];
  return { commonName: subject.CN ?? '', organizations: typeof organizations === 'string' ? [organizations] : organizations };
}

// A body that is too large is read to its end all the same: the connection lives on, and the client gets to see the answer.
async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  await new Promise<void>((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= BODY_LIMIT) chunks.push(chunk);
    });
    request.once('end', resolve);
    request.once('error', reject);
    request.once('close', () => {
      if (!request.complete) reject(new Error('the client has gone'));
    });
  });
  if (length > BODY_LIMIT) {
    throw new ApiError({ code: 413, reason: 'RequestEntityTooLarge', message: `Request entity too large: limit is ${BODY_LIMIT}` });
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
}
