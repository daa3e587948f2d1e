import { deepEqual, equal, ok } from 'node:assert/strict';
import { at, type KubeBody, type Tree } from '../https/kube-body.js';
import { viewOf } from '../stage/endpoints.js';
import { eventually } from '../stage/eventually.js';
import { NETWORK, ZONE, version, zone } from '../stage/example-types.js';
import {
  answeredClaim,
  APIS,
  APIS_V1ALPHA1,
  bind,
  claimsApplied,
  makeExport,
  paths,
  schemaOf,
  served,
  WEBHOOK_CONFIGURATIONS,
  webhookClaim,
  type Export,
  type ExportWish,
} from '../stage/exports.js';
import type { Stage, Workspace } from '../stage/stage.js';
import type { ConformanceCase } from './conformance-case.js';

const TABLE = { headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } };
const SCHEMA = { type: 'object', properties: { spec: { type: 'object', properties: { region: { type: 'string' } } } } };
const shown = (column: string): Tree =>
  version('v1', SCHEMA, { additionalPrinterColumns: [{ name: column, type: 'string', jsonPath: '.spec.region' }] });

/** A zone in a workspace whose provider has another schema at hand. */
async function beforeTheMove(kcp: Stage): Promise<{ readonly made: Export; readonly workspace: Workspace; readonly zones: string }> {
  const made = await makeExport(kcp, { types: [{ ...ZONE, versions: [shown('Old')] }] });
  const workspace = await kcp.workspace();
  await bind(kcp, workspace, made);
  const { zones } = paths(workspace);
  await served(kcp, zones);
  (await kcp.admin.post(zones, zone('a'))).expect(201);
  const next = schemaOf({ ...ZONE, versions: [shown('New')] }, NETWORK, 'v2');
  (await kcp.admin.post(`${made.workspace.at}${APIS_V1ALPHA1}/apiresourceschemas`, next)).expect(201);
  return { made, workspace, zones };
}

async function move(kcp: Stage, { workspace, name }: Export): Promise<void> {
  const resources = [{ group: NETWORK, name: 'zones', schema: `v2.zones.${NETWORK}`, storage: { crd: {} } }];
  (await kcp.admin.patch('merge', `${workspace.at}${APIS}/apiexports/${name}`, { spec: { resources } })).expect(200);
}

const schemaIn = (binding: KubeBody): unknown => at(binding, 'status', 'boundResources', 0, 'schema', 'name');

const EXPORT_LABEL = 'internal.apis.kcp.io/export';

const configuration = (name: string): Tree => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  metadata: { name },
});

/** The provider's workspace goes, and another one takes its path, with an export of the same name. */
async function madeAnew(kcp: Stage, { workspace: { path }, name }: Export, wish: Omit<ExportWish, 'name' | 'workspace'>): Promise<Export> {
  const [parent = '', child = ''] = path.split(':');
  const workspaces = `/clusters/${parent}/apis/tenancy.kcp.io/v1alpha1/workspaces`;
  (await kcp.admin.delete(`${workspaces}/${child}`)).expect(200);
  await eventually('the workspace is gone', async () => {
    (await kcp.admin.get(`${workspaces}/${child}`)).expect(404);
  });
  return makeExport(kcp, { ...wish, workspace: await kcp.workspace({ parent, name: child }), name });
}

/** C19: what happens between an export's change of schema and the new schema being served, and where the export is made anew. */
export const movedBindings: readonly ConformanceCase[] = [
  {
    id: 'C19.21',
    title: 'a binding that waits for another schema stays Bound to the old one and says what it waits for',
    slow: true,
    run: async (kcp) => {
      const { made, workspace } = await beforeTheMove(kcp);
      const bindings = `${workspace.at}${APIS}/apibindings`;
      const { metadata } = (await kcp.admin.get(bindings)).expect(200).body;
      const watch = await kcp.admin.watch(`${bindings}?watch=true&resourceVersion=${metadata.resourceVersion ?? ''}`);

      await move(kcp, made);
      const moved = await watch.waitFor(
        'the move',
        ({ object }) => object.metadata.name === made.name && schemaIn(object) === `v2.zones.${NETWORK}`,
        60_000,
      );

      const steps = watch.events.map(({ object }) => object).filter((object) => object.metadata.name === made.name);
      deepEqual([...new Set(steps.map((object) => at(object, 'status', 'phase')))], ['Bound']);
      const waiting = steps.flatMap((object) => {
        const conditions = (at(object, 'status', 'conditions') ?? []) as readonly Tree[];
        return conditions
          .filter(({ type, reason }) => type === 'BindingUpToDate' && reason === 'WaitingForEstablished')
          .map(({ message }) => [message, schemaIn(object)]);
      });
      deepEqual(waiting[0], [`Waiting for API(s) to be established: v2.zones.${NETWORK}`, `v1.zones.${NETWORK}`]);
      equal(schemaIn(moved.object), `v2.zones.${NETWORK}`);
      watch.close();
    },
  },
  {
    id: 'C19.22',
    title: 'Tables follow a binding to another schema, at once or a moment later, and do not go back',
    slow: true,
    run: async (kcp) => {
      const { made, zones } = await beforeTheMove(kcp);
      const seen: string[] = [];
      const look = async (): Promise<string> => {
        const { status, body } = await kcp.admin.get(zones, TABLE);
        // 429: kcp opens the storage of the new schema.
        if (status !== 429) seen.push(JSON.stringify(body.columnDefinitions?.[1]?.['name'] ?? status));
        return seen.at(-1) ?? '';
      };
      equal(await look(), '"Old"');

      await move(kcp, made);
      await eventually('the new columns are there', async () => {
        equal(await look(), '"New"');
      });
      for (let more = 0; more < 20; more += 1) await look();

      const first = seen.indexOf('"New"');
      ok(
        seen.every((column, index) => column === (index < first ? '"Old"' : '"New"')),
        seen.join(', '),
      );
    },
  },
  {
    id: 'C19.23',
    title: 'a binding moves to an export that is made anew at its path, and its label does not: the export sees it once that is written',
    slow: true,
    run: async (kcp) => {
      const former = await makeExport(kcp, { types: [ZONE] });
      const workspace = await kcp.workspace();
      const { metadata: before } = await bind(kcp, workspace, former);
      const itself = `${workspace.at}${APIS}/apibindings/${former.name}`;

      const now = await madeAnew(kcp, former, { types: [ZONE] });

      const moved = await eventually('the binding is bound to the new one', async () => {
        const { body } = (await kcp.admin.get(itself)).expect(200);
        equal(at(body, 'status', 'apiExportClusterName'), now.workspace.cluster);
        equal(at(body, 'status', 'boundResources', 0, 'schema', 'identityHash'), now.identity);
        return body;
      });
      equal(moved.metadata.labels?.[EXPORT_LABEL], before.labels?.[EXPORT_LABEL]);
      const seen = async (): Promise<readonly unknown[]> => {
        const view = `${viewOf(now)}/clusters/${workspace.cluster}${APIS}/apibindings`;
        return ((await kcp.shard(workspace.shard).admin.get(view)).expect(200).body.items ?? []).map(({ metadata }) => metadata.name);
      };
      await eventually('the export has a virtual workspace', async () => {
        deepEqual(await seen(), []);
      });

      (await kcp.admin.patch('merge', itself, { metadata: { labels: { note: 'one' } } })).expect(200);
      deepEqual(await seen(), []);
      (await kcp.admin.patch('merge', itself, { metadata: { labels: { [EXPORT_LABEL]: null } } })).expect(200);
      await eventually('it sees its binding', async () => {
        deepEqual(await seen(), [former.name]);
      });
    },
  },
  {
    id: 'C19.24',
    title: 'what was claimed before an export was made anew is not shown to the new one until somebody writes it',
    slow: true,
    run: async (kcp) => {
      const wish = { types: [ZONE], claims: [webhookClaim()] };
      const former = await makeExport(kcp, wish);
      const workspace = await kcp.workspace();
      await bind(kcp, workspace, former, { claims: [answeredClaim(webhookClaim())] });
      await claimsApplied(kcp, workspace, former.name, 1);
      const { webhooks } = paths(workspace);
      (await kcp.admin.post(webhooks, configuration('old'))).expect(201);

      const now = await madeAnew(kcp, former, wish);

      const view = `${viewOf(now)}/clusters/${workspace.cluster}${WEBHOOK_CONFIGURATIONS}`;
      const seen = async (): Promise<readonly unknown[]> => {
        return ((await kcp.shard(workspace.shard).admin.get(view)).expect(200).body.items ?? []).map(({ metadata }) => metadata.name);
      };
      await eventually('the export sees what is made now', async () => {
        const name = kcp.unique('new');
        (await kcp.admin.post(webhooks, configuration(name))).expect(201);
        ok((await seen()).includes(name));
      });
      ok(!(await seen()).includes('old'));
      (await kcp.shard(workspace.shard).admin.post(view, configuration('old'))).expect(409);
      (await kcp.admin.patch('merge', `${webhooks}/old`, { metadata: { labels: { note: 'one' } } })).expect(200);
      ok((await seen()).includes('old'));
    },
  },
];
