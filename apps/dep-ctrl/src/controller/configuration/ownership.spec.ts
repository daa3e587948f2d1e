import { describe, expect, it } from '@jest/globals';
import { name } from '../../rules/spec-support/objects.js';
import { isOurs, ownershipOf } from './ownership.js';

const LABEL = 'dependencies.opendefense.cloud/export-cluster';
const OURS = name('dep1');
const original = { name: 'dependency-controller.dependencies.opendefense.cloud', rules: [{ operations: ['DELETE'], resources: ['vpcs'] }] };

describe(isOurs, () => {
  it.each([
    { given: 'the label of this installation', labels: { [LABEL]: OURS }, webhooks: [], expected: true },
    { given: 'the label of another one', labels: { [LABEL]: 'dep2' }, webhooks: [original], expected: false },
    { given: 'no label, as the original made it', labels: {}, webhooks: [original], expected: true },
    { given: 'no labels at all, as the original made it', labels: undefined, webhooks: [original], expected: true },
    { given: 'no label, of somebody else', labels: {}, webhooks: [{ ...original, name: 'x.example.com' }], expected: false },
  ])('given a configuration with $given, then whether it is ours is $expected', ({ labels, webhooks, expected }) => {
    const configuration = { metadata: { name: 'dependency-controller', ...(labels !== undefined && { labels }) }, webhooks };

    expect(isOurs(configuration, OURS)).toBe(expected);
  });
});

describe(ownershipOf, () => {
  it('given the cluster of the export, then it is what the label says', () => {
    const { label, value, adopt } = ownershipOf(OURS);

    expect([label, value, adopt({ metadata: {}, webhooks: [original] })]).toEqual([LABEL, OURS, true]);
  });
});
