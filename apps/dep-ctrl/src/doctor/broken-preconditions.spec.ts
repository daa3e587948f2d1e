import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { once } from 'node:events';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import type { ClusterClient } from '@dep-ctrl/kcp-client';
import { clusterOf, type GroupVersionResource, type KubeObject, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { EXPORT_NAME, GUARD_NAME, GUARDS, RULES } from '@dep-ctrl/rule-registry';
import { encodeCaBundle, WEBHOOK_CONFIGURATIONS } from '@dep-ctrl/webhook-installer';
import { mintAuthority, mintServingPair } from '@dep-ctrl/admission-server';
import { CA_SECRET, SECRETS, URL_TOKEN_SECRET } from '../certificate/shared-secrets.js';
import { doctorCommand } from '../commands/doctor-command.js';
import { DEV_PATHS } from '../dev/dev-paths.js';
import { VIRTUAL_MACHINES } from '../dev/provider-manifests.js';
import { ADMISSION_CONFIGURATION } from '../own-objects/admission-configuration.js';
import { OWNER_LABEL } from '../own-objects/configuration-labels.js';
import { homeProtection, PROTECTION_PLACE, PROTECTION_TYPES } from '../own-objects/home-protection.js';
import { API_BINDINGS, API_EXPORTS, until } from '@dep-ctrl/kcp-objects';
import { connectTo } from '../testing/embedded-world.js';
import { freePort } from '@dep-ctrl/admission-server/testing';
import { runCli } from '../testing/run-cli.js';
import { readFileSync } from 'node:fs';
import { changed, made, removed, statusChanged, together, type Undo } from './spec-support/change.js';
import { bootstrapAgain, leads, onInstalledWorld, options, type InstalledWorld } from './spec-support/installed-world.js';
import type { DoctorResult } from './print-doctor.js';

const RBAC = { group: 'rbac.authorization.k8s.io', version: 'v1' };
const CLUSTER_ROLES: GroupVersionResource = { ...RBAC, resource: 'clusterroles' };
const CLUSTER_ROLE_BINDINGS: GroupVersionResource = { ...RBAC, resource: 'clusterrolebindings' };
const ROLES: GroupVersionResource = { ...RBAC, resource: 'roles' };
const SERVICE_ACCOUNTS: GroupVersionResource = { group: '', version: 'v1', resource: 'serviceaccounts' };
const DAY_MS = 86_400_000;
const { depCtrl, network, compute, teamA } = DEV_PATHS;
// Some fifty looks at everything, about half a second each, on a machine that does other things too.
const WITHIN_MS = 180_000;
const nothing: Undo = () => Promise.resolve();

/** How a precondition is broken: what to change in kcp, or with which flags to ask instead. */
interface Break {
  readonly id: string;
  readonly change?: (world: InstalledWorld) => Promise<Undo>;
  readonly flags?: (world: InstalledWorld) => Promise<readonly string[]> | readonly string[];
}

const at = ({ admin }: InstalledWorld, path: WorkspacePath) => admin.cluster(path);
const configuration = (edit: (webhooks: readonly Entry[], object: KubeObject) => object) => (world: InstalledWorld) =>
  changed(at(world, network), WEBHOOK_CONFIGURATIONS, { name: GUARD_NAME }, (object) =>
    edit(object['webhooks'] as readonly Entry[], object),
  );
const admission = (edit: (webhooks: readonly Entry[]) => object) => (world: InstalledWorld) =>
  changed(at(world, depCtrl), WEBHOOK_CONFIGURATIONS, { name: ADMISSION_CONFIGURATION }, (object) =>
    edit(object['webhooks'] as readonly Entry[]),
  );
/** Both configurations, so that they agree. */
const everywhere = (edit: (webhooks: readonly Entry[]) => object) => (world: InstalledWorld) =>
  together(
    () => configuration(edit)(world),
    () => admission(edit)(world),
  );
const withUrl = (from: string | RegExp, to: string) => (webhooks: readonly Entry[]) => ({
  webhooks: webhooks.map((each) => ({ ...each, clientConfig: { ...each.clientConfig, url: each.clientConfig.url.replace(from, to) } })),
});
const withCa = (caBundle: string) => (webhooks: readonly Entry[]) => ({
  webhooks: webhooks.map((each) => ({ ...each, clientConfig: { ...each.clientConfig, caBundle } })),
});

interface Entry {
  readonly clientConfig: { readonly url: string };
  readonly rules: readonly object[];
}

const kubeconfigWith = async ({ dir, adminKubeconfig, flags }: InstalledWorld, from: string | RegExp, to: string) => {
  const file = join(dir, 'other.kubeconfig');
  await writeFile(file, readFileSync(adminKubeconfig, 'utf8').replaceAll(from, to));
  return [...flags, '--kubeconfig', file];
};
/** A condition that a status carries instead. */
const condition = (type: string, status: string, reason: string) => (before: object) => {
  const { conditions = [] } = before as { readonly conditions?: readonly { readonly type: string }[] };
  const next = { type, status, reason, message: 'it is so', lastTransitionTime: '2026-01-01T00:00:00Z' };
  return { ...before, conditions: [...conditions.filter((each) => each.type !== type), next] };
};
/** In `system:admin` of the shard, as its admin. */
async function onShard({ kcp }: InstalledWorld, change: (client: ClusterClient) => Promise<Undo>): Promise<Undo> {
  const connection = connectTo(kcp.kubeconfig(), { context: 'system:admin' });
  const undo = await change(connection.ownWorkspace());
  return async () => {
    await undo();
    await connection.close();
  };
}

const BREAKS: readonly Break[] = [
  { id: 'kcp-answers', flags: async (world) => kubeconfigWith(world, world.kcp.baseUrl, `https://127.0.0.1:${String(await freePort())}`) },
  {
    id: 'kcp-certificate-trusted',
    flags: async (world) => {
      const { certificate } = await mintAuthority(Date.now());
      return kubeconfigWith(world, /certificate-authority-data: .*/g, `certificate-authority-data: ${encodeCaBundle(certificate)}`);
    },
  },
  {
    id: 'kcp-certificate-host',
    flags: (world) =>
      kubeconfigWith(world, /certificate-authority-data:/g, 'tls-server-name: kcp.example.com\n      certificate-authority-data:'),
  },
  { id: 'credentials', flags: (world) => kubeconfigWith(world, /token: .*/g, 'token: nobody') },
  { id: 'workspace-there', flags: ({ flags }) => [...flags, '--workspace', 'root:nowhere'] },
  { id: 'export-there', flags: ({ flags }) => [...flags, '--workspace', teamA] },
  {
    id: 'export-open',
    change: (world) =>
      changed(at(world, depCtrl), API_EXPORTS, { name: EXPORT_NAME }, ({ spec }) => ({
        spec: { ...(spec as object), maximalPermissionPolicy: { local: {} } },
      })),
  },
  {
    id: 'export-current',
    change: (world) =>
      changed(at(world, depCtrl), API_EXPORTS, { name: EXPORT_NAME }, ({ spec }) => {
        const { permissionClaims } = spec as { readonly permissionClaims: readonly { readonly verbs: readonly string[] }[] };
        return {
          spec: {
            ...(spec as object),
            permissionClaims: permissionClaims.map((claim) => ({ ...claim, verbs: [...claim.verbs, 'patch'] })),
          },
        };
      }),
  },
  {
    id: 'workspace-protected',
    change: async (world) => {
      const cluster = clusterOf(await at(world, depCtrl).get(API_EXPORTS, { name: EXPORT_NAME }, options()));
      const [policy] = homeProtection(cluster.ok ? cluster.value : '');
      if (policy === undefined) throw new Error('there is no policy');
      return made(world.admin.cluster(PROTECTION_PLACE), PROTECTION_TYPES.ValidatingAdmissionPolicy, policy);
    },
  },
  { id: 'roles-there', change: (world) => removed(at(world, depCtrl), ROLES, { name: 'dep-ctrl:own-secrets', namespace: 'default' }) },
  {
    id: 'roles-bound',
    change: (world) =>
      changed(at(world, depCtrl), { ...RBAC, resource: 'rolebindings' }, { name: 'dep-ctrl:controller', namespace: 'default' }, () => ({
        subjects: [],
      })),
  },
  { id: 'own-secrets', change: (world) => removed(at(world, depCtrl), SECRETS, { name: URL_TOKEN_SECRET, namespace: 'default' }) },
  {
    id: 'own-ca-dates',
    change: async (world) => {
      // Ten years less a day ago.
      const { certificate } = await mintAuthority(Date.now() - 3_649 * DAY_MS);
      const data = { 'tls.crt': Buffer.from(certificate).toString('base64') };
      return changed(at(world, depCtrl), SECRETS, { name: CA_SECRET, namespace: 'default' }, () => ({ data }));
    },
  },
  {
    id: 'controller-leads',
    change: async (world) => {
      await leads(world, new Date(Date.now() - 2 * 3_600_000).toISOString());
      return () => leads(world, new Date().toISOString());
    },
  },
  { id: 'admission-there', change: (world) => removed(at(world, depCtrl), WEBHOOK_CONFIGURATIONS, { name: ADMISSION_CONFIGURATION }) },
  {
    id: 'webhook-answers',
    change: async (world) => everywhere(withUrl(String(world.port), String(await freePort())))(world),
  },
  {
    id: 'webhook-certificate-trusted',
    change: async (world) => everywhere(withCa(encodeCaBundle((await mintAuthority(Date.now())).certificate)))(world),
  },
  { id: 'webhook-certificate-host', change: (world) => everywhere(withUrl('127.0.0.1', '127.0.0.2'))(world) },
  {
    id: 'webhook-certificate-dates',
    change: async (world) => {
      const { certificate, key } = await mintServingPair(world.authority, ['127.0.0.1'], Date.now() - 89 * DAY_MS);
      const server = createServer({ cert: certificate, key }, (request, response) => {
        response.writeHead(request.method === 'POST' ? 200 : 405).end();
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const undo = await everywhere(withUrl(String(world.port), String(port)))(world);
      return async () => {
        await undo();
        server.closeAllConnections();
        server.close();
      };
    },
  },
  { id: 'webhook-token', change: configuration(withUrl(/\/validate\/([^/]+)\/[^/]+/, '/validate/$1/wrong')) },
  { id: 'one-webhook', change: admission(withUrl('127.0.0.1', 'localhost')) },
  {
    id: 'may-look',
    change: async (world) => {
      const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'eve' } };
      const rules = [
        { nonResourceURLs: ['*'], verbs: ['access', 'get'] },
        { apiGroups: ['apis.kcp.io'], resources: ['apiexports', 'apiexportendpointslices'], verbs: ['get', 'list'] },
      ];
      const roleRef = { apiGroup: RBAC.group, kind: 'ClusterRole', name: 'eve' };
      const subjects = [{ kind: 'User', apiGroup: RBAC.group, name: 'eve' }];
      const binding = {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRoleBinding',
        metadata: { name: 'eve' },
        roleRef,
        subjects,
      };
      await writeFile(join(world.dir, 'eve.kubeconfig'), world.kcp.kubeconfig({ user: 'eve' }));
      return together(
        () => made(at(world, depCtrl), CLUSTER_ROLES, { ...role, rules }),
        () => made(at(world, depCtrl), CLUSTER_ROLE_BINDINGS, binding),
      );
    },
    flags: ({ flags, dir }) => [...flags, '--kubeconfig', join(dir, 'eve.kubeconfig')],
  },
  {
    id: 'claim-accepted',
    change: (world) =>
      changed(at(world, compute), API_BINDINGS, { name: EXPORT_NAME }, ({ spec }) => {
        const { permissionClaims } = spec as { readonly permissionClaims: readonly object[] };
        return { spec: { ...(spec as object), permissionClaims: permissionClaims.map((claim) => ({ ...claim, state: 'Rejected' })) } };
      }),
  },
  {
    id: 'guard-there',
    change: (world) =>
      changed(at(world, network), GUARDS, { name: GUARD_NAME }, ({ metadata }) => ({ metadata: { ...metadata, finalizers: [] } })),
  },
  {
    id: 'consent-resolved',
    change: (world) => statusChanged(at(world, network), GUARDS, { name: GUARD_NAME }, condition('ConsentResolved', 'False', 'NotBound')),
  },
  {
    id: 'configuration-ours',
    change: configuration((_, { metadata }) => ({ metadata: { ...metadata, labels: { ...metadata.labels, [OWNER_LABEL]: 'another' } } })),
  },
  { id: 'configuration-there', change: (world) => removed(at(world, network), WEBHOOK_CONFIGURATIONS, { name: GUARD_NAME }) },
  {
    id: 'configuration-equal',
    change: configuration((webhooks) => ({
      webhooks: webhooks.map((each) => ({ ...each, rules: each.rules.map((rule) => ({ ...rule, resources: ['subnets'] })) })),
    })),
  },
  {
    id: 'no-leftover',
    change: (world) =>
      made(at(world, compute), WEBHOOK_CONFIGURATIONS, {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingWebhookConfiguration',
        metadata: { name: GUARD_NAME, labels: { [OWNER_LABEL]: world.home } },
        webhooks: [],
      }),
  },
  {
    id: 'no-abandoned-guard',
    change: (world) => statusChanged(at(world, network), GUARDS, { name: GUARD_NAME }, condition('Ready', 'False', 'Uninstalled')),
  },
  {
    id: 'rule-ready',
    change: (world) => statusChanged(at(world, compute), RULES, { name: 'vm-dependencies' }, condition('Ready', 'False', 'FieldNotFound')),
  },
  {
    id: 'shard-rights',
    change: (world) =>
      onShard(world, (client) => removed(client, CLUSTER_ROLE_BINDINGS, { name: `dep-ctrl:read-dependents:${world.home}` })),
  },
  {
    id: 'no-orphaned-rights',
    change: (world) =>
      onShard(world, (client) =>
        made(client, CLUSTER_ROLES, {
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'ClusterRole',
          metadata: { name: 'dep-ctrl:read-dependents:gone' },
        }),
      ),
  },
  {
    id: 'no-unbound-leftover',
    change: (world) =>
      made(at(world, teamA), WEBHOOK_CONFIGURATIONS, {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingWebhookConfiguration',
        metadata: { name: GUARD_NAME, labels: { [OWNER_LABEL]: world.home } },
        webhooks: [],
      }),
  },
  {
    id: 'webhook-reads-dependents',
    change: (world) =>
      onShard(world, (client) =>
        changed(client, CLUSTER_ROLES, { name: `dep-ctrl:read-dependents:${world.home}` }, ({ rules }) => ({
          rules: (rules as readonly { readonly apiGroups?: readonly string[] }[]).filter(
            ({ apiGroups }) => apiGroups?.includes(VIRTUAL_MACHINES.group) !== true,
          ),
        })),
      ),
  },
  {
    id: 'dependents-shown',
    change: (world) =>
      changed(at(world, compute), API_EXPORTS, { name: VIRTUAL_MACHINES.group }, ({ spec }) => ({
        spec: { ...(spec as object), maximalPermissionPolicy: { local: {} } },
      })),
  },
  {
    id: 'identity-known',
    change: async ({ dir }) => {
      const file = join(dir, 'controller.kubeconfig');
      const before = readFileSync(file, 'utf8');
      await writeFile(file, before.replaceAll(/token: .*/g, 'token: nobody'));
      return () => writeFile(file, before);
    },
  },
  {
    id: 'accounts-there',
    change: async (world) => {
      await removed(at(world, depCtrl), SERVICE_ACCOUNTS, { name: 'dep-ctrl-all', namespace: 'default' });
      return () => bootstrapAgain(world);
    },
  },
  {
    id: 'account-tokens',
    change: async (world) => {
      await removed(at(world, depCtrl), SECRETS, { name: 'dep-ctrl-all-token', namespace: 'default' });
      return () => bootstrapAgain(world);
    },
  },
];

const look = async (flags: readonly string[]) => {
  const { code, stdout, stderr } = await runCli(doctorCommand, [...flags, '-o', 'json']);
  if (stdout === '') throw new Error(stderr);
  return { code, ...(JSON.parse(stdout) as DoctorResult) };
};

describe('dep-ctrl doctor', () => {
  it(
    'given a whole installation, when one precondition after the other is broken, then doctor names exactly that one, and none once all are mended',
    () =>
      onInstalledWorld(async (world) => {
        const whole = await look(world.flags);
        const named: Record<string, readonly string[]> = {};

        for (const { id, change = () => Promise.resolve(nothing), flags = () => world.flags } of BREAKS) {
          const undo = await change(world);
          const { code, broken } = await look(await flags(world));
          named[id] = [`exit ${String(code)}`, ...new Set(broken.map((finding) => finding.id))];
          await undo();
        }
        const mended = await look(world.flags);

        expect([whole.broken, whole.notLookedAt, whole.code]).toEqual([[], [], 0]);
        expect(named).toEqual(Object.fromEntries(BREAKS.map(({ id }) => [id, ['exit 1', id]])));
        expect(mended.broken).toEqual([]);
      }),
    WITHIN_MS,
  );

  it(
    'given a webhook whose credentials kcp takes no more, then doctor says that it cannot tell, and given its kubeconfig, why',
    () =>
      onInstalledWorld(async (world) => {
        const file = join(world.dir, 'webhook.kubeconfig');
        const without = world.flags.filter((flag) => flag !== '--kubeconfig-dir' && flag !== world.dir);
        const findsBroken = (flags: readonly string[]) => async () => {
          const { broken } = await look(flags);
          return broken.length > 0 ? { done: broken } : { waitingFor: 'the webhook to read its kubeconfig' };
        };

        await writeFile(file, readFileSync(file, 'utf8').replaceAll(/token: .*/g, 'token: nobody'));
        const seen = await until('a broken precondition', findsBroken(without), options());
        const known = await look(world.flags);
        await writeFile(file, readFileSync(file, 'utf8').slice(0, 100));
        const damaged = await look(world.flags);

        expect(seen.map(({ id }) => id)).toEqual(['webhook-tells']);
        expect(known.broken.map(({ id, says }) => [id, says])).toEqual([['identity-known', 'holds credentials that kcp does not accept']]);
        expect(damaged.broken.map(({ id, says }) => [id, says])).toEqual([['identity-known', expect.stringMatching(/^cannot be used: /)]]);
      }),
    WITHIN_MS,
  );
});

it.each(['vms', 'a/b/c', '/vms', 'root:a/'])('given --rule %s, then it is wrong usage', async (named) => {
  const { code, stderr } = await runCli(doctorCommand, ['--rule', named]);

  expect([code, stderr]).toEqual([2, expect.stringMatching(/^error: --rule must be a workspace and the name of a rule in it/)]);
});
