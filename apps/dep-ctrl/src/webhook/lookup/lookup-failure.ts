import { isKcpError, type KcpErrorCode, type Stoppable } from '@dep-ctrl/kcp-client';
import type { LookupFailure } from '../decision/lookup.js';

/** Ends lists that are not needed any more, because others gave enough. */
export class NotNeeded extends Error {}

const FAILURES: Readonly<Record<KcpErrorCode, LookupFailure>> = {
  unauthorized: { code: 'unauthorized', lasting: true },
  forbidden: { code: 'forbidden', lasting: true },
  // Bound but not served: a shard answers so for seconds while it starts, and after the type was bound.
  'not-found': { code: 'not-served', lasting: false },
  'not-served': { code: 'not-served', lasting: false },
  expired: { code: 'changing', lasting: false },
  throttled: { code: 'throttled', lasting: false },
  unavailable: { code: 'unavailable', lasting: false },
  'server-error': { code: 'unavailable', lasting: false },
  conflict: { code: 'unavailable', lasting: false },
  'already-exists': { code: 'unavailable', lasting: false },
  invalid: { code: 'unavailable', lasting: false },
  unreachable: { code: 'unreachable', lasting: false },
  timeout: { code: 'timeout', lasting: false },
  aborted: { code: 'timeout', lasting: false },
  'invalid-response': { code: 'unreadable', lasting: false },
  'too-large': { code: 'too-large', lasting: true },
};

/** The lookup failure of a failed read. Errors that come neither from kcp nor from an abort are defects and are thrown on. */
export function lookupFailureOf(thrown: unknown, { signal }: Stoppable): LookupFailure {
  if (thrown instanceof NotNeeded || signal.reason instanceof NotNeeded) return { code: 'not-finished', lasting: false };
  if (isKcpError(thrown)) {
    const failure = FAILURES[thrown.code];
    return failure.code === 'forbidden' || failure.code === 'unauthorized' ? { ...failure, problem: thrown.message } : failure;
  }
  if (signal.aborted) return { code: 'timeout', lasting: false };
  throw thrown;
}
