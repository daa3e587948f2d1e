import assert from 'node:assert/strict';
import { readBoundSchema, verifySchema, versionToRead } from '@dep-ctrl/exported-types';
import { computeSchema } from '@dep-ctrl/exported-types/testing';
import { parseFieldPath } from '@dep-ctrl/fieldpath';

const apiResourceSchema = computeSchema(); // or what an ExportReader finds
const machines = { group: 'compute.example.com', version: 'v1', resource: 'virtualmachines', isOwn: true };

const path = parseFieldPath('.spec.vpcRef.nmae');
if (!path.ok) throw new Error(path.problem.message);

assert.deepEqual(verifySchema(apiResourceSchema, machines, [path.value]), {
  state: 'wrong',
  reason: 'FieldNotFound',
  message: 'virtualmachines.compute.example.com v1 has no field .spec.vpcRef.nmae: .spec.vpcRef has name',
});

const schema = readBoundSchema(apiResourceSchema);
assert.equal(schema && versionToRead(schema, 'v0', [])?.name, 'v1alpha1'); // v0 is not served any more
