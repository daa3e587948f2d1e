import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { at, type KubeBody, type Tree } from '../https/kube-body.js';
import type { ConformanceCase } from './conformance-case.js';
import { viewOf } from '../stage/endpoints.js';
import { eventually } from '../stage/eventually.js';
import { NETWORK, VPC, ZONE, version, vpc, zone } from '../stage/example-types.js';
import {
  APIS,
  APIS_V1ALPHA1,
  WEBHOOK_CONFIGURATIONS,
  answeredClaim,
  anyConsumer,
  anyWorkspace,
  bind,
  bound,
  bindingTo,
  consumer,
  makeExport,
  network,
  paths,
  schemaOf,
  served,
  webhookClaim,
} from '../stage/exports.js';
import { ACCESS, grant, user } from '../stage/identities.js';
import type { Workspace } from '../stage/stage.js';

function condition(body: KubeBody, type: string): Tree | undefined {
  const conditions = at(body, 'status', 'conditions');
  return Array.isArray(conditions) ? (conditions as Tree[]).find((one) => one['type'] === type) : undefined;
}

/** C: exports, schemas and bindings. */
export const bindings: readonly ConformanceCase[] = [
  {
    id: 'C19.1',
    title: 'a binding to an export that one may not bind and to one that does not exist are refused in the same words',
    run: async (kcp) => {
      const [made, own] = [await network(kcp), await anyWorkspace(kcp)];
      const name = kcp.unique('someone');
      await grant(kcp.admin, own.at, name, [{ apiGroups: ['apis.kcp.io'], resources: ['*'], verbs: ['*'] }, ACCESS], [user(name)]);
      const someone = await kcp.front.user({ name });
      const nowhere = { ...made, name: 'none' };

      for (const target of [made, nowhere]) {
        await eventually('it is refused for want of bind', async () => {
          const { status, body } = await someone.post(`${own.at}${APIS}/apibindings`, bindingTo(target));
          equal(status, 403);
          match(body.message ?? '', new RegExp(`no permission to bind to export ${target.workspace.path}:${target.name}$`));
        });
      }
    },
  },
  {
    id: 'C19.2',
    title: 'the verb bind on the export, given in its workspace, is what it takes; who has it need not be let in there',
    run: async (kcp) => {
      const [made, own] = [await network(kcp), await kcp.workspace()];
      const name = kcp.unique('someone');
      await grant(kcp.admin, own.at, 'bindings', [{ apiGroups: ['apis.kcp.io'], resources: ['*'], verbs: ['*'] }, ACCESS], [user(name)]);
      const bindRule = { apiGroups: ['apis.kcp.io'], resources: ['apiexports'], resourceNames: [made.name], verbs: ['bind'] };
      await grant(kcp.admin, made.workspace.at, name, [bindRule], [user(name)]);
      const someone = await kcp.front.user({ name });

      await eventually('it is admitted', async () => {
        (await someone.post(`${own.at}${APIS}/apibindings`, bindingTo(made))).expect(201);
      });
    },
  },
  {
    id: 'C19.3',
    title: 'a binding becomes Bound and says what is bound: schema with uid, identity and stored versions, and whose export it is',
    run: async (kcp) => {
      const made = await network(kcp);
      const workspace = await anyConsumer(kcp);

      const body = await bound(kcp, workspace, made.name);

      equal(at(body, 'status', 'apiExportClusterName'), made.workspace.cluster);
      const resources = at(body, 'status', 'boundResources') as readonly Tree[];
      deepEqual(resources.map(({ group, resource, storageVersions }) => [group, resource, storageVersions]).sort(), [
        [NETWORK, 'vms', ['v1']],
        [NETWORK, 'vpcs', ['v1']],
        [NETWORK, 'zones', ['v1']],
      ]);
      const vpcs = resources.find(({ resource }) => resource === 'vpcs');
      const schema = (await kcp.admin.get(`${made.workspace.at}${APIS_V1ALPHA1}/apiresourceschemas/v1.vpcs.${NETWORK}`)).expect(200).body;
      deepEqual(vpcs?.['schema'], { name: schema.metadata.name, UID: schema.metadata.uid, identityHash: made.identity });
      match(made.identity, /^[0-9a-f]{64}$/);
    },
  },
  {
    id: 'C19.4',
    title: 'a Bound binding is Ready, carries the export label, the finalizer and both kcp annotations',
    run: async (kcp) => {
      const made = await network(kcp);
      const workspace = await anyConsumer(kcp);

      const body = await bound(kcp, workspace, made.name);

      for (const type of ['Ready', 'APIExportValid', 'InitialBindingCompleted', 'BindingUpToDate']) {
        equal(condition(body, type)?.['status'], 'True', type);
      }
      match(body.metadata.labels?.['internal.apis.kcp.io/export'] ?? '', /^[0-9a-zA-Z]+$/);
      deepEqual(body.metadata.finalizers, ['apis.kcp.io/apibinding-finalizer']);
      equal(body.metadata.annotations?.['kcp.io/cluster'], workspace.cluster);
      equal(body.metadata.annotations['kcp.io/path'], workspace.path);
    },
  },
  {
    id: 'C19.5',
    title: 'nobody but system:masters writes the status of bindings and exports',
    run: async (kcp) => {
      const made = await network(kcp);
      const workspace = await anyConsumer(kcp);
      const binding = `${workspace.at}${APIS}/apibindings/${made.name}/status`;

      equal((await kcp.admin.patch('merge', binding, { status: { phase: 'Binding' } })).status, 403);
      equal((await kcp.admin.patch('merge', `${made.workspace.at}${APIS}/apiexports/${made.name}/status`, { status: {} })).status, 403);
    },
  },
  {
    id: 'C19.6',
    title: 'a binding is served in v1alpha1 and v1alpha2; claims read all: true there and verbs ["*"] here',
    run: async (kcp) => {
      const made = await makeExport(kcp, { types: [], claims: [webhookClaim()] });
      const workspace = await kcp.workspace();
      await bind(kcp, workspace, made, { claims: [answeredClaim(webhookClaim())] });

      const old = (await kcp.admin.get(`${workspace.at}${APIS_V1ALPHA1}/apibindings/${made.name}`)).expect(200).body;
      const now = (await kcp.admin.get(`${workspace.at}${APIS}/apibindings/${made.name}`)).expect(200).body;

      equal(old.apiVersion, 'apis.kcp.io/v1alpha1');
      equal(old.metadata.uid, now.metadata.uid);
      const claim = at(old, 'spec', 'permissionClaims', 0);
      deepEqual([at(claim, 'all'), at(claim, 'state'), at(claim, 'resource')], [true, 'Accepted', 'validatingwebhookconfigurations']);
      deepEqual(at(now, 'spec', 'permissionClaims', 0, 'verbs'), ['*']);
    },
  },
  {
    id: 'C19.7',
    title: 'the reference of a binding never changes; state and verbs of its claims may',
    run: async (kcp) => {
      const made = await makeExport(kcp, { types: [], claims: [webhookClaim()] });
      const other = await makeExport(kcp, { types: [], name: 'other.example.com', workspace: made.workspace });
      const workspace = await kcp.workspace();
      await bind(kcp, workspace, made, { claims: [answeredClaim(webhookClaim())] });
      const binding = `${workspace.at}${APIS}/apibindings/${made.name}`;

      const moved = await eventually('the other export may be bound', async () => {
        const answer = await kcp.admin.patch('merge', binding, { spec: { reference: { export: { name: other.name } } } });
        equal(answer.status, 422);
        return answer;
      });
      const state = await kcp.admin.patch('merge', binding, {
        spec: { permissionClaims: [answeredClaim(webhookClaim(), { state: 'Rejected' })] },
      });
      const verbs = await kcp.admin.patch('merge', binding, { spec: { permissionClaims: [answeredClaim(webhookClaim(['get']))] } });

      match(moved.body.message ?? '', /APIExport reference must not be changed/);
      equal(state.status, 200);
      equal(verbs.status, 200);
    },
  },
  {
    id: 'C19.8',
    title: 'the selector of an accepted claim can be changed',
    since: '0.32',
    run: async (kcp) => {
      const made = await makeExport(kcp, { types: [], claims: [webhookClaim()] });
      const workspace = await kcp.workspace();
      await bind(kcp, workspace, made, { claims: [answeredClaim(webhookClaim())] });
      const narrowed = answeredClaim(webhookClaim(), { selector: { matchLabels: { a: 'b' } } });

      const { status } = await kcp.admin.patch('merge', `${workspace.at}${APIS}/apibindings/${made.name}`, {
        spec: { permissionClaims: [narrowed] },
      });

      equal(status, 200);
    },
  },
  {
    id: 'C19.9',
    title: 'a claim that the export does not make is admitted, named as invalid and without effect; Ready stays True',
    run: async (kcp) => {
      const made = await makeExport(kcp, { types: [] });
      const workspace = await kcp.workspace();
      await bind(kcp, workspace, made, { claims: [answeredClaim(webhookClaim())] });

      await eventually('the claim is named as invalid', async () => {
        const { body } = (await kcp.admin.get(`${workspace.at}${APIS}/apibindings/${made.name}`)).expect(200);
        const found = condition(body, 'PermissionClaimsValid');
        deepEqual([found?.['status'], found?.['reason']], ['False', 'InvalidPermissionClaims']);
        equal(condition(body, 'Ready')?.['status'], 'True');
      });
      const view = `${viewOf(made)}/clusters/${workspace.cluster}${WEBHOOK_CONFIGURATIONS}`;
      equal((await kcp.shard(workspace.shard).admin.get(view)).status, 403);
    },
  },
  {
    id: 'C19.10',
    title: 'a claim without verbs, state or resource is 422, without selector 403',
    run: async (kcp) => {
      const made = await makeExport(kcp, { types: [], claims: [webhookClaim()] });
      const workspace = await kcp.workspace();
      const whole = answeredClaim(webhookClaim());

      for (const [missing, status] of Object.entries({ verbs: 422, state: 422, resource: 422, selector: 403 })) {
        const claim = Object.fromEntries(Object.entries(whole).filter(([key]) => key !== missing));
        await eventually(`without ${missing}`, async () => {
          const answer = await kcp.admin.post(`${workspace.at}${APIS}/apibindings`, bindingTo(made, { claims: [claim] }));
          equal(answer.status, status);
          match(answer.body.message ?? '', new RegExp(`spec\\.permissionClaims\\[0\\]\\.${missing}: `));
        });
      }
    },
  },
  {
    id: 'C19.11',
    title: 'what one binding serves a second one cannot: NamingConflicts',
    run: async (kcp) => {
      const [one, two] = [await network(kcp), await makeExport(kcp, { types: [ZONE] })];
      const workspace = await consumer(kcp);

      await eventually('the second is admitted', async () => {
        (await kcp.admin.post(`${workspace.at}${APIS}/apibindings`, bindingTo(two, { name: 'second' }))).expect(201);
      });

      await eventually('it says why it does not bind', async () => {
        const { body } = (await kcp.admin.get(`${workspace.at}${APIS}/apibindings/second`)).expect(200);
        equal(at(body, 'status', 'phase'), 'Binding');
        const reasons = ['InitialBindingCompleted', 'BindingUpToDate'].map((type) => condition(body, type)?.['reason']);
        ok(reasons.includes('NamingConflicts'), JSON.stringify(at(body, 'status', 'conditions')));
      });
      equal(one.name, NETWORK);
    },
  },
  {
    id: 'C19.12',
    title: 'types of the same name but other exports live side by side in different workspaces',
    slow: true,
    run: async (kcp) => {
      const [one, two] = [await network(kcp), await makeExport(kcp, { types: [ZONE] })];
      const [first, second] = [await consumer(kcp), await kcp.workspace()];
      await bind(kcp, second, two);
      await served(kcp, paths(second).zones);
      for (const workspace of [first, second]) (await kcp.admin.post(paths(workspace).zones, zone('a'))).expect(201);

      const wildcard = (on: Workspace, identity: string): ReturnType<typeof kcp.admin.get> =>
        kcp.shard(on.shard).masters.get(`/clusters/*/apis/${NETWORK}/v1/zones:${identity}`);
      const clusters = (body: KubeBody): readonly unknown[] =>
        (body.items ?? []).map(({ metadata }) => metadata.annotations?.['kcp.io/cluster']);

      await eventually('the wildcard with an identity holds that export only', async () => {
        deepEqual(clusters((await wildcard(second, two.identity)).expect(200).body), [second.cluster]);
      });
      ok(!clusters((await wildcard(first, one.identity)).expect(200).body).includes(second.cluster));
    },
  },
  {
    id: 'C19.13',
    title: 'the exporting workspace itself does not serve its types unless it binds them',
    run: async (kcp) => {
      const { workspace } = await network(kcp);

      const answer = await kcp.admin.get(paths(workspace).vpcs);

      equal(answer.status, 404);
      equal(answer.text, '404 page not found\n');
    },
  },
  {
    id: 'C19.14',
    title: 'an export that is deleted leaves its bindings Bound and their types served',
    slow: true,
    run: async (kcp) => {
      const made = await makeExport(kcp, { types: [ZONE] });
      const workspace = await kcp.workspace();
      await bind(kcp, workspace, made);
      await served(kcp, paths(workspace).zones);
      (await kcp.admin.post(paths(workspace).zones, zone('a'))).expect(201);

      (await kcp.admin.delete(`${made.workspace.at}${APIS}/apiexports/${made.name}`)).expect(200);

      await eventually('the binding knows', async () => {
        const { body } = (await kcp.admin.get(`${workspace.at}${APIS}/apibindings/${made.name}`)).expect(200);
        const found = condition(body, 'APIExportValid');
        deepEqual([found?.['status'], found?.['reason']], ['False', 'APIExportNotFound']);
        equal(at(body, 'status', 'phase'), 'Bound');
      });
      (await kcp.admin.get(`${paths(workspace).zones}/a`)).expect(200);
    },
  },
  {
    id: 'C19.15',
    title: 'an export that gets another schema takes its bindings along',
    slow: true,
    run: async (kcp) => {
      const made = await makeExport(kcp, { types: [ZONE] });
      const workspace = await kcp.workspace();
      await bind(kcp, workspace, made);
      await served(kcp, paths(workspace).zones);
      const wider = {
        type: 'object',
        properties: { spec: { type: 'object', properties: { region: { type: 'string' }, added: { type: 'string' } } } },
      };
      (
        await kcp.admin.post(
          `${made.workspace.at}${APIS_V1ALPHA1}/apiresourceschemas`,
          schemaOf({ ...ZONE, versions: [version('v1', wider)] }, NETWORK, 'v2'),
        )
      ).expect(201);

      const resources = [{ group: NETWORK, name: 'zones', schema: `v2.zones.${NETWORK}`, storage: { crd: {} } }];
      (await kcp.admin.patch('merge', `${made.workspace.at}${APIS}/apiexports/${made.name}`, { spec: { resources } })).expect(200);

      await eventually('the new field is kept', async () => {
        const object = { ...zone(kcp.unique('z')), spec: { added: 'yes' } };
        const { body } = (await kcp.admin.post(paths(workspace).zones, object)).expect(201);
        deepEqual(body.spec, { added: 'yes' });
      });
      const { body } = (await kcp.admin.get(`${workspace.at}${APIS}/apibindings/${made.name}`)).expect(200);
      equal(at(body, 'status', 'boundResources', 0, 'schema', 'name'), `v2.zones.${NETWORK}`);
    },
  },
  {
    id: 'C19.16',
    title: 'a schema never changes',
    run: async (kcp) => {
      const { workspace } = await network(kcp);
      const schema = `${workspace.at}${APIS_V1ALPHA1}/apiresourceschemas/v1.vpcs.${NETWORK}`;

      const { status, body } = await kcp.admin.patch('merge', schema, { spec: { names: { shortNames: ['x'] } } });

      equal(status, 403);
      match(body.message ?? '', /spec: Invalid value: .*is immutable/s);
    },
  },
  {
    id: 'C19.17',
    title: 'a schema must be named after its type, and several versions need a conversion strategy',
    run: async (kcp) => {
      const workspace = await anyWorkspace(kcp);
      const schemas = `${workspace.at}${APIS_V1ALPHA1}/apiresourceschemas`;
      const named = { ...schemaOf(VPC, NETWORK), metadata: { name: 'v1.other.example.com' } };
      const versions = [version('v1', { type: 'object' }), version('v2', { type: 'object' }, { storage: false })];
      const plain = schemaOf({ ...VPC, versions: [version('v1', { type: 'object' })] }, NETWORK);
      const unconverted = { ...plain, spec: { ...(plain['spec'] as Tree), versions } };

      const misnamed = await kcp.admin.post(schemas, named);
      const ambiguous = await kcp.admin.post(schemas, unconverted);

      ok(misnamed.status >= 400 && misnamed.status < 500, misnamed.text);
      equal(ambiguous.status, 422);
    },
  },
  {
    id: 'C19.18',
    title: 'a claim on a type that is not built in needs an identity hash',
    run: async (kcp) => {
      const workspace = await anyWorkspace(kcp);
      const claim = { group: 'other.example.com', resource: 'things', verbs: ['get'] };
      const object = {
        apiVersion: 'apis.kcp.io/v1alpha2',
        kind: 'APIExport',
        metadata: { name: 'e.example.com' },
        spec: { resources: [], permissionClaims: [claim] },
      };

      const { status, body } = await kcp.admin.post(`${workspace.at}${APIS}/apiexports`, object);

      equal(status, 403);
      match(body.message ?? '', /identityHash is required for API types that are not built-in/);
    },
  },
  {
    id: 'C19.19',
    title: 'an identity is a secret in kcp-system, and two exports never share one',
    run: async (kcp) => {
      const [one, two] = [await makeExport(kcp, { types: [] }), await network(kcp)];

      (await kcp.admin.get(`${one.workspace.at}/api/v1/namespaces/kcp-system/secrets/${one.name}`)).expect(200);

      ok(one.identity !== two.identity);
    },
  },
  {
    id: 'C19.20',
    title: 'the types of an export that was unbound and bound again are served again with nothing in them',
    slow: true,
    run: async (kcp) => {
      const made = await network(kcp);
      const workspace = await consumer(kcp);
      const { vpcs } = paths(workspace);
      (await kcp.admin.post(vpcs, vpc('a'))).expect(201);

      (await kcp.admin.delete(`${workspace.at}${APIS}/apibindings/${made.name}`)).expect(200);
      await eventually('the binding is gone', async () => {
        equal((await kcp.admin.get(`${workspace.at}${APIS}/apibindings/${made.name}`)).status, 404);
      });
      await eventually('the type is gone', async () => {
        const answer = await kcp.admin.get(vpcs);
        deepEqual([answer.status, answer.text], [404, '404 page not found\n']);
      });
      await bind(kcp, workspace, made);

      deepEqual((await served(kcp, vpcs)).body.items, []);
    },
  },
  {
    id: 'C19.25',
    title: 'a binding to an export of root that is not there waits for it, one to another path is refused',
    run: async (kcp) => {
      const workspace = await anyWorkspace(kcp);
      const bindTo = async (path: string, name: string): Promise<number> =>
        (await kcp.admin.post(`${workspace.at}${APIS}/apibindings`, bindingTo({ workspace: { ...workspace, path }, name, identity: '' })))
          .status;
      const name = kcp.unique('nowhere');

      equal(await bindTo('root', name), 201);
      equal(await bindTo(workspace.path, kcp.unique('nowhere')), 403);

      await eventually('it says what is missing', async () => {
        const { body } = (await kcp.admin.get(`${workspace.at}${APIS}/apibindings/${name}`)).expect(200);
        equal(condition(body, 'APIExportValid')?.['reason'], 'APIExportNotFound');
      });
    },
  },
];
