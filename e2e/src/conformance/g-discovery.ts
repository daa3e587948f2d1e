import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { at } from '../https/kube-body.js';
import type { ConformanceCase } from './conformance-case.js';
import { ALL_VERBS, NETWORK } from '../stage/example-types.js';
import { corner } from '../stage/exports.js';

/** G: what a workspace says that it serves: discovery, OpenAPI, version. */
export const discovery: readonly ConformanceCase[] = [
  {
    id: 'G14.1',
    title: 'discovery of a bound group lists its types with verbs, short names and status, and unknown groups are empty',
    run: async (kcp) => {
      const { workspace } = await corner(kcp);

      const { body } = (await kcp.admin.get(`${workspace.at}/apis/${NETWORK}/v1`)).expect(200);
      const unknown = (await kcp.admin.get(`${workspace.at}/apis/nope.example.com/v1`)).expect(200).body;

      equal(body.kind, 'APIResourceList');
      equal(at(body, 'groupVersion'), `${NETWORK}/v1`);
      const found = body.resources?.find(({ name }) => name === 'vpcs');
      deepEqual([found?.['kind'], found?.['namespaced'], found?.['singularName'], found?.['shortNames']], ['VPC', true, 'vpc', ['net']]);
      deepEqual([...(found?.['verbs'] as string[])].sort(), ALL_VERBS);
      ok(body.resources?.some(({ name }) => name === 'vpcs/status'));
      deepEqual(unknown.resources, []);
    },
  },
  {
    id: 'G14.2',
    title: 'the group list of a workspace holds the bound group with its preferred version',
    run: async (kcp) => {
      const { workspace } = await corner(kcp);

      const { body } = (await kcp.admin.get(`${workspace.at}/apis`)).expect(200);

      equal(body.kind, 'APIGroupList');
      const found = body.groups?.find(({ name }) => name === NETWORK);
      equal(at(found, 'preferredVersion', 'groupVersion'), `${NETWORK}/v1`);
      for (const expected of [
        'apis.kcp.io',
        'core.kcp.io',
        'tenancy.kcp.io',
        'admissionregistration.k8s.io',
        'rbac.authorization.k8s.io',
        'coordination.k8s.io',
      ]) {
        ok(
          body.groups?.some(({ name }) => name === expected),
          expected,
        );
      }
    },
  },
  {
    id: 'G14.3',
    title: "the core group has exactly kcp's built-in types",
    run: async (kcp) => {
      const { workspace } = await corner(kcp);

      const { body } = (await kcp.admin.get(`${workspace.at}/api/v1`)).expect(200);

      const types = body.resources?.map(({ name }) => String(name)).filter((name) => !name.includes('/'));
      deepEqual(types?.sort(), ['configmaps', 'events', 'namespaces', 'resourcequotas', 'secrets', 'serviceaccounts']);
    },
  },
  {
    id: 'G14.4',
    title: 'OpenAPI v3 has a document for the bound group with the schema of its type',
    run: async (kcp) => {
      const { workspace } = await corner(kcp);

      const index = (await kcp.admin.get(`${workspace.at}/openapi/v3`)).expect(200).body;
      const url = String(at(index, 'paths', `apis/${NETWORK}/v1`, 'serverRelativeURL'));

      ok(url.includes(`/openapi/v3/apis/${NETWORK}/v1?hash=`), url);
      const path = url.startsWith('/clusters/') ? url : workspace.at + url;
      const document = (await kcp.admin.get(path)).expect(200).body;
      ok(Object.keys(at(document, 'components', 'schemas') ?? {}).some((name) => name.endsWith('.VPC')));
    },
  },
  {
    id: 'G14.5',
    title: '/version tells the version of Kubernetes with that of kcp',
    needs: ['told-version'],
    run: async (kcp) => {
      const { workspace } = await corner(kcp);

      const { body } = (await kcp.admin.get(`${workspace.at}/version`)).expect(200);

      equal(at(body, 'major'), '1');
      ok(String(at(body, 'gitVersion')).includes('kcp'), JSON.stringify(body));
    },
  },
  {
    id: 'G14.6',
    title: 'OpenAPI v2 is there as protobuf for who takes nothing else, as kubectl does about a kind that v3 does not know',
    run: async (kcp) => {
      const { workspace } = await corner(kcp);
      const accept = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';

      const answer = (await kcp.admin.get(`${workspace.at}/openapi/v2`, { headers: { accept } })).expect(200);

      match(answer.header('content-type'), /^application\/com\.github\.proto-openapi\.spec\.v2.+protobuf$/);
    },
  },
];
