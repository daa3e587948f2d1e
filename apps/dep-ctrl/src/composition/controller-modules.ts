import { LeaderElector, type LeaderElectorOptions, LeaseHolder } from '@dep-ctrl/kcp-client';
import type { CaBundleSource } from '@dep-ctrl/webhook-installer';
import { ContainerModule } from 'inversify';
import { WebhookUrlWatch } from '@dep-ctrl/admission-server';
import { HOME_NAMESPACE, LEASE_NAME } from '../bootstrap/manifests.js';
import { VERSION } from '../command-line/version.js';
import { VERSION_ANNOTATION } from '../own-objects/lease-view.js';
import { ControllerRole } from '../controller/controller-role.js';
import { kcpAnswers } from '../controller/waiting-for.js';
import { RuleSource } from '../rules/rule-source.js';
import { WebhookRole } from '../webhook/webhook-role.js';
import { CurrentElection, LeadershipStart, ReadyLines, RunningPart, WebhookToCall, type SharedParts } from './tokens.js';
import { URL_FIXES } from '../self-checks/flag-words.js';

/** The options of the controller role. */
export interface ControllerOptions {
  readonly caBundle: CaBundleSource;
  /** Undefined: there is no other replica. */
  readonly election?: Pick<LeaderElectorOptions, 'identity' | 'durations'> | undefined;
  /** Whether this process reports problems of the certificate by its file. */
  readonly isCertificateJudged: boolean;
}

/** The webhook in another process: kcp calls it by this URL. */
export function webhookElsewhere(url: string): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(WebhookToCall).toConstantValue(new WebhookToCall({ url, isServing: () => true }));
    bind(ReadyLines).toResolvedValue((source) => new ReadyLines([kcpAnswers(source)]), [RuleSource]);
  });
}

/** The webhook of the same process, by the URL that was given, or by one with its own port. */
export function webhookHere(given: string | ((port: number) => string)): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(WebhookToCall).toResolvedValue(
      (role) => {
        const url = typeof given === 'string' ? given : role.listening.then(({ port }) => given(port));
        return new WebhookToCall({ url, isServing: () => role.isServing() });
      },
      [WebhookRole],
    );
  });
}

/** The controller role, leading or standing by. It needs one of the webhooks above. */
export function controllerModules(shared: SharedParts, options: ControllerOptions): readonly ContainerModule[] {
  const { home, clock, logger } = shared;
  const { caBundle, election: candidate, isCertificateJudged } = options;
  const controller = new ContainerModule(({ bind }) => {
    bind(ControllerRole).toResolvedValue(
      (source, { value: webhook }, { value: newWork }, { value: election }) =>
        new ControllerRole({ ...shared, exportName: home.exportName, source, webhook, newWork, election }),
      [RuleSource, WebhookToCall, LeadershipStart, CurrentElection],
    );
    bind(RunningPart).toResolvedValue((role) => new RunningPart(role), [ControllerRole]);
    if (candidate === undefined) {
      bind(CurrentElection).toConstantValue(new CurrentElection(undefined));
      return;
    }
    bind(LeaseHolder).toResolvedValue(() => new LeaseHolder(home.workspace, candidate.identity));
    bind(LeaderElector).toResolvedValue(
      ({ client }) =>
        new LeaderElector({
          ...candidate,
          annotations: { [VERSION_ANNOTATION]: VERSION },
          client,
          namespace: HOME_NAMESPACE,
          name: LEASE_NAME,
          clock,
          logger,
        }),
      [LeaseHolder],
    );
    bind(CurrentElection).toResolvedValue((elector, lease) => new CurrentElection({ elector, lease }), [LeaderElector, LeaseHolder]);
  });
  const selfChecks = new ContainerModule(({ bind }) => {
    bind(WebhookUrlWatch).toResolvedValue(
      (role, { value: { isServing } }) =>
        new WebhookUrlWatch({
          webhookUrl: () => role.webhookUrl,
          caBundle,
          isServing,
          isCertificateJudged,
          fixes: URL_FIXES,
          clock,
          logger,
        }),
      [ControllerRole, WebhookToCall],
    );
    bind(RunningPart).toResolvedValue((watch) => new RunningPart(watch), [WebhookUrlWatch]);
    bind(ReadyLines).toResolvedValue(
      (watch, role) => new ReadyLines([watch.readiness, ...(candidate === undefined ? [] : [role.leadership])]),
      [WebhookUrlWatch, ControllerRole],
    );
  });
  return [controller, selfChecks];
}
