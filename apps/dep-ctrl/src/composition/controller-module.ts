import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { LeaderElector } from '@dep-ctrl/kcp-client';
import { WorkspaceResolver } from '@dep-ctrl/workspace-resolver';
import { ContainerModule } from 'inversify';
import { ControllerRole } from '../controller/controller-role.js';
import { RuleSource } from '../rules/rule-source.js';
import { deriveUrlToken } from '../webhook/url-token.js';
import { Ground, Rules, UrlSecretsInForce, type ControllerOptions } from './tokens.js';

/** Where replicas of the controller agree on who leads. */
const LEASE = { namespace: 'default', name: 'dep-ctrl-controller' };

/** The controller role. */
export function controllerModule(options: ControllerOptions): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(ControllerRole).toResolvedValue(
      ({ value: ground }, { value: registry }, source, resolver, { value: secrets }) =>
        new ControllerRole({
          connection: ground.connection,
          registry: registry.reader,
          source,
          resolver,
          settings: { exportName: ground.home.exportName, webhookUrl: options.webhookUrl },
          caBundle: options.caBundle,
          ...(secrets === undefined ? {} : { urlToken: (guarded) => deriveUrlToken(secrets()[0], guarded) }),
          ...(options.leaderElect ? { leaderElector: electorOn(ground) } : {}),
          clock: ground.clock,
          logger: ground.logger,
        }),
      [Ground, Rules, RuleSource, WorkspaceResolver, UrlSecretsInForce],
    );
  });
}

function electorOn({ home, clock }: Ground['value']): LeaderElector {
  return new LeaderElector({ client: home.workspace, ...LEASE, identity: `${hostname()}-${randomUUID()}`, clock });
}
