import { WorkspaceResolver } from '@dep-ctrl/workspace-resolver';
import { ContainerModule } from 'inversify';
import { admissionBundles } from '../certificate/admission-bundles.js';
import { installedBundles } from '../controller/configuration/installed-bundles.js';
import { RuleSource } from '../rules/rule-source.js';
import { WebhookRole } from '../webhook/webhook-role.js';
import { keepHeapSmall, makeCollectYoung } from '../webhook/lists/young-garbage.js';
import { Ground, Rules, UrlSecretsInForce, type Home, type WebhookOptions } from './tokens.js';

/** The webhook role. */
export function webhookModule({ readServingPair, decisions, ...settings }: WebhookOptions): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(WebhookRole).toResolvedValue(
      ({ value: { connection, home, clock, logger } }, { value: registry }, source, resolver, { value: urlSecrets }) => {
        keepHeapSmall();
        return new WebhookRole({
          connection,
          registry: registry.reader,
          source,
          resolver,
          home,
          settings,
          readServingPair,
          ...(urlSecrets === undefined ? {} : { urlSecrets: () => urlSecrets.current() }),
          installedBundles: (options) => bundlesOf(source, home, options),
          decisions,
          collectYoung: makeCollectYoung(),
          clock,
          logger,
        });
      },
      [Ground, Rules, RuleSource, WorkspaceResolver, UrlSecretsInForce],
    );
  });
}

/** The CA bundles that kcp verifies our certificate with now. */
async function bundlesOf(source: RuleSource, { workspace }: Home, options: { readonly signal: AbortSignal }): Promise<readonly string[]> {
  const configurations = [...source.seen.all('configurations')].map(({ object }) => object);
  return [...installedBundles(configurations), ...(await admissionBundles(workspace, options))];
}
