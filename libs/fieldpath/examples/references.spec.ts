import { expect, it } from '@jest/globals';
import { couldHold, parseFieldPath, readFieldPath } from '@dep-ctrl/fieldpath';

it('finds who refers to a VPC without parsing pages that cannot', () => {
  const path = parseFieldPath('.spec.nics[*].vpc');
  if (!path.ok) throw new Error(path.problem.message);

  const page = Buffer.from('{"items":[{"metadata":{"name":"my-vm"},"spec":{"nics":[{"vpc":"blue"},{"vpc":"my-vpc"}]}}]}');
  expect(couldHold(page, 'other-vpc')).toBe(false);
  expect(couldHold(page, 'my-vpc')).toBe(true);

  const { items } = JSON.parse(page.toString()) as { items: unknown[] };
  expect(items.map((item) => readFieldPath(item, path.value))).toEqual([['blue', 'my-vpc']]);
});
