import { equal, match } from 'node:assert/strict';
import type { ConformanceCase } from './conformance-case.js';
import { NETWORK, vpc } from '../stage/example-types.js';
import { corner } from '../stage/exports.js';

const TEXT_404 = '404 page not found\n';

/** G: what a server says to requests that make no sense. */
export const badInput: readonly ConformanceCase[] = [
  ...[
    {
      n: 1,
      given: 'broken JSON',
      sent: '{bad',
      says: /couldn't get version\/kind; json parse error: invalid character 'b' looking for beginning of object key string/,
    },
    { n: 2, given: 'an empty body', sent: '', says: /couldn't get version\/kind; json parse error: unexpected end of JSON input/ },
    { n: 3, given: 'an array', sent: '[]', says: /couldn't get version\/kind; json parse error: json: cannot unmarshal array/ },
    { n: 4, given: 'an object without kind', sent: '{}', says: /Object 'Kind' is missing in '\{\}'/ },
  ].map(({ n, given, sent, says }): ConformanceCase => ({
    id: `G20.${n}`,
    title: `creating with ${given} is 400 and says what is wrong`,
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);

      const { status, body } = await kcp.admin.post(vpcs, sent);

      equal(status, 400);
      equal(body.reason, 'BadRequest');
      match(body.message ?? '', /^the object provided is unrecognized \(must be of type VPC\): /);
      match(body.message ?? '', says);
    },
  })),
  {
    id: 'G20.5',
    title: 'a built-in object needs no kind, and a value of the wrong type is 400',
    run: async (kcp) => {
      const { configMaps } = await corner(kcp);

      equal((await kcp.admin.post(configMaps, { metadata: { name: 'a' } })).status, 201);
      const refused = await kcp.admin.post(configMaps, { metadata: { name: 'b' }, data: { a: 1 } });

      equal(refused.status, 400);
      match(refused.body.message ?? '', /^ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number/);
    },
  },
  {
    id: 'G20.6',
    title: 'an unknown content type is 415 and names what is accepted; none at all is JSON; YAML is accepted',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);

      const refused = await kcp.admin.post(vpcs, 'a,b', { type: 'text/csv' });
      const untyped = await kcp.admin.post(vpcs, vpc('a'), { type: '' });
      const yaml = await kcp.admin.post(vpcs, `apiVersion: ${NETWORK}/v1\nkind: VPC\nmetadata: {name: b}\n`, { type: 'application/yaml' });

      equal(refused.status, 415);
      equal(refused.body.reason, 'UnsupportedMediaType');
      match(refused.body.message ?? '', /accepted media types include: application\/json, application\/yaml/);
      equal(untyped.status, 201);
      equal(yaml.status, 201);
    },
  },
  {
    id: 'G20.7',
    title: 'a patch of type application/json is 415',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);
      (await kcp.admin.post(vpcs, vpc('a'))).expect(201);

      equal((await kcp.admin.send('PATCH', `${vpcs}/a`, '{}')).status, 415);
    },
  },
  {
    id: 'G20.8',
    title: 'a body of 10 MB is 413 and the limit is 3 MiB',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);

      const { status, body } = await kcp.admin.post(vpcs, vpc('a', { free: { text: 'a'.repeat(10_000_000) } }));

      equal(status, 413);
      equal(body.reason, 'RequestEntityTooLarge');
      equal(body.message, 'Request entity too large: limit is 3145728');
    },
  },
  {
    id: 'G20.9',
    title: 'an object that is too large to be stored is 500',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);

      const { status, body } = await kcp.admin.post(vpcs, vpc('a', { free: { text: 'a'.repeat(2_000_000) } }));

      equal(status, 500);
      equal(body.message, 'etcdserver: request is too large');
    },
  },
  {
    id: 'G21.1',
    title: 'an encoded slash is a slash at a shard',
    run: async (kcp) => {
      const { vpcs, workspace } = await corner(kcp);

      const subresource = await kcp.admin.get(`${vpcs}/a%2Fb`);
      const encoded = await kcp.shard(workspace.shard).admin.get(`/clusters%2F${workspace.cluster}/api/v1/namespaces`);

      equal(subresource.status, 404);
      equal(subresource.body.message, `vpcs.${NETWORK} "a" not found`);
      equal(encoded.status, 200);
    },
  },
  {
    id: 'G21.2',
    title: 'an unknown type, group, version or path is 404 in plain text; an unknown type of a built-in group is a Status',
    run: async (kcp) => {
      const { workspace } = await corner(kcp);

      for (const path of ['/apis/nope.example.com/v1/things', `/apis/${NETWORK}/v1/things`, `/apis/${NETWORK}/v9/vpcs`, '/nope']) {
        const answer = await kcp.admin.get(workspace.at + path);
        equal(answer.status, 404, path);
        equal(answer.text, TEXT_404, path);
        match(answer.header('content-type'), /^text\/plain/);
      }
      const builtIn = await kcp.admin.get(`${workspace.at}/api/v1/pods`);
      equal(builtIn.status, 404);
      equal(builtIn.body.message, 'the server could not find the requested resource');
    },
  },
  {
    id: 'G21.3',
    title: 'an unknown subresource is 404 and names the object',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);
      (await kcp.admin.post(vpcs, vpc('a'))).expect(201);

      for (const subresource of ['scale', 'nope']) {
        const { status, body } = await kcp.admin.get(`${vpcs}/a/${subresource}`);
        equal(status, 404);
        equal(body.message, `vpcs.${NETWORK} "a" not found`);
      }
    },
  },
  {
    id: 'G21.4',
    title: 'a limit that is no number is 400, an unknown parameter is ignored',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);

      equal((await kcp.admin.get(`${vpcs}?limit=x`)).status, 400);
      equal((await kcp.admin.get(`${vpcs}?odd=1`)).status, 200);
    },
  },
  {
    id: 'G21.5',
    title: 'writing to a collection with PUT is 400, to an object with POST 400 or 405',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);

      const put = await kcp.admin.put(vpcs, vpc('a'));

      equal(put.status, 400);
      equal(put.body.message, 'name must be provided');
    },
  },
  ...[
    { n: 1, given: 'broken options', sent: '{bad', status: 400, older: 500 },
    { n: 2, given: 'an unknown propagation policy', sent: '{"propagationPolicy":"Odd"}', status: 422 },
    { n: 3, given: 'options of another kind', sent: '{"kind":"Odd","apiVersion":"v1"}', status: 400, older: 500 },
    { n: 4, given: 'two propagation wishes', sent: '{"orphanDependents":true,"propagationPolicy":"Foreground"}', status: 422 },
  ].map(({ n, given, sent, status, older = status }): ConformanceCase => ({
    id: `G22.${n}`,
    title: `a delete with ${given} is ${older === status ? '' : `${older}, since kcp 0.31 `}${status}, and deletes nothing`,
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);
      (await kcp.admin.post(vpcs, vpc('a'))).expect(201);

      equal((await kcp.admin.delete(`${vpcs}/a`, sent)).status, kcp.since('0.31') ? status : older);
      equal((await kcp.admin.get(`${vpcs}/a`)).status, 200);
    },
  })),
  {
    id: 'G23.1',
    title: 'the default namespace cannot be deleted',
    run: async (kcp) => {
      const { workspace } = await corner(kcp);

      const { status, body } = await kcp.admin.delete(`${workspace.at}/api/v1/namespaces/default`);

      equal(status, 403);
      equal(body.message, 'namespaces "default" is forbidden: this namespace may not be deleted');
    },
  },
];
