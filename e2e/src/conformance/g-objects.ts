import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict';
import { at } from '../https/kube-body.js';
import type { ConformanceCase } from './conformance-case.js';
import { NETWORK, vpc, zone } from '../stage/example-types.js';
import { corner } from '../stage/exports.js';

/** G: one object: creating, reading, changing and deleting it. */
export const objects: readonly ConformanceCase[] = [
  {
    id: 'G1.1',
    title: 'a created object gets uid, resourceVersion, generation 1, a creation time and the defaults of its schema',
    run: async (kcp) => {
      const { vpcs, namespace } = await corner(kcp);

      const created = (await kcp.admin.post(vpcs, vpc('a', { cidr: '10.0.0.0/8' }))).expect(201).body;

      match(created.metadata.uid ?? '', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      match(created.metadata.resourceVersion ?? '', /^[1-9][0-9]*$/);
      match(created.metadata.creationTimestamp ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      equal(created.metadata.generation, 1);
      equal(created.metadata.namespace, namespace);
      equal(created.apiVersion, `${NETWORK}/v1`);
      equal(created.kind, 'VPC');
      deepEqual(created.spec, { cidr: '10.0.0.0/8', mode: 'routed' });
    },
  },
  {
    id: 'G1.2',
    title: 'creating a name that is taken is 409 AlreadyExists',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);
      (await kcp.admin.post(vpcs, vpc('a'))).expect(201);

      const { status, body } = await kcp.admin.post(vpcs, vpc('a'));

      equal(status, 409);
      equal(body.reason, 'AlreadyExists');
      equal(body.message, `vpcs.${NETWORK} "a" already exists`);
      deepEqual(body.details, { name: 'a', group: NETWORK, kind: 'vpcs' });
    },
  },
  {
    id: 'G1.3',
    title: 'generateName makes a name of the prefix and five characters',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);

      const names = [];
      for (let n = 0; n < 3; n += 1) {
        const { body } = (await kcp.admin.post(vpcs, { ...vpc('x'), metadata: { generateName: 'made-' } })).expect(201);
        match(body.metadata.name ?? '', /^made-[a-z0-9]{5}$/);
        equal(body.metadata.generateName, 'made-');
        names.push(body.metadata.name);
      }

      equal(new Set(names).size, 3);
    },
  },
  {
    id: 'G1.4',
    title: 'an object without any name is 422',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);

      const { status, body } = await kcp.admin.post(vpcs, { ...vpc('x'), metadata: {} });

      equal(status, 422);
      equal(body.reason, 'Invalid');
      match(body.message ?? '', /metadata\.name: Required value: name or generateName is required/);
    },
  },
  {
    id: 'G1.5',
    title: 'a missing object is 404 and the answer names it',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);

      for (const answer of [await kcp.admin.get(`${vpcs}/none`), await kcp.admin.delete(`${vpcs}/none`)]) {
        deepEqual(answer.body, {
          kind: 'Status',
          apiVersion: 'v1',
          metadata: {},
          status: 'Failure',
          message: `vpcs.${NETWORK} "none" not found`,
          reason: 'NotFound',
          details: { name: 'none', group: NETWORK, kind: 'vpcs' },
          code: 404,
        });
      }
    },
  },
  {
    id: 'G1.6',
    title: 'an object in a namespace that does not exist is 404',
    run: async (kcp) => {
      const { workspace } = await corner(kcp);
      const elsewhere = `${workspace.at}/apis/${NETWORK}/v1/namespaces/none/vpcs`;

      const refused = await kcp.admin.post(elsewhere, vpc('a'));

      equal(refused.status, 404);
      equal(refused.body.message, 'namespaces "none" not found');
      deepEqual((await kcp.admin.get(elsewhere)).expect(200).body.items, []);
    },
  },
  {
    id: 'G1.7',
    title: 'an object of another namespace or version than its path is 400, of another kind 422',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);

      const otherNamespace = await kcp.admin.post(vpcs, vpc('a', {}, { namespace: 'elsewhere' }));
      const otherVersion = await kcp.admin.post(vpcs, { ...vpc('a'), apiVersion: `${NETWORK}/v9` });
      const otherKind = await kcp.admin.post(vpcs, zone('a'));

      equal(otherNamespace.status, 400);
      match(otherNamespace.body.message ?? '', /the namespace of the provided object does not match the namespace sent on the request/);
      equal(otherVersion.status, 400);
      match(otherVersion.body.message ?? '', /the API version in the data \(.*v9\) does not match the expected API version \(.*v1\)/);
      equal(otherKind.status, 422);
      match(otherKind.body.message ?? '', /kind: Invalid value: "Zone": must be VPC$/);
    },
  },
  {
    id: 'G2.1',
    title: 'an update with the current resourceVersion passes and moves it; generation moves with the spec only',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);
      const created = (await kcp.admin.post(vpcs, vpc('a', { size: 1 }))).expect(201).body;

      const bigger = (await kcp.admin.put(`${vpcs}/a`, { ...created, spec: { size: 2 } })).expect(200).body;
      const labelled = (await kcp.admin.put(`${vpcs}/a`, { ...bigger, metadata: { ...bigger.metadata, labels: { a: 'b' } } })).expect(
        200,
      ).body;

      equal(bigger.metadata.generation, 2);
      notEqual(bigger.metadata.resourceVersion, created.metadata.resourceVersion);
      equal(labelled.metadata.generation, 2);
      equal(labelled.metadata.uid, created.metadata.uid);
    },
  },
  {
    id: 'G2.2',
    title: 'an update with a stale resourceVersion is 409 Conflict',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);
      const created = (await kcp.admin.post(vpcs, vpc('a'))).expect(201).body;
      (await kcp.admin.patch('merge', `${vpcs}/a`, { spec: { size: 2 } })).expect(200);

      const { status, body } = await kcp.admin.put(`${vpcs}/a`, { ...created, spec: { size: 3 } });

      equal(status, 409);
      equal(body.reason, 'Conflict');
      equal(
        body.message,
        `Operation cannot be fulfilled on vpcs.${NETWORK} "a": the object has been modified; please apply your changes to the latest version and try again`,
      );
    },
  },
  {
    id: 'G2.3',
    title: 'an update without a resourceVersion is 422 for a bound type and unconditional for a built-in one',
    run: async (kcp) => {
      const { vpcs, configMaps } = await corner(kcp);
      (await kcp.admin.post(vpcs, vpc('a'))).expect(201);
      (await kcp.admin.post(configMaps, { metadata: { name: 'a' } })).expect(201);

      const refused = await kcp.admin.put(`${vpcs}/a`, vpc('a', { size: 2 }));

      equal(refused.status, 422);
      match(refused.body.message ?? '', /metadata\.resourceVersion: Invalid value: 0: must be specified for an update/);
      (await kcp.admin.put(`${configMaps}/a`, { metadata: { name: 'a' }, data: { k: 'v' } })).expect(200);
    },
  },
  {
    id: 'G2.4',
    title: 'an update under another name or uid is refused',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);
      const created = (await kcp.admin.post(vpcs, vpc('a'))).expect(201).body;
      const { resourceVersion } = created.metadata;

      const otherName = await kcp.admin.put(`${vpcs}/a`, vpc('b', {}, { resourceVersion }));
      const otherUid = await kcp.admin.put(`${vpcs}/a`, vpc('a', {}, { resourceVersion, uid: 'another' }));

      equal(otherName.status, 400);
      equal(otherUid.status, 409);
      match(otherUid.body.message ?? '', /Precondition failed: UID in precondition: another, UID in object meta: /);
    },
  },
  {
    id: 'G2.7',
    title: 'the refusal of an update under another uid says where the object is kept',
    run: async (kcp) => {
      const { workspace, configMaps, vpcs } = await corner(kcp);
      (await kcp.admin.post(configMaps, { metadata: { name: 'a' } })).expect(201);
      const { namespace, resourceVersion } = (await kcp.admin.post(vpcs, vpc('a'))).expect(201).body.metadata;

      const builtIn = (await kcp.admin.put(`${configMaps}/a`, { metadata: { name: 'a', uid: 'another' } })).expect(409);
      const bound = (await kcp.admin.put(`${vpcs}/a`, vpc('a', {}, { resourceVersion, uid: 'another' }))).expect(409);

      const begins = 'Operation cannot be fulfilled on [^ ]+ "a": StorageError: invalid object, Code: 4, Key: /registry';
      const ends = 'ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: another, ';
      const place = `${workspace.cluster}/${namespace ?? ''}/a`;
      match(builtIn.body.message ?? '', new RegExp(`^${begins}/core/configmaps/${place}, ${ends}`));
      match(bound.body.message ?? '', new RegExp(`^${begins}/network.example.com/vpcs/[0-9a-f]{64}/${place}, ${ends}`));
    },
  },
  {
    id: 'G2.5',
    title: 'updating what does not exist is 404 for a bound type',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);

      equal((await kcp.admin.put(`${vpcs}/none`, vpc('none', {}, { resourceVersion: '1' }))).status, 404);
    },
  },
  {
    id: 'G2.6',
    title: 'an update that changes nothing keeps the resourceVersion',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);
      const created = (await kcp.admin.post(vpcs, vpc('a', { size: 1 }))).expect(201).body;
      // The first write that carries the annotation kcp.io/cluster stores it, and so is a change.
      const stored = (await kcp.admin.put(`${vpcs}/a`, created)).expect(200).body;

      const same = (await kcp.admin.put(`${vpcs}/a`, stored)).expect(200).body;
      const patched = (await kcp.admin.patch('merge', `${vpcs}/a`, {})).expect(200).body;

      equal(same.metadata.resourceVersion, stored.metadata.resourceVersion);
      equal(patched.metadata.resourceVersion, stored.metadata.resourceVersion);
    },
  },
  {
    id: 'G3.1',
    title: 'status is written through /status only, and /status writes nothing else',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);
      const created = (await kcp.admin.post(vpcs, { ...vpc('a', { size: 1 }), status: { phase: 'Smuggled' } })).expect(201).body;
      equal(created.status, undefined);

      const main = (await kcp.admin.put(`${vpcs}/a`, { ...created, spec: { size: 2 }, status: { phase: 'Smuggled' } })).expect(200).body;
      const status = (await kcp.admin.put(`${vpcs}/a/status`, { ...main, spec: { size: 9 }, status: { phase: 'Up' } })).expect(200).body;

      equal(main.status, undefined);
      deepEqual(status.status, { phase: 'Up' });
      equal(status.spec?.['size'], 2);
      equal(status.metadata.generation, 2);
    },
  },
  {
    id: 'G3.3',
    title: 'an update of /status with a few metadata leaves all others as they are',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);
      const own = { labels: { a: 'b' }, annotations: { c: 'd' }, finalizers: ['e.example.com/f'] };
      const created = (await kcp.admin.post(vpcs, vpc('a', {}, own))).expect(201).body;
      const { name, uid, resourceVersion } = created.metadata;

      const few = { ...created, metadata: { name, uid, resourceVersion }, status: { phase: 'Up' } };
      const { metadata, status } = (await kcp.admin.put(`${vpcs}/a/status`, few)).expect(200).body;

      deepEqual(status, { phase: 'Up' });
      deepEqual([metadata.labels, metadata.annotations?.['c'], metadata.finalizers], [own.labels, 'd', own.finalizers]);
      (await kcp.admin.patch('merge', `${vpcs}/a`, { metadata: { finalizers: null } })).expect(200);
    },
  },
  {
    id: 'G3.2',
    title: 'a merge patch of /status changes the status only, a merge patch of the object the rest only',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);
      (await kcp.admin.post(vpcs, vpc('a', { size: 1 }))).expect(201);
      const both = { spec: { size: 5 }, status: { phase: 'Up' } };

      const status = (await kcp.admin.patch('merge', `${vpcs}/a/status`, both)).expect(200).body;
      const main = (await kcp.admin.patch('merge', `${vpcs}/a`, { spec: { size: 5 }, status: { phase: 'Down' } })).expect(200).body;

      deepEqual([status.spec?.['size'], at(status, 'status', 'phase')], [1, 'Up']);
      deepEqual([main.spec?.['size'], at(main, 'status', 'phase')], [5, 'Up']);
    },
  },
  {
    id: 'G4.1',
    title: 'a deleted object is answered with a Status that names it and its uid, and is gone',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);
      const { uid } = (await kcp.admin.post(vpcs, vpc('a'))).expect(201).body.metadata;

      const { body } = (await kcp.admin.delete(`${vpcs}/a`)).expect(200);

      equal(body.kind, 'Status');
      equal(body.status, 'Success');
      deepEqual(body.details, { name: 'a', group: NETWORK, kind: 'vpcs', uid });
      equal((await kcp.admin.get(`${vpcs}/a`)).status, 404);
    },
  },
  {
    id: 'G4.2',
    title: 'an object with a finalizer is answered as it is, keeps being served with a deletion time and goes with the finalizer',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);
      (await kcp.admin.post(vpcs, vpc('a', {}, { finalizers: ['example.com/wait'] }))).expect(201);

      const going = (await kcp.admin.delete(`${vpcs}/a`)).expect(200).body;

      equal(going.kind, 'VPC');
      ok(going.metadata.deletionTimestamp);
      equal(going.metadata.deletionGracePeriodSeconds, 0);
      equal(going.metadata.generation, 2);
      (await kcp.admin.get(`${vpcs}/a`)).expect(200);
      (await kcp.admin.patch('merge', `${vpcs}/a`, { metadata: { finalizers: null } })).expect(200);
      equal((await kcp.admin.get(`${vpcs}/a`)).status, 404);
    },
  },
  {
    id: 'G4.3',
    title: 'no finalizer can be added to an object that is going, and a name that is going stays taken',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);
      (await kcp.admin.post(vpcs, vpc('a', {}, { finalizers: ['example.com/wait'] }))).expect(201);
      (await kcp.admin.delete(`${vpcs}/a`)).expect(200);

      const added = await kcp.admin.patch('merge', `${vpcs}/a`, { metadata: { finalizers: ['example.com/wait', 'example.com/more'] } });
      const again = await kcp.admin.post(vpcs, vpc('a'));

      equal(added.status, 422);
      match(added.body.message ?? '', /metadata\.finalizers: Forbidden: no new finalizers can be added if the object is being deleted/);
      equal(again.status, 409);
      match(again.body.message ?? '', /^object is being deleted: vpcs\.network\.example\.com "a" already exists$/);
    },
  },
  {
    id: 'G4.4',
    title: 'preconditions on uid and resourceVersion hold a delete back with 409',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);
      const { uid, resourceVersion } = (await kcp.admin.post(vpcs, vpc('a'))).expect(201).body.metadata;

      const byUid = await kcp.admin.delete(`${vpcs}/a`, { preconditions: { uid: 'another' } });
      const byVersion = await kcp.admin.delete(`${vpcs}/a`, { preconditions: { resourceVersion: '1' } });

      equal(byUid.status, 409);
      match(
        byUid.body.message ?? '',
        new RegExp(`the UID in the precondition \\(another\\) does not match the UID in record \\(${uid ?? ''}\\)`),
      );
      equal(byVersion.status, 409);
      match(
        byVersion.body.message ?? '',
        /the ResourceVersion in the precondition \(1\) does not match the ResourceVersion in record \(\d+\)/,
      );
      (await kcp.admin.delete(`${vpcs}/a`, { preconditions: { uid, resourceVersion } })).expect(200);
    },
  },
  {
    id: 'G4.6',
    title: 'the preconditions of a namespace are refused in other words',
    run: async (kcp) => {
      const { workspace } = await corner(kcp);

      const byUid = await kcp.admin.delete(`${workspace.at}/api/v1/namespaces/default`, { preconditions: { uid: 'another' } });

      equal(byUid.expect(409).body.details?.kind, 'namespaces');
      match(byUid.body.message ?? '', /"default": Precondition failed: UID in precondition: another, UID in object meta: [0-9a-f-]{36}$/);
    },
  },
  {
    id: 'G4.5',
    title: 'foreground deletion sets its finalizer; without dependents the garbage collector ends it',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);
      (await kcp.admin.post(vpcs, vpc('a', {}, { finalizers: ['example.com/wait'] }))).expect(201);

      const going = (await kcp.admin.delete(`${vpcs}/a`, { propagationPolicy: 'Foreground' })).expect(200).body;

      deepEqual([...(going.metadata.finalizers ?? [])].sort(), ['example.com/wait', 'foregroundDeletion']);
    },
  },
  {
    id: 'G5.1',
    title: 'a dry run answers as the real request would and stores nothing',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);
      const query = '?dryRun=All';

      const created = (await kcp.admin.post(vpcs + query, vpc('a'))).expect(201).body;
      ok(created.metadata.uid);
      equal((await kcp.admin.get(`${vpcs}/a`)).status, 404);

      const kept = (await kcp.admin.post(vpcs, vpc('a', { size: 1 }))).expect(201).body;
      (await kcp.admin.patch('merge', `${vpcs}/a${query}`, { spec: { size: 7 } })).expect(200);
      (await kcp.admin.delete(`${vpcs}/a${query}`)).expect(200);
      deepEqual((await kcp.admin.get(`${vpcs}/a`)).body.metadata.resourceVersion, kept.metadata.resourceVersion);
    },
  },
  {
    id: 'G5.3',
    title: 'options in the body of a delete replace those of the query: a dryRun in the query alone deletes',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);
      for (const name of ['a', 'b']) (await kcp.admin.post(vpcs, vpc(name))).expect(201);

      (await kcp.admin.delete(`${vpcs}/a?dryRun=All`, { preconditions: {} })).expect(200);
      (await kcp.admin.delete(`${vpcs}/b`, { dryRun: ['All'] })).expect(200);

      equal((await kcp.admin.get(`${vpcs}/a`)).status, 404);
      equal((await kcp.admin.get(`${vpcs}/b`)).status, 200);
    },
  },
  {
    id: 'G5.2',
    title: 'dryRun knows All only',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);

      const refused = await kcp.admin.post(`${vpcs}?dryRun=Some`, vpc('a'));

      equal(refused.status, 422);
      match(refused.body.message ?? '', /dryRun: Unsupported value: \["Some"\]: supported values: "All"/);
    },
  },
  {
    id: 'G6.1',
    title: 'a value that the schema does not allow is 422 with a cause for each field',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);

      const { status, body } = await kcp.admin.post(vpcs, vpc('a', { cidr: 'x', size: 0, mode: 'odd' }));

      equal(status, 422);
      equal(body.reason, 'Invalid');
      match(body.message ?? '', /^VPC\.network\.example\.com "a" is invalid: /);
      deepEqual(body.details?.causes?.map(({ field }) => field).sort(), ['spec.cidr', 'spec.mode', 'spec.size']);
      equal(body.details.kind, 'VPC');
    },
  },
  {
    id: 'G6.2',
    title: 'a value of the wrong type is 422 and says what was expected',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);

      const { status, body } = await kcp.admin.post(vpcs, vpc('a', { size: 'big' }));

      equal(status, 422);
      match(body.message ?? '', /spec\.size: Invalid value: "string": spec\.size in body must be of type integer: "string"/);
    },
  },
  {
    id: 'G6.3',
    title: 'an unknown field is dropped silently, dropped with a warning, or refused, as fieldValidation says',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);
      const odd = (name: string): object => vpc(name, { odd: 1, size: 1 });

      const ignored = (await kcp.admin.post(`${vpcs}?fieldValidation=Ignore`, odd('ignore'))).expect(201);
      const warned = (await kcp.admin.post(`${vpcs}?fieldValidation=Warn`, odd('warn'))).expect(201);
      const usual = (await kcp.admin.post(vpcs, odd('usual'))).expect(201);
      const refused = await kcp.admin.post(`${vpcs}?fieldValidation=Strict`, odd('strict'));

      deepEqual(ignored.body.spec, { size: 1, mode: 'routed' });
      equal(ignored.header('warning'), '');
      equal(warned.header('warning'), '299 - "unknown field \\"spec.odd\\""');
      equal(usual.header('warning'), warned.header('warning'));
      equal(refused.status, 400);
      match(refused.body.message ?? '', /strict decoding error: unknown field "spec\.odd"/);
    },
  },
  {
    id: 'G6.4',
    title: 'fields below x-kubernetes-preserve-unknown-fields stay',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);

      const { body } = (await kcp.admin.post(vpcs, vpc('a', { free: { any: ['thing'] } }))).expect(201);

      deepEqual(at(body, 'spec', 'free'), { any: ['thing'] });
    },
  },
  {
    id: 'G6.5',
    title: 'a name that is no DNS subdomain and a label that is no label are 422',
    run: async (kcp) => {
      const { vpcs } = await corner(kcp);

      const name = await kcp.admin.post(vpcs, vpc('Not_A_Name'));
      const label = await kcp.admin.post(vpcs, vpc('a', {}, { labels: { 'a b': 'c' } }));

      equal(name.status, 422);
      match(name.body.message ?? '', /metadata\.name: Invalid value: "Not_A_Name": a lowercase RFC 1123 subdomain must consist of/);
      equal(label.status, 422);
      match(label.body.message ?? '', /metadata\.labels: Invalid value: "a b"/);
    },
  },
];
