import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { LeaderElector } from '@dep-ctrl/kcp-client';
import { WorkspaceResolver } from '@dep-ctrl/workspace-resolver';
import { ContainerModule } from 'inversify';
import { HOME_NAMESPACE, LEASE_NAME } from '../bootstrap/manifests.js';
import { ControllerRole, type ControllerRoleDependencies } from '../controller/controller-role.js';
import { LeaseHolder } from '../controller/leadership/lease-holder.js';
import { RuleSource } from '../rules/rule-source.js';
import type { UrlTokens } from '../url-tokens/url-tokens.js';
import type { UrlSecretsSource } from '../url-tokens/url-secrets-source.js';
import { deriveAdmissionToken, deriveUrlToken } from '../url-tokens/url-token.js';
import { Ground, Rules, UrlSecretsInForce, type ControllerOptions } from './tokens.js';

/** The controller role. */
export function controllerModule(options: ControllerOptions): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(ControllerRole).toResolvedValue(
      ({ value: ground }, { value: registry }, source, resolver, { value: secrets }) =>
        new ControllerRole({
          connection: ground.connection,
          home: ground.home.workspace,
          registry: registry.reader,
          source,
          resolver,
          settings: { exportName: ground.home.exportName, webhookUrl: options.webhookUrl },
          caBundle: options.caBundle,
          ...(secrets === undefined ? {} : { urlTokens: urlTokensFrom(secrets) }),
          admission: {
            isServing: options.isWebhookServing,
            ...(secrets === undefined ? {} : { urlToken: () => deriveAdmissionToken(secrets.current()[0]) }),
          },
          ...(options.leaderElect ? electionOn(ground) : {}),
          clock: ground.clock,
          logger: ground.logger,
        }),
      [Ground, Rules, RuleSource, WorkspaceResolver, UrlSecretsInForce],
    );
  });
}

function urlTokensFrom(secrets: UrlSecretsSource): UrlTokens {
  return { of: (guarded) => deriveUrlToken(secrets.current()[0], guarded), subscribe: (listener) => secrets.subscribe(listener) };
}

function electionOn({ home, clock, logger }: Ground['value']): Pick<ControllerRoleDependencies, 'leaderElector' | 'lease'> {
  const identity = `${hostname()}-${randomUUID()}`;
  const lease = new LeaseHolder(home.workspace, identity);
  const leaderElector = new LeaderElector({ client: lease.client, namespace: HOME_NAMESPACE, name: LEASE_NAME, identity, clock, logger });
  return { leaderElector, lease };
}
