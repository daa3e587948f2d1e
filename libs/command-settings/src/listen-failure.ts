import { isNativeError } from 'node:util/types';
import type { ListenAddress } from './parse-values.js';

/** An address and the flag that gave it, so that a failure names it. */
export interface FlaggedAddress {
  readonly flag: string;
  readonly address: ListenAddress;
}

/** Why a server cannot listen, naming the flag; other errors as they are. */
export function listenFailure(error: unknown, { flag, address }: FlaggedAddress): unknown {
  const problem = problemOf(error);
  return problem === undefined ? error : new Error(`${flag}: cannot listen on ${address.host ?? ''}:${address.port}: ${problem}`);
}

function problemOf(error: unknown): string | undefined {
  switch (isNativeError(error) && 'code' in error ? error.code : undefined) {
    case 'EADDRINUSE':
      return 'the port is taken, give another one (port 0 picks a free one)';
    case 'EACCES':
      return 'not permitted, give a port above 1023';
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return 'this machine does not have that address';
    default:
      return undefined;
  }
}
