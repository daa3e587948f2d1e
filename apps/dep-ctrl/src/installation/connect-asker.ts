import { Connection, systemClock, type Clock } from '@dep-ctrl/kcp-client';
import type { World } from '../command-line/command.js';
import { connectionOptions, type ConnectionSettings } from '../command-line/connect.js';
import { VERSION } from '../command-line/version.js';
import type { Asker } from './ask-server.js';

// People wait for the answer: what takes longer is told as that.
const REQUEST_MS = 4_000;

/** A connection of which every request ends soon. To be closed. */
export function connectAsker(settings: ConnectionSettings, { env, signal }: World, clock: Clock = systemClock): Asker {
  const options = connectionOptions(settings, env);
  const bounds = { requestTimeoutMs: REQUEST_MS, connectTimeoutMs: REQUEST_MS };
  return { connection: new Connection({ ...options, ...bounds, userAgent: `dep-ctrl/${VERSION}` }), options, clock, signal };
}
