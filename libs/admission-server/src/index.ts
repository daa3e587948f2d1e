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
} from './server/admission-server.js';
export { parseCallTimeout } from './server/call-timeout.js';
export { CertificateFit, type CertificateFitDependencies, type CertificateWords, type Expected } from './certificates/certificate-fit.js';
export { CertificateKeeper, type CertificateKeeperDependencies } from './certificates/certificate-keeper.js';
export { followAuthority, type FollowedAuthority } from './certificates/followed-authority.js';
export { hostOf } from './certificates/host-of.js';
export { calledHosts, installedBundles } from './certificates/installed-bundles.js';
export { mintAuthority, mintServingPair, SERVING_DAYS, type Authority } from './certificates/mint.js';
export { ownServingPair } from './certificates/own-serving-pair.js';
export type { BodyLimits } from './server/read-body.js';
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
} from './server/review-wire.js';
export {
  checkPair,
  isFor,
  isVerifiedBy,
  pairFromDirectory,
  type CheckedPair,
  type ReadServingPair,
  type ServingPair,
} from './certificates/serving-pair.js';
export { FollowedUrlSecrets, type FollowedUrlSecretsDependencies, type UrlSecretsSource } from './url-tokens/url-secrets-source.js';
export { connectionProblem } from './webhook-url/connection-problem.js';
export { tryHandshake, type HandshakeFailure, type TlsAddress } from './webhook-url/try-handshake.js';
export { deriveToken, isTokenAccepted, parseUrlSecrets, type UrlSecret, type UrlSecrets } from './url-tokens/url-token.js';
export { WebhookUrlWatch, type WebhookUrlWatchDependencies } from './webhook-url/webhook-url-watch.js';
