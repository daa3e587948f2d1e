// What the server does with a call of kcp: whether its URL is let in, and at which desk its body is answered.
import { isAdmissionTokenAccepted, isUrlTokenAccepted, type UrlSecrets } from '../url-tokens/url-token.js';
import type { ReviewDesk } from './review/review-desk.js';
import type { AdmissionDesk } from './rule-admission/admission-desk.js';
import type { AdmissionServerOptions } from './server/admission-server.js';
import { isAdmissionTarget } from './server/review-target.js';

/** Rules and guards as they are written go to one desk, deletions to the other. */
export function parseCalls({ reviews, writes }: { readonly reviews: ReviewDesk; readonly writes: AdmissionDesk }) {
  const parse: AdmissionServerOptions['parse'] = async (body, target) => {
    if (isAdmissionTarget(target)) {
      const write = await writes.parse(body);
      return (_, options) => writes.answer(write, options);
    }
    const review = await reviews.parse(body);
    return (timeoutMs, options) => reviews.answer(review, { ...target, timeoutMs }, options);
  };
  return parse;
}

/** Lets in the calls whose URL ends in the token of what they ask about; all of them, where URLs carry no token. */
export function admittedBy(secrets: { current(): UrlSecrets } | undefined): AdmissionServerOptions['isAdmitted'] {
  if (secrets === undefined) return () => true;
  return (target) => {
    const { token } = target;
    if (token === undefined) return false;
    if (isAdmissionTarget(target)) return isAdmissionTokenAccepted(secrets.current(), token);
    const { guardedCluster } = target;
    return guardedCluster !== undefined && isUrlTokenAccepted(secrets.current(), guardedCluster, token);
  };
}
