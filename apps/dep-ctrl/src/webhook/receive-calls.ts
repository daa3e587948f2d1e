// Routes the calls of kcp: checks the token in the URL, and picks the desk that answers the body.
import type { Routed, UrlSecrets } from '@dep-ctrl/admission-server';
import { isAdmissionTokenAccepted, isUrlTokenAccepted } from '../url-tokens/url-tokens.js';
import { isAdmissionTarget, isCallOfKcp, parseServedTarget, type ServedTarget } from './decision/review-target.js';
import type { ReviewDesk } from './review/review-desk.js';
import type { AdmissionDesk } from './rule-admission/admission-desk.js';

/** The text for callers of other URLs. */
export const SERVED = 'reviews are posted to /validate and /admit';

/** What {@link routeCalls} needs. */
export interface CallDesks {
  readonly reviews: ReviewDesk;
  readonly writes: AdmissionDesk;
  /** Undefined: URLs need no token. */
  readonly urlSecrets: { current(): UrlSecrets } | undefined;
}

/** Written rules and guards go to one desk, deletions to the other. The URL must end in the token of the guarded workspace, or in that for rules. */
export function routeCalls({ reviews, writes, urlSecrets }: CallDesks): (url: string) => Routed {
  return (url) => {
    if (!isCallOfKcp(url)) return 'elsewhere';
    const target = parseServedTarget(url);
    if (target === undefined || !isAdmitted(target, urlSecrets?.current())) return 'not-admitted';
    const { timeoutMs } = target;
    if (isAdmissionTarget(target)) {
      const parse: Route['parse'] = async (body) => {
        const write = await writes.parse(body);
        return (_, options) => writes.answer(write, options);
      };
      return { timeoutMs, sharer: 'rules as they are written', parse };
    }
    const parse: Route['parse'] = async (body) => {
      const review = await reviews.parse(body);
      return (leftMs, options) => reviews.answer(review, { ...target, timeoutMs: leftMs }, options);
    };
    return { timeoutMs, sharer: target.guardedCluster ?? '', parse };
  };
}

type Route = Exclude<Routed, string>;

function isAdmitted(target: ServedTarget, secrets: UrlSecrets | undefined): boolean {
  if (secrets === undefined) return true;
  const { token } = target;
  if (token === undefined) return false;
  if (isAdmissionTarget(target)) return isAdmissionTokenAccepted(secrets, token);
  const { guardedCluster } = target;
  return guardedCluster !== undefined && isUrlTokenAccepted(secrets, guardedCluster, token);
}
