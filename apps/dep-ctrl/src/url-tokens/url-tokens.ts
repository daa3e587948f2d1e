// The installed webhook URL ends in a token, so that only kcp can ask what refers to what. Each guarded workspace has its own token: a user who can read
// one configuration learns the token of that workspace only.
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import { deriveToken, isTokenAccepted, type UrlSecret, type UrlSecrets, type UrlSecretsSource } from '@dep-ctrl/admission-server';

/** The last path segments of the installed URLs, which prove that kcp is calling. */
export interface UrlTokens {
  of(guarded: LogicalClusterName): string;
  /** The token of the URL for rules and guards. */
  ofRules(): string;
  /** Calls back when the tokens have changed and must be installed, until the returned function is called. */
  subscribe(listener: () => void): () => void;
}

/** The tokens of the first secret. */
export function urlTokensFrom(secrets: UrlSecretsSource): UrlTokens {
  return {
    of: (guarded) => deriveUrlToken(secrets.current()[0], guarded),
    ofRules: () => deriveAdmissionToken(secrets.current()[0]),
    subscribe: (listener) => secrets.subscribe(listener),
  };
}

/** The token of a guarded workspace under one secret. */
export function deriveUrlToken(secret: UrlSecret, guardedCluster: LogicalClusterName): string {
  return deriveToken(secret, forWorkspace(guardedCluster));
}

/** The token of the URL where kcp asks about rules and guards as they are written. No workspace's token is the same. */
export function deriveAdmissionToken(secret: UrlSecret): string {
  return deriveToken(secret, FOR_RULES);
}

/** Whether a presented token is the one of that workspace. */
export function isUrlTokenAccepted(secrets: UrlSecrets, guardedCluster: LogicalClusterName, presented: string): boolean {
  return isTokenAccepted(secrets, forWorkspace(guardedCluster), presented);
}

/** Whether a presented token is the one of rules and guards. */
export function isAdmissionTokenAccepted(secrets: UrlSecrets, presented: string): boolean {
  return isTokenAccepted(secrets, FOR_RULES, presented);
}

/** The token for the webhook's decision feed. It is in no installed URL, so a reader of a configuration does not learn it. */
export function deriveFeedToken(secret: UrlSecret): string {
  return deriveToken(secret, FOR_FEED);
}

/** Whether a presented token is the one of the decision feed. */
export function isFeedTokenAccepted(secrets: UrlSecrets, presented: string): boolean {
  return isTokenAccepted(secrets, FOR_FEED, presented);
}

// What is installed depends on these texts: another text is another token.
const FOR_RULES = 'dep-ctrl admission url';
const FOR_FEED = 'dep-ctrl decision feed';
const forWorkspace = (cluster: LogicalClusterName): string => `dep-ctrl webhook url\n${cluster}`;
