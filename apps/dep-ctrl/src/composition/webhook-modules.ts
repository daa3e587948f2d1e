import { WorkspaceResolver } from '@dep-ctrl/workspace-resolver';
import { ContainerModule } from 'inversify';
import type { ReadLimits } from '@dep-ctrl/shared-lists';
import {
  AdmissionServer,
  type AdmissionServerOptions,
  type CertificateFit,
  CertificateKeeper,
  calledHosts,
  defaultServerLimits,
  installedBundles,
  type ReadServingPair,
  type ServerLimits,
  type UrlSecrets,
} from '@dep-ctrl/admission-server';
import { ExportReader } from '@dep-ctrl/exported-types';
import { admissionBundles } from '../certificate/admission-bundles.js';
import { ownConfigurations } from '../own-objects/own-configurations.js';
import { RuleSource } from '../rules/rule-source.js';
import { WebhookRights } from '../self-checks/webhook-rights.js';
import { VERSION } from '../command-line/version.js';
import { routeCalls, SERVED } from '../webhook/receive-calls.js';
import { ReviewDesk } from '../webhook/review/review-desk.js';
import { AdmissionDesk } from '../webhook/rule-admission/admission-desk.js';
import { RuleReader } from '../webhook/rule-admission/rule-reader.js';
import { defaultRoleLimits, WebhookRole, type RoleLimits } from '../webhook/webhook-role.js';
import { reviewModules, type ReviewOptions } from './review-modules.js';
import { ReadyLines, RunningPart, type SharedParts } from './tokens.js';

/** The options of the webhook role. */
export interface WebhookOptions extends ReviewOptions {
  readonly port: number;
  readonly host?: string | undefined;
  readonly readServingPair: ReadServingPair;
  /** Checks the certificate, if it comes from files. */
  readonly certificate?: CertificateFit | undefined;
  /** Undefined: URLs need no token. */
  readonly urlSecrets: { current(): UrlSecrets } | undefined;
  readonly answerGet?: AdmissionServerOptions['answerGet'];
  readonly limits?: Partial<ServerLimits & ReadLimits & RoleLimits>;
}

/** The webhook role: the parts that judge deletions, those that judge rules as they are written, and the server in front of both. */
export function webhookModules(shared: SharedParts, options: WebhookOptions): readonly ContainerModule[] {
  const { host, port, readServingPair, certificate, urlSecrets, answerGet, observer, garbage } = options;
  const limits = { ...defaultServerLimits, ...defaultRoleLimits, ...options.limits };
  const server = new ContainerModule(({ bind }) => {
    bind(AdmissionServer).toResolvedValue(
      (reviews, writes) =>
        new AdmissionServer({
          ...{ host, port, answerGet, served: SERVED, limits, product: `dep-ctrl/${VERSION}`, garbage },
          route: routeCalls({ reviews, writes, urlSecrets }),
          failed: (failure) => shared.logger.error('a call could not be answered, which is a defect', { error: failure }),
        }),
      [ReviewDesk, AdmissionDesk],
    );
    bind(WebhookRole).toResolvedValue(
      (https, keeper, source) => new WebhookRole({ ...shared, server: https, port, certificate: keeper, source, limits }),
      [AdmissionServer, CertificateKeeper, RuleSource],
    );
    bind(RunningPart).toResolvedValue((role) => new RunningPart(role), [WebhookRole]);
    bind(ReadyLines).toResolvedValue((role) => new ReadyLines(role.readinessChecks), [WebhookRole]);
  });
  const certificates = new ContainerModule(({ bind }) => {
    bind(CertificateKeeper).toResolvedValue(
      (https, { seen }) => {
        const ours = () => ownConfigurations(seen.configurations.list());
        return new CertificateKeeper({
          ...shared,
          readServingPair,
          fit: certificate,
          installedBundles: async (asked) => [...installedBundles(ours()), ...(await admissionBundles(shared.home.workspace, asked))],
          calledHosts: () => calledHosts(ours()),
          serve: (pair) => {
            https.use(pair);
            observer.certificateServed(pair);
          },
        });
      },
      [AdmissionServer, RuleSource],
    );
  });
  const ruleAdmission = new ContainerModule(({ bind }) => {
    // A new reader for each type, so that nothing is kept.
    const exports = () => new ExportReader(shared);
    bind(RuleReader).toResolvedValue((resolver) => new RuleReader({ ...shared, resolver, exports }), [WorkspaceResolver]);
    bind(AdmissionDesk).toResolvedValue((reader) => new AdmissionDesk({ ...shared, reader }), [RuleReader]);
  });
  const selfChecks = new ContainerModule(({ bind }) => {
    bind(WebhookRights).toResolvedValue((source) => new WebhookRights({ ...shared, source }), [RuleSource]);
    bind(RunningPart).toResolvedValue((rights) => new RunningPart(rights), [WebhookRights]);
    bind(ReadyLines).toResolvedValue(
      (rights) => new ReadyLines([rights.readiness, ...(certificate === undefined ? [] : [certificate.readiness])]),
      [WebhookRights],
    );
  });
  return [server, certificates, ruleAdmission, selfChecks, ...reviewModules(shared, options)];
}
