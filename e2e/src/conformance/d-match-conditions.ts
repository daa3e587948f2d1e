import { equal, match } from 'node:assert/strict';
import type { ConformanceCase } from './conformance-case.js';
import { vpc, version, type TypeToServe } from '../stage/example-types.js';
import { NETWORK } from '../stage/example-types.js';
import { anyWorkspace, bind, corner, makeExport, network, paths, served } from '../stage/exports.js';
import { ALLOW, deny, inForce, install, webhookConfiguration, webhookEntry } from '../stage/webhooks.js';

const SKIP = 'example.com/skip';
const NOT_SKIPPED = [{ name: 'not-skipped', expression: `oldObject.metadata.?annotations[?'${SKIP}'].orValue('') != 'true'` }];

/** A type in two versions that differ in nothing but their name. */
const LINK: TypeToServe = {
  plural: 'links',
  kind: 'Link',
  scope: 'Namespaced',
  versions: [
    version('v1', { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }),
    version('v2', { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, { storage: false }),
  ],
};

/** D: conditions in CEL and the matching of versions. */
export const webhookMatching: readonly ConformanceCase[] = [
  ...[
    { n: 1, annotations: { [SKIP]: 'true' }, given: 'the annotation set to "true"', status: 200 },
    { n: 2, annotations: { [SKIP]: 'false' }, given: 'the annotation set to "false"', status: 403 },
    { n: 3, annotations: { other: 'true' }, given: 'another annotation', status: 403 },
    { n: 4, annotations: undefined, given: 'no annotation of its own', status: 403 },
  ].map(({ n, annotations, given, status }): ConformanceCase => ({
    id: `D25.${n}`,
    title: `a match condition over an optional annotation: with ${given} a delete is ${status}`,
    run: async (kcp) => {
      const hook = await install(kcp, deny('no'), { matchConditions: NOT_SKIPPED });
      const { vpcs } = await corner(kcp);
      (await kcp.admin.post(vpcs, vpc('probe', {}, { labels: hook.labels }))).expect(201);
      (await kcp.admin.post(vpcs, vpc('a', {}, { labels: hook.labels, ...(annotations === undefined ? {} : { annotations }) }))).expect(
        201,
      );
      await inForce(kcp, `${vpcs}/probe`, 403);

      equal((await kcp.admin.delete(`${vpcs}/a`)).status, status);
    },
  })),
  {
    id: 'D25.5',
    title: 'a match condition that says no keeps a dead webhook out of the way',
    run: async (kcp) => {
      const hook = await install(kcp, ALLOW, { matchConditions: NOT_SKIPPED, clientConfig: { url: 'https://127.0.0.1:1/nobody' } });
      const { vpcs } = await corner(kcp);
      (await kcp.admin.post(vpcs, vpc('a', {}, { labels: hook.labels }))).expect(201);
      await inForce(kcp, `${vpcs}/a`, 500);

      (await kcp.admin.patch('merge', `${vpcs}/a`, { metadata: { annotations: { [SKIP]: 'true' } } })).expect(200);

      (await kcp.admin.delete(`${vpcs}/a`)).expect(200);
    },
  },
  {
    id: 'D25.6',
    title: 'a match condition that does not compile is refused when it is written',
    run: async (kcp) => {
      const workspace = await anyWorkspace(kcp);
      const hook = kcp.webhooks.open(kcp.unique('cel'), ALLOW);
      const entry = webhookEntry('cel.example.com', hook, { matchConditions: [{ name: 'broken', expression: 'oldObject.' }] });

      const refused = await kcp.admin.post(paths(workspace).webhooks, webhookConfiguration('cel', [entry]));

      equal(refused.status, 422);
      match(refused.body.message ?? '', /webhooks\[0\]\.matchConditions\[0\]\.expression: Invalid value: .*compilation failed/s);
    },
  },
  {
    id: 'D25.7',
    title: 'a match condition that fails when it is evaluated refuses the delete under failurePolicy Fail',
    run: async (kcp) => {
      const expression = `oldObject.metadata.annotations['${SKIP}'] == 'true'`;
      const hook = await install(kcp, ALLOW, { matchConditions: [{ name: 'broken', expression }] });
      const { vpcs } = await corner(kcp);
      (await kcp.admin.post(vpcs, vpc('a', {}, { labels: hook.labels }))).expect(201);

      await inForce(kcp, `${vpcs}/a`, 403);

      match((await kcp.admin.delete(`${vpcs}/a`)).body.message ?? '', /expression '.*' resulted in error/);
    },
  },
  {
    id: 'D26.1',
    title: 'matchPolicy Equivalent asks about a request in another version, converted, and says so; Exact does not ask',
    slow: true,
    run: async (kcp) => {
      const made = await makeExport(kcp, { types: [LINK] });
      const workspace = await kcp.workspace();
      await bind(kcp, workspace, made);
      const links = (v: string): string => `${workspace.at}/apis/${NETWORK}/${v}/namespaces/default/links`;
      await served(kcp, links('v2'));
      const rule = { operations: ['DELETE'], apiGroups: [NETWORK], apiVersions: ['v1'], resources: ['links'], scope: '*' };
      const equivalent = kcp.webhooks.open(kcp.unique('equivalent'), deny('equivalent'));
      const exact = kcp.webhooks.open(kcp.unique('exact'), deny('exact'));
      const entries = [
        webhookEntry('equivalent.example.com', equivalent, { rules: [rule], matchPolicy: 'Equivalent' }),
        webhookEntry('exact.example.com', exact, { rules: [rule], matchPolicy: 'Exact' }),
      ];
      (await kcp.admin.post(paths(made.workspace).webhooks, webhookConfiguration('links', entries))).expect(201);
      (await kcp.admin.post(links('v2'), { apiVersion: `${NETWORK}/v2`, kind: 'Link', metadata: { name: 'a' } })).expect(201);

      await inForce(kcp, `${links('v2')}/a`, 403);

      equal(exact.asked.length, 0);
      const review = equivalent.asked[0]?.review;
      equal(review?.resource['version'], 'v1');
      equal(review.requestResource?.['version'], 'v2');
      equal(review.oldObject?.apiVersion, `${NETWORK}/v1`);
    },
  },
  {
    id: 'D26.2',
    title: 'apiVersions ["*"] asks in the version of the request',
    slow: true,
    run: async (kcp) => {
      const made = await makeExport(kcp, { types: [LINK] });
      const workspace = await kcp.workspace();
      await bind(kcp, workspace, made);
      const links = (v: string): string => `${workspace.at}/apis/${NETWORK}/${v}/namespaces/default/links`;
      await served(kcp, links('v2'));
      const hook = kcp.webhooks.open(kcp.unique('star'), deny('no'));
      const rule = { operations: ['DELETE'], apiGroups: [NETWORK], apiVersions: ['*'], resources: ['links'], scope: '*' };
      (
        await kcp.admin.post(
          paths(made.workspace).webhooks,
          webhookConfiguration('links', [webhookEntry('star.example.com', hook, { rules: [rule] })]),
        )
      ).expect(201);
      (await kcp.admin.post(links('v1'), { apiVersion: `${NETWORK}/v1`, kind: 'Link', metadata: { name: 'a' } })).expect(201);

      for (const version of ['v1', 'v2']) {
        await inForce(kcp, `${links(version)}/a`, 403);

        equal(hook.asked.at(-1)?.review.oldObject?.apiVersion, `${NETWORK}/${version}`);
      }
    },
  },
  {
    id: 'D26.3',
    title: 'a configuration with a plain http URL, a query or without sideEffects is refused when it is written',
    run: async (kcp) => {
      const { webhooks } = paths((await network(kcp)).workspace);
      const hook = { url: 'https://127.0.0.1:1/x', caBundle: '' };
      const bad = {
        http: webhookEntry('a.example.com', hook, { clientConfig: { url: 'http://127.0.0.1:1/x' } }),
        query: webhookEntry('a.example.com', hook, { clientConfig: { url: 'https://127.0.0.1:1/x?a=b' } }),
        userinfo: webhookEntry('a.example.com', hook, { clientConfig: { url: 'https://me@127.0.0.1:1/x' } }),
        sideEffects: webhookEntry('a.example.com', hook, { sideEffects: undefined }),
        versions: webhookEntry('a.example.com', hook, { admissionReviewVersions: undefined }),
        timeout: webhookEntry('a.example.com', hook, { timeoutSeconds: 31 }),
        name: webhookEntry('short', hook),
      };

      for (const [what, entry] of Object.entries(bad)) {
        equal((await kcp.admin.post(webhooks, webhookConfiguration(kcp.unique('bad'), [entry]))).status, 422, what);
      }
    },
  },
];
