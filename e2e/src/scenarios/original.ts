// What the original dependency-controller leaves behind: its export, the bindings and rules of providers, a configuration, and a webhook that still answers.
import { version } from '../stage/example-types.js';
import { WEBHOOK_CONFIGURATIONS, answeredClaim, bind, makeExport, served, webhookClaim, type Export } from '../stage/exports.js';
import type { Stage, Workspace } from '../stage/stage.js';
import { deny, webhookConfiguration, webhookEntry, type Asked } from '../stage/webhooks.js';
import { COMPUTE, COMPUTE_TYPES, NETWORK, NETWORK_TYPES } from './cloud-types.js';
import { RULES, vmRule } from './rules.js';
import type { Cloud } from './world.js';

const GROUP = 'dependencies.opendefense.cloud';
const CLAIM = webhookClaim(['get', 'list', 'watch', 'create', 'update', 'delete']);

const text = { type: 'string' };
const object = (properties: object) => ({ type: 'object', properties, required: Object.keys(properties) });
/** Its one type: no status, no columns, no bounds on lists. */
const RULE_TYPE = {
  plural: 'dependencyrules',
  kind: 'DependencyRule',
  scope: 'Cluster' as const,
  versions: [
    version(
      'v1alpha1',
      object({
        spec: object({
          dependent: object({ apiExportName: text, group: text, version: text, kind: text, resource: text }),
          dependencies: {
            type: 'array',
            items: object({
              apiExportRef: object({ path: text, name: text }),
              group: text,
              version: text,
              resource: text,
              fieldRef: object({ path: text }),
            }),
          },
        }),
      }),
      { subresources: {} },
    ),
  ] as const,
};

/** An installation of the original, with its controller stopped. */
export interface Original {
  readonly home: Workspace;
  readonly cloud: Cloud;
  /** What kcp asked its webhook, which refuses all. */
  readonly asked: readonly Asked[];
  /** Ends the webhook: from now on calls fail. */
  readonly stopWebhook: () => void;
}

/** Installs it, with a provider of VPCs and one of VMs, and the rule between them. */
export async function installOriginal(kcp: Stage): Promise<Original> {
  // As `bootstrap` would: ServiceAccounts are known on the root shard.
  const home = await kcp.workspace({ name: kcp.unique('original'), shard: 0 });
  const own = await makeExport(kcp, { name: GROUP, group: GROUP, types: [RULE_TYPE], claims: [CLAIM], workspace: home });
  const cloud = {
    network: await provider(kcp, own, { name: NETWORK, group: NETWORK, types: NETWORK_TYPES }),
    compute: await provider(kcp, own, { name: COMPUTE, group: COMPUTE, types: COMPUTE_TYPES }),
  };
  (await kcp.admin.post(cloud.compute.workspace.at + RULES, vmRule(cloud))).expect(201);
  const path = kcp.unique('validate');
  const webhook = kcp.webhooks.open(path, deny('cannot delete vpcs/some: still referenced by VM/some'));
  const entry = webhookEntry(`dependency-controller.${GROUP}`, webhook, {
    failurePolicy: 'Fail',
    rules: [{ operations: ['DELETE'], apiGroups: [NETWORK], apiVersions: ['v1'], resources: ['vpcs'] }],
  });
  const configuration = webhookConfiguration('dependency-controller', [entry]);
  (await kcp.admin.post(cloud.network.workspace.at + WEBHOOK_CONFIGURATIONS, configuration)).expect(201);
  const gone = { raw: 'gone', status: 503 };
  return { home, cloud, asked: webhook.asked, stopWebhook: () => void kcp.webhooks.open(path, () => gone) };
}

async function provider(kcp: Stage, original: Export, wish: Parameters<typeof makeExport>[1]): Promise<Export> {
  const made = await makeExport(kcp, wish);
  await bind(kcp, made.workspace, original, { name: 'dependency-controller', claims: [answeredClaim(CLAIM)] });
  await served(kcp, made.workspace.at + RULES);
  return made;
}
