import assert from 'node:assert/strict';
import { couldHold, parseFieldPath, readFieldPath } from '@dep-ctrl/fieldpath';

const path = parseFieldPath('.spec.nics[*].vpc');
if (!path.ok) throw new Error(path.problem.message);

const page = Buffer.from('{"items":[{"metadata":{"name":"my-vm"},"spec":{"nics":[{"vpc":"blue"},{"vpc":"my-vpc"}]}}]}');
assert.equal(couldHold(page, 'other-vpc'), false);
assert.equal(couldHold(page, 'my-vpc'), true);

const { items } = JSON.parse(page.toString()) as { items: unknown[] };
assert.deepEqual(
  items.map((item) => readFieldPath(item, path.value)),
  [['blue', 'my-vpc']],
);
