import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { UrlSecretsSource } from './url-secrets-source.js';
import { deriveAdmissionToken, deriveUrlToken } from './url-token.js';

/** The last path segment of each installed URL, by which the webhook knows that kcp is asking. */
export interface UrlTokens {
  of(guarded: LogicalClusterName): string;
  /** That of the URL where kcp asks about rules and guards. */
  ofRules(): string;
  /** Calls back when they have become others and are to be installed, until the returned function is called. */
  subscribe(listener: () => void): () => void;
}

/** The tokens that the first of the secrets makes. */
export function urlTokensFrom(secrets: UrlSecretsSource): UrlTokens {
  return {
    of: (guarded) => deriveUrlToken(secrets.current()[0], guarded),
    ofRules: () => deriveAdmissionToken(secrets.current()[0]),
    subscribe: (listener) => secrets.subscribe(listener),
  };
}
