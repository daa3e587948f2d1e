// A value that was read, or the reason why not. An unread value never counts as healthy, and never as missing.
import { isKcpError } from '@dep-ctrl/kcp-client';
import { describeFailure } from '@dep-ctrl/command-settings';

/** A value that was read, or why there is none. */
export type Reading<T> = { readonly state: 'read'; readonly value: T } | Unread;

/** A value that is not known. */
export interface Unread {
  readonly state: 'unread';
  /** What was to be read: "the rules behind https://...". */
  readonly what: string;
  /**
   * `refused`: these credentials may not; `rejected`: kcp does not know them. `silent`: no answer; `failed`: another one than expected. `not-asked`: a flag
   * that it takes was not given, or what it takes is not there itself.
   */
  readonly because: 'refused' | 'rejected' | 'silent' | 'failed' | 'not-asked';
  /** One phrase for people, with the role that is missing where one is. */
  readonly why: string;
}

/** Something to read. */
export interface ToRead {
  readonly what: string;
  /** The role that lets one read it. */
  readonly needs: string;
}

/** Reads, and turns a failure of kcp into a reason. Throws what is no failure of kcp. */
export async function reading<T>({ what, needs }: ToRead, read: () => Promise<T>): Promise<Reading<T>> {
  try {
    return { state: 'read', value: await read() };
  } catch (error) {
    if (!isKcpError(error) || error.code === 'aborted') throw error;
    if (error.code === 'forbidden') return { state: 'unread', what, because: 'refused', why: `role missing: ${needs}` };
    const isSilent = error.code === 'unreachable' || error.code === 'timeout';
    const because = error.code === 'unauthorized' ? 'rejected' : isSilent ? 'silent' : 'failed';
    return { state: 'unread', what, because, why: describeFailure(error) };
  }
}

/** Something that was not asked for. */
export function notAsked(what: string, why: string): Unread {
  return { state: 'unread', what, because: 'not-asked', why };
}

/** The value, or what stands for it while it is not known. */
export function valueOr<T, U>(read: Reading<T>, otherwise: U): T | U {
  return read.state === 'read' ? read.value : otherwise;
}
