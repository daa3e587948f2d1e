import { expect, it } from '@jest/globals';
import { readBoundSchema, verifySchema, versionToRead } from '@dep-ctrl/exported-types';
import { computeSchema } from '@dep-ctrl/exported-types/testing';
import { parseFieldPath } from '@dep-ctrl/fieldpath';

it('given an APIResourceSchema, when a path has a typo, then it says what there is', () => {
  const apiResourceSchema = computeSchema(); // or what an ExportReader finds
  const machines = { group: 'compute.example.com', version: 'v1', resource: 'virtualmachines', isOwn: true };

  const path = parseFieldPath('.spec.vpcRef.nmae');
  if (!path.ok) throw new Error(path.problem.message);

  expect(verifySchema(apiResourceSchema, machines, [path.value])).toEqual({
    state: 'wrong',
    reason: 'FieldNotFound',
    message: 'virtualmachines.compute.example.com v1 has no field .spec.vpcRef.nmae: .spec.vpcRef has name',
  });

  const schema = readBoundSchema(apiResourceSchema);
  expect(schema && versionToRead(schema, 'v0', [])?.name).toBe('v1alpha1'); // v0 is not served any more
});
