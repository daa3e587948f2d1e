export {
  AdmissionServer,
  defaultServerLimits,
  type AdmissionServerOptions,
  type AnswerReview,
  type CallRoute,
  type PlainQuestion,
  type ReviewOptions,
  type ReviewReply,
  type Routed,
  type ServerLimits,
} from './admission-server.js';
export { parseCallTimeout } from './call-timeout.js';
export { CertificateFit, type CertificateFitDependencies, type CertificateWords, type Expected } from './certificate-fit.js';
export { CertificateKeeper, type CertificateKeeperDependencies } from './certificate-keeper.js';
export { followAuthority, type FollowedAuthority } from './followed-authority.js';
export { hostOf } from './host-of.js';
export { installedBundles } from './installed-bundles.js';
export { mintAuthority, mintServingPair, SERVING_DAYS, type Authority } from './mint.js';
export { ownServingPair } from './own-serving-pair.js';
export type { BodyLimits } from './read-body.js';
export {
  describeValue,
  encodeReview,
  readReview,
  type ReadReview,
  type RefusalDetails,
  type RefusalStatus,
  type ReviewAnswer,
  type ReviewEnvelope,
  type UnreadReview,
} from './review-wire.js';
export {
  checkPair,
  isFor,
  isVerifiedBy,
  pairFromDirectory,
  type CheckedPair,
  type ReadServingPair,
  type ServingPair,
} from './serving-pair.js';
export { FollowedUrlSecrets, type FollowedUrlSecretsDependencies, type UrlSecretsSource } from './url-secrets-source.js';
export { tryHandshake, type HandshakeFailure, type TlsAddress } from './try-handshake.js';
export { deriveToken, isTokenAccepted, parseUrlSecrets, type UrlSecret, type UrlSecrets } from './url-token.js';
export { WebhookUrlWatch, type WebhookUrlWatchDependencies } from './webhook-url-watch.js';
