import { describe, expect, it } from '@jest/globals';
import { readBoundSchema } from '@dep-ctrl/exported-types';
import { planList } from './plan-list.js';
import { clusterScoped, subject } from '../testing/builders.js';
import { computeSchema, match, type MatchChange } from '../testing/objects.js';
import { questionsOf } from './type-question.js';

const column = { columns: ['.spec.vpcRef.name'] };

describe(planList, () => {
  it.each([
    { given: 'a schema without columns', schema: {}, expected: { version: 'v1alpha1', namespace: 'default', isNameEnough: true } },
    {
      given: 'a column that shows the reference',
      schema: column,
      expected: { version: 'v1alpha1', namespace: 'default', table: { cells: [1] } },
    },
    { given: 'a dependency without a namespace', schema: {}, of: clusterScoped(), expected: { version: 'v1alpha1', isNameEnough: false } },
    { given: 'dependents without a namespace', schema: { scope: 'Cluster' }, expected: { version: 'v1alpha1', isNameEnough: true } },
    {
      given: 'a namespace path',
      schema: column,
      change: { namespacePath: '.spec.vpcRef.namespace' },
      expected: { version: 'v1alpha1', isNameEnough: false, table: { cells: [1] } },
    },
    {
      given: 'a version that is no longer served',
      schema: column,
      change: { dependent: { version: 'v0' } },
      expected: { version: 'v1alpha1', namespace: 'default', table: { cells: [1] } },
    },
  ])('given $given, then the plan is $expected', ({ schema, of = subject(), change, expected }) => {
    const plan = planList(question(change), readBoundSchema(computeSchema(schema)), of);

    expect(plan).toMatchObject({ ok: true, plan: expected });
    expect(plan.ok && { namespace: plan.plan.namespace, table: plan.plan.table === undefined }).toEqual({
      namespace: 'namespace' in expected ? expected.namespace : undefined,
      table: !('table' in expected),
    });
  });

  it('given a schema that cannot be read, then whole objects of all namespaces are right for every type', () => {
    expect(planList(question(), undefined, subject())).toEqual({ ok: true, plan: { version: 'v1alpha1', isNameEnough: false } });
  });

  it('given a version that is not served and nothing at that path in others, then nobody can tell', () => {
    const gone = question({ dependent: { version: 'v0' }, fieldPath: '.spec.old.name' });

    expect(planList(gone, readBoundSchema(computeSchema()), subject())).toEqual({
      ok: false,
      failure: { code: 'version-not-served', lasting: true, version: 'v0' },
    });
  });
});

function question(change: MatchChange = {}): ReturnType<typeof questionsOf>[number] {
  const [only] = questionsOf([match(change)]);
  if (only === undefined) throw new Error('no question');
  return only;
}
