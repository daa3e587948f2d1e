import { describe, expect, it } from '@jest/globals';
import { atOnce } from '@dep-ctrl/fair-shares';
import { cluster } from '../testing/builders.js';
import { match } from '../testing/objects.js';
import { partsOf, questionsOf } from './type-question.js';

describe(questionsOf, () => {
  it('given several rules and paths for one type, then there is one question', () => {
    const matches = [match(), match({ fieldPath: '.spec.backup.name' }), match({ rule: { name: 'other', enforcement: 'Warn' } })];

    expect(questionsOf(matches).map(({ queries }) => queries.map(({ rule, fieldPath }) => `${rule.name} ${fieldPath.text}`))).toEqual([
      ['vm-dependencies .spec.vpcRef.name', 'vm-dependencies .spec.backup.name', 'other .spec.vpcRef.name'],
    ]);
  });

  it.each([
    { given: 'another exporter', other: match({ rule: { cluster: cluster('rival') } }) },
    { given: 'another group', other: match({ dependent: { group: 'other.example.com' } }) },
    { given: 'another version', other: match({ dependent: { version: 'v1' } }) },
    { given: 'another resource', other: match({ dependent: { resource: 'disks' } }) },
  ])('given $given, then there are two questions', ({ other }) => {
    expect(questionsOf([match(), other])).toHaveLength(2);
    expect(questionsOf([other, match()])).toEqual(questionsOf([match(), other]));
  });

  it('given a rule that asks the same twice, as for two versions of its target, then it is asked once, and of another rule too', () => {
    const [same, other] = [match(), match({ rule: { name: 'other' } })];
    const inAnother = match({ namespacePath: '.spec.vpcRef.namespace' });

    const [question] = questionsOf([match(), same, other, inAnother]);

    expect(question?.queries.map(({ rule, namespacePath }) => `${rule.name} ${namespacePath?.text ?? ''}`)).toEqual([
      'vm-dependencies ',
      'other ',
      'vm-dependencies .spec.vpcRef.namespace',
    ]);
  });

  it('given rules that name one export, then the question knows it once', () => {
    expect(questionsOf([match(), match({ rule: { name: 'other' } })])).toMatchObject([{ exportNames: ['compute.example.com'] }]);
  });

  it('given rules that name different exports of one workspace, then the question knows both', () => {
    expect(questionsOf([match(), match({ dependent: { exportName: 'other' } })])).toMatchObject([
      { exportNames: ['compute.example.com', 'other'] },
    ]);
  });
});

describe(partsOf, () => {
  const metadata = { name: 'vm', namespace: 'default', uid: 'u', deletionTimestamp: '2026-01-01T00:00:00Z' };

  it('reads what any decision needs, and what the paths lead to', () => {
    const [question] = questionsOf([match({ namespacePath: '.spec.vpcRef.namespace' }), match({ fieldPath: '.spec.backup' })]);
    const spec = { vpcRef: { name: 'my-vpc', namespace: 'prod' }, backup: 'other' };
    const whole = {
      apiVersion: 'v1',
      kind: 'VM',
      metadata: { ...metadata, labels: { a: 'b' } },
      spec: { ...spec, image: 'x' },
      status: { on: 1 },
    };

    const read = atOnce(partsOf(question!).parse(Buffer.from(JSON.stringify(whole))));

    expect(read).toEqual({ kind: 'VM', metadata, spec });
  });

  it('is made once for a question', () => {
    const [question] = questionsOf([match()]);

    expect(partsOf(question!)).toBe(partsOf(question!));
  });
});
