// Answers to calls that are not read as a review.

/** Why a call is not read. */
export type RefusedCall = 'not-admitted' | 'method' | 'content-type' | 'too-large' | 'overloaded';

/** The answers; `LIMIT` stands for the most bytes of a review. */
export const REFUSED_CALLS: Readonly<Record<RefusedCall, { readonly code: number; readonly text: string }>> = {
  'not-admitted': { code: 404, text: 'not found' },
  method: { code: 405, text: 'reviews are sent with POST' },
  'content-type': { code: 415, text: 'reviews are sent as application/json' },
  'too-large': { code: 413, text: 'the review is larger than LIMIT bytes' },
  overloaded: { code: 503, text: 'too many reviews at once' },
};
