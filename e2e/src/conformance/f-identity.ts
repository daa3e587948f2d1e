import { equal, match, ok } from 'node:assert/strict';
import type { Tree } from '../https/kube-body.js';
import type { ConformanceCase } from './conformance-case.js';
import { eventually } from '../stage/eventually.js';
import { NETWORK } from '../stage/example-types.js';
import { anyWorkspace, consumer } from '../stage/exports.js';
import { ACCESS, group, grant, revoke, serviceAccount, user } from '../stage/identities.js';

const READ_ALL = { apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list'] };
const WORKSPACES = '/clusters/root/apis/tenancy.kcp.io/v1alpha1/workspaces';

/** F: identities, and the rights that they give. */
export const identity: readonly ConformanceCase[] = [
  {
    id: 'F28.1',
    title: 'a ServiceAccount of another workspace is known by its global name only',
    since: '0.31',
    run: async (kcp) => {
      const [home, target] = [await anyWorkspace(kcp), await kcp.workspace({ shard: 0 })];
      const x = kcp.unique('x');
      const { token, globalName } = await serviceAccount(kcp, home, x);
      const account = kcp.shard().with({ token });
      const configMaps = `${target.at}/api/v1/configmaps`;
      await grant(
        kcp.admin,
        target.at,
        'local',
        [READ_ALL, ACCESS],
        [
          { kind: 'ServiceAccount', namespace: 'default', name: x },
          group('system:serviceaccounts'),
          group('system:serviceaccounts:default'),
        ],
      );
      await eventually('it is at home', async () => void (await account.get(`${home.at}/api/v1/namespaces/default`)).expect(403));

      equal((await account.get(configMaps)).status, 403);
      await grant(kcp.admin, target.at, 'global', [READ_ALL, ACCESS], [user(globalName)]);

      await eventually('its global name is let in', async () => void (await account.get(configMaps)).expect(200));
    },
  },
  {
    id: 'F28.2',
    title: 'a ServiceAccount acts in its own workspace when it names none',
    run: async (kcp) => {
      const home = await anyWorkspace(kcp);
      const x = kcp.unique('x');
      const { token } = await serviceAccount(kcp, home, x);
      await grant(kcp.admin, home.at, x, [READ_ALL], [{ kind: 'ServiceAccount', namespace: 'default', name: x }]);
      const account = kcp.front.with({ token });

      const { body } = await eventually('it reads', async () => (await account.get('/api/v1/namespaces/default')).expect(200));

      equal(body.metadata.annotations?.['kcp.io/cluster'], home.cluster);
    },
  },
  {
    id: 'F28.3',
    title: 'a ServiceAccount needs no access rule in its own workspace, a user does',
    run: async (kcp) => {
      const home = await anyWorkspace(kcp);
      const x = kcp.unique('x');
      const { token } = await serviceAccount(kcp, home, x);
      const name = kcp.unique('user');
      await grant(kcp.admin, home.at, x, [READ_ALL], [{ kind: 'ServiceAccount', namespace: 'default', name: x }, user(name)]);

      await eventually(
        'the account reads',
        async () => void (await kcp.front.with({ token }).get(`${home.at}/api/v1/configmaps`)).expect(200),
      );
      const somebody = await kcp.front.user({ name });
      equal((await somebody.get(`${home.at}/api/v1/configmaps`)).status, 403);
      await grant(kcp.admin, home.at, name, [ACCESS], [user(name)]);
      await eventually('the user reads', async () => void (await somebody.get(`${home.at}/api/v1/configmaps`)).expect(200));
    },
  },
  {
    id: 'F28.6',
    title:
      'in its own workspace a ServiceAccount keeps its groups before a maximal permission policy: it lists WorkspaceTypes; elsewhere it does not',
    since: '0.31',
    run: async (kcp) => {
      const [home, other] = [await kcp.workspace({ shard: 0 }), await kcp.workspace({ shard: 0 })];
      const x = kcp.unique('x');
      const { token, globalName } = await serviceAccount(kcp, home, x);
      const lists = { apiGroups: ['tenancy.kcp.io'], resources: ['workspacetypes'], verbs: ['list'] };
      await grant(kcp.admin, home.at, x, [lists], [{ kind: 'ServiceAccount', namespace: 'default', name: x }]);
      await grant(kcp.admin, other.at, x, [lists, READ_ALL, ACCESS], [user(globalName)]);
      const account = kcp.front.with({ token });
      const types = '/apis/tenancy.kcp.io/v1alpha1/workspacetypes';

      await eventually('it lists them at home', async () => void (await account.get(home.at + types)).expect(200));
      await eventually('it is let in elsewhere', async () => void (await account.get(`${other.at}/api/v1/configmaps`)).expect(200));
      equal((await account.get(other.at + types)).status, 403);
    },
  },
  {
    id: 'F28.4',
    title: 'a token of a ServiceAccount that was deleted is 401',
    run: async (kcp) => {
      const home = await anyWorkspace(kcp);
      const x = kcp.unique('x');
      const { token } = await serviceAccount(kcp, home, x);
      const account = kcp.shard().with({ token });
      await eventually('the token is known', async () => equal((await account.get(`${home.at}/api/v1/configmaps`)).status, 403));

      (await kcp.admin.delete(`${home.at}/api/v1/namespaces/default/serviceaccounts/${x}`)).expect(200);

      await eventually('the token is refused', async () => equal((await account.get(`${home.at}/api/v1/configmaps`)).status, 401));
    },
  },
  {
    id: 'F28.5',
    title: 'a secret of type service-account-token is filled with a token that works',
    run: async (kcp) => {
      const home = await anyWorkspace(kcp);
      const x = kcp.unique('x');
      const secrets = `${home.at}/api/v1/namespaces/default/secrets`;
      (await kcp.admin.post(`${home.at}/api/v1/namespaces/default/serviceaccounts`, { metadata: { name: x } })).expect(201);
      await grant(kcp.admin, home.at, x, [READ_ALL], [{ kind: 'ServiceAccount', namespace: 'default', name: x }]);
      const secret = {
        metadata: { name: x, annotations: { 'kubernetes.io/service-account.name': x } },
        type: 'kubernetes.io/service-account-token',
      };
      (await kcp.admin.post(secrets, secret)).expect(201);

      const token = await eventually('it is filled', async () => {
        const filled = (await kcp.admin.get(`${secrets}/${x}`)).expect(200).body.data?.['token'];
        ok(filled);
        return Buffer.from(filled, 'base64').toString('utf8');
      });

      await eventually('it works', async () => void (await kcp.front.with({ token }).get(`${home.at}/api/v1/configmaps`)).expect(200));
    },
  },
  {
    id: 'F29.1',
    title: 'rights in system:admin of a shard count in all its workspaces, together with access, and on no other shard',
    run: async (kcp) => {
      const name = kcp.unique('reader');
      const workspace = await consumer(kcp, { shard: 0 });
      const list = `${workspace.at}/apis/${NETWORK}/v1/vpcs`;
      const reader = await kcp.shard().user({ name });
      const { masters } = kcp.shard();

      await grant(masters, '/clusters/system:admin', `${name}-read`, [READ_ALL], [user(name)]);
      equal((await reader.get(list)).status, 403);
      await grant(masters, '/clusters/system:admin', `${name}-access`, [ACCESS], [user(name)]);

      await eventually('it reads everywhere on the shard', async () => void (await reader.get(list)).expect(200));
      const later = await kcp.workspace({ shard: 0 });
      await eventually('in later workspaces too', async () => void (await reader.get(`${later.at}/api/v1/configmaps`)).expect(200));
      await revoke(masters, '/clusters/system:admin', `${name}-access`);
      await eventually('it is taken back', async () => equal((await reader.get(list)).status, 403));
    },
  },
  {
    id: 'F29.2',
    title: 'rights in system:admin of one shard are worth nothing on the other until they are given there',
    needs: ['two-shards'],
    run: async (kcp) => {
      const name = kcp.unique('reader');
      const [near, far] = [await anyWorkspace(kcp), await kcp.workspace({ shard: 1 })];
      const reader = await kcp.proxy.user({ name });
      await grant(kcp.shard(0).masters, '/clusters/system:admin', name, [READ_ALL, ACCESS], [user(name)]);

      await eventually('it reads on its shard', async () => void (await reader.get(`${near.at}/api/v1/configmaps`)).expect(200));
      equal((await reader.get(`${far.at}/api/v1/configmaps`)).status, 403);
      await grant(kcp.shard(1).masters, '/clusters/system:admin', name, [READ_ALL, ACCESS], [user(name)]);

      await eventually('it reads there too', async () => void (await reader.get(`${far.at}/api/v1/configmaps`)).expect(200));
    },
  },
  {
    id: 'F30.1',
    title: 'any user reads the workspaces of root and makes none there',
    run: async (kcp) => {
      const workspace = await anyWorkspace(kcp);
      const name = workspace.path.split(':')[1] ?? '';
      const object = { apiVersion: 'tenancy.kcp.io/v1alpha1', kind: 'Workspace', metadata: { name: kcp.unique('w') } };

      equal((await kcp.front.alice.get(WORKSPACES)).status, 200);
      equal((await kcp.front.alice.get(`${WORKSPACES}/${name}`)).status, 200);
      equal((await kcp.front.alice.post(WORKSPACES, object)).status, 403);
    },
  },
  {
    id: 'F31.1',
    title: 'an invalid token is 401, nobody at all is 403, at a shard',
    run: async (kcp) => {
      const path = '/clusters/root/api/v1/namespaces';

      const invalid = await kcp.shard().with({ token: 'nope' }).get(path);
      const nobody = await kcp.shard().anonymous.get(path);

      equal(invalid.status, 401);
      equal(invalid.body.reason, 'Unauthorized');
      equal(invalid.body.message, 'Unauthorized');
      equal(nobody.status, 403);
      match(nobody.body.message ?? '', /User "system:anonymous" cannot list resource "namespaces"/);
    },
  },
  {
    id: 'F31.2',
    title: 'an expired client certificate is 401',
    run: async (kcp) => {
      const expired = await kcp.backend.clientCertificate({ name: 'kcp-admin', groups: ['system:kcp:admin'] }, { expired: true });

      const { status } = await kcp.shard().with(expired).get('/clusters/root/api/v1/namespaces');

      equal(status, 401);
    },
  },
  {
    id: 'F31.3',
    title: 'a static token is the user it stands for',
    run: async (kcp) => {
      const alice = kcp.shard().with({ token: kcp.backend.token('alice') });

      const { status, body } = await alice.get('/clusters/root/api/v1/configmaps');

      equal(status, 403);
      match(body.message ?? '', /User "alice" cannot list resource "configmaps"/);
    },
  },
  {
    id: 'F31.4',
    title: 'the front-proxy drops system:masters from whoever comes with it',
    needs: ['front-proxy'],
    run: async (kcp) => {
      const workspace = await anyWorkspace(kcp);

      equal((await kcp.proxy.masters.get(`${workspace.at}/api/v1/namespaces`)).status, 403);
    },
  },
  {
    id: 'F31.5',
    title: 'headers of a front-proxy are believed from a front-proxy only',
    run: async (kcp) => {
      const headers = { 'x-remote-user': 'kcp-admin', 'x-remote-group': 'system:masters' };

      const { status } = await kcp.front.alice.get('/clusters/root/api/v1/secrets', { headers });

      equal(status, 403);
    },
  },
  {
    id: 'F32.1',
    title: 'a SelfSubjectAccessReview says what its user may do in that workspace',
    run: async (kcp) => {
      const workspace = await anyWorkspace(kcp);
      const reviews = `${workspace.at}/apis/authorization.k8s.io/v1/selfsubjectaccessreviews`;
      const ask = {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectAccessReview',
        spec: { resourceAttributes: { verb: 'list', resource: 'configmaps' } },
      };

      const { body } = (await kcp.admin.post(reviews, ask)).expect(201);

      equal((body.status as { allowed?: boolean }).allowed, true);
    },
  },
  {
    id: 'F32.2',
    title: 'a SubjectAccessReview of somebody without rights says no',
    run: async (kcp) => {
      const workspace = await anyWorkspace(kcp);
      const reviews = `${workspace.at}/apis/authorization.k8s.io/v1/subjectaccessreviews`;
      const ask = {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SubjectAccessReview',
        spec: { user: 'alice', groups: ['system:authenticated'], resourceAttributes: { verb: 'list', resource: 'configmaps' } },
      };

      const { body } = (await kcp.admin.post(reviews, ask)).expect(201);

      equal((body.status as { allowed?: boolean }).allowed, false);
    },
  },
  {
    id: 'F32.3',
    title: 'a group of a certificate counts as a group',
    run: async (kcp) => {
      const workspace = await anyWorkspace(kcp);
      const name = kcp.unique('team');
      await grant(kcp.admin, workspace.at, name, [READ_ALL, ACCESS], [group(name)]);
      const member = await kcp.front.user({ name: kcp.unique('member'), groups: [name] });

      await eventually('a member reads', async () => void (await member.get(`${workspace.at}/api/v1/configmaps`)).expect(200));
      equal((await member.post(`${workspace.at}/api/v1/namespaces/default/configmaps`, { metadata: { name: 'a' } })).status, 403);
    },
  },
  {
    id: 'F32.4',
    title: 'a Role gives rights in its namespace only, and resourceNames single objects',
    run: async (kcp) => {
      const workspace = await anyWorkspace(kcp);
      const name = kcp.unique('user');
      const rbac = `${workspace.at}/apis/rbac.authorization.k8s.io/v1/namespaces/default`;
      await grant(kcp.admin, workspace.at, name, [ACCESS], [user(name)]);
      const rules = [{ apiGroups: [''], resources: ['configmaps'], resourceNames: ['a'], verbs: ['get'] }];
      (await kcp.admin.post(`${rbac}/roles`, { metadata: { name }, rules })).expect(201);
      const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name };
      (await kcp.admin.post(`${rbac}/rolebindings`, { metadata: { name }, roleRef, subjects: [user(name)] })).expect(201);
      const somebody = await kcp.front.user({ name });
      const configMaps = (namespace: string): string => `${workspace.at}/api/v1/namespaces/${namespace}/configmaps`;

      await eventually('the named object is reached', async () => equal((await somebody.get(`${configMaps('default')}/a`)).status, 404));
      equal((await somebody.get(`${configMaps('default')}/b`)).status, 403);
      equal((await somebody.get(configMaps('default'))).status, 403);
      equal((await somebody.get(`${configMaps('kube-system')}/a`)).status, 403);
    },
  },
  {
    id: 'F32.5',
    title: 'nobody gives rights that he does not have: escalation is 403',
    run: async (kcp) => {
      const workspace = await anyWorkspace(kcp);
      const name = kcp.unique('user');
      const roles = { apiGroups: ['rbac.authorization.k8s.io'], resources: ['clusterroles'], verbs: ['create'] };
      await grant(kcp.admin, workspace.at, name, [roles, ACCESS], [user(name)]);
      const somebody = await kcp.front.user({ name });
      const clusterRoles = `${workspace.at}/apis/rbac.authorization.k8s.io/v1/clusterroles`;

      await eventually('he makes what he has', async () => {
        (await somebody.post(clusterRoles, { metadata: { name: kcp.unique('own') }, rules: [roles] })).expect(201);
      });
      const refused = await somebody.post(clusterRoles, { metadata: { name: kcp.unique('more') }, rules: [READ_ALL] });

      equal(refused.status, 403);
      match(refused.body.message ?? '', /is attempting to grant RBAC permissions not currently held/);
    },
  },
  {
    id: 'F33.1',
    title: 'the issuer of tokens says who it is and which key verifies them',
    run: async (kcp) => {
      const home = await anyWorkspace(kcp);
      const { token } = await serviceAccount(kcp, home, kcp.unique('x'));
      const [header, claims] = token.split('.').map((part) => Buffer.from(part, 'base64url').toString());
      const anything = { headers: { accept: '*/*' } };

      const configuration = JSON.parse((await kcp.admin.get(`${home.at}/.well-known/openid-configuration`)).expect(200).text) as Tree;
      const keys = (await kcp.admin.get(`${home.at}/openid/v1/jwks`, anything)).expect(200);

      equal(configuration['issuer'], (JSON.parse(claims ?? '') as Tree)['iss']);
      match(String(configuration['jwks_uri']), /^https:\/\/.*\/openid\/v1\/jwks$/);
      equal(keys.header('content-type'), 'application/jwk-set+json');
      const known = (JSON.parse(keys.text) as { readonly keys: readonly Tree[] }).keys;
      ok(known.some(({ kid }) => kid === (JSON.parse(header ?? '') as Tree)['kid']));
      (await kcp.admin.get(`${home.at}/openid/v1/jwks`, { headers: { accept: 'application/json' } })).expect(406);
      (await kcp.admin.post(`${home.at}/openid/v1/jwks`, {})).expect(405);
    },
  },
];
