export { parseCertificates } from './ca-bundle.js';
export {
  encodeCaBundle,
  FollowedCaBundle,
  StaticCaBundle,
  type CaBundleSource,
  type CurrentCaBundle,
  type FollowedCaBundleDependencies,
} from './ca-bundle-source.js';
export { binds, readClaim, type BoundExport, type ClaimState } from './claim.js';
export type { FailedInstall, InstallOutcome } from './install-outcome.js';
export { holds, planChange, type ConfigurationPlan, type PlanInput } from './plan-change.js';
export { WebhookInstaller, type EnsureOptions, type InstallOptions, type WebhookInstallerDependencies } from './webhook-installer.js';
export {
  WEBHOOK_CONFIGURATIONS,
  type DesiredConfiguration,
  type DesiredWebhook,
  type Ownership,
  type WebhookRule,
} from './webhook-configuration.js';
