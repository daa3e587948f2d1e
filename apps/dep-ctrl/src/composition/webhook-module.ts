import type { RequestListener } from 'node:http';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { ContainerModule } from 'inversify';
import { RuleSource } from '../rules/rule-source.js';
import { WebhookRole } from '../webhook/webhook-role.js';
import { makeCollectYoung } from '../webhook/lists/young-garbage.js';
import { Ground, Rules, UrlSecretsInForce, type WebhookOptions } from './tokens.js';

/** The webhook role. */
export function webhookModule({ readServingPair, decisions, ...settings }: WebhookOptions): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(WebhookRole).toResolvedValue(
      ({ value: { connection, home, clock, logger } }, { value: registry }, source, { value: urlSecrets }) =>
        new WebhookRole({
          connection,
          registry: registry.reader,
          source,
          home,
          settings,
          readServingPair,
          ...(urlSecrets === undefined ? {} : { urlSecrets: () => urlSecrets.current() }),
          installedBundles: () => installedBundles(source),
          rest: nothingElse,
          decisions,
          collectYoung: makeCollectYoung(),
          clock,
          logger,
        }),
      [Ground, Rules, RuleSource, UrlSecretsInForce],
    );
  });
}

/** The CA bundles that kcp verifies our certificate with now. */
function installedBundles(source: RuleSource): readonly string[] {
  const bundles = new Set<string>();
  for (const { object } of source.seen.all('configurations')) for (const bundle of bundlesIn(object)) bundles.add(bundle);
  return [...bundles];
}

function bundlesIn(configuration: KubeObject): readonly string[] {
  const webhooks = (configuration['webhooks'] ?? []) as readonly { readonly clientConfig?: { readonly caBundle?: string } }[];
  return webhooks.flatMap(({ clientConfig }) =>
    clientConfig?.caBundle === undefined ? [] : [Buffer.from(clientConfig.caBundle, 'base64').toString('utf8')],
  );
}

const nothingElse: RequestListener = (_request, response) => {
  response.writeHead(404, { 'content-type': 'text/plain' }).end('not found: reviews are posted to /validate\n');
};
