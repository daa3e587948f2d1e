import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { API_KINDS, MOST_CONSENTS, MOST_DEPENDENCIES, parseGuard, parseRule } from '../index.js';
import { dependencySpec, guardObject, ruleObject } from '../testing/builders.js';

const ajv = new Ajv({ strict: false, validateFormats: false });
const [ruleSchema, guardSchema] = API_KINDS.map((kind) => ajv.compile(kind.schema));

// Mostly right, sometimes of the wrong type, sometimes missing, sometimes almost right.
const wrong = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    1.5,
    [],
    {},
    '',
    ' ',
    '-',
    '.',
    ':',
    'é',
    '🌍',
    '__proto__',
    'a'.repeat(64),
    'a'.repeat(254),
    'a'.repeat(1025),
  ),
  fc.string(),
  fc.jsonValue({ maxDepth: 1 }),
);

function field(...right: unknown[]): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 80, arbitrary: fc.constantFrom(...right) }, { weight: 1, arbitrary: wrong });
}

function text(alphabet: string, ...right: string[]): fc.Arbitrary<unknown> {
  const almostRight = fc.string({ unit: fc.constantFrom(...Array.from(alphabet)), maxLength: 8 });
  return fc.oneof({ weight: 80, arbitrary: field(...right) }, { weight: 2, arbitrary: almostRight });
}

function object(fields: Record<string, fc.Arbitrary<unknown>>, optional: readonly string[] = []): fc.Arbitrary<unknown> {
  const required = Object.keys(fields).filter((key) => !optional.includes(key));
  return fc.oneof(
    { weight: 100, arbitrary: fc.record(fields, { requiredKeys: required }) },
    { weight: 2, arbitrary: fc.record(fields, { requiredKeys: [] }) },
    { weight: 1, arbitrary: wrong },
  );
}

const exportName = text('ab0-.A', 'network.example.com', '0a.b-c', 'a'.repeat(253));
const group = text('ab0-.A', 'network.example.com', '1.2', 'apps', 'rbac.authorization.k8s.io');
const version = text('v10alph-', 'v1', 'v1alpha1', 'v2beta3', 'next');
const kind = text('Vm0-a', 'VirtualMachine', 'vm', 'A1');
const resource = text('vpcs0-S', 'vpcs', 'a-b', 'v2');
const workspacePath = text('ab0-:A', 'root:network', 'root', '1k7ez4pisisnd9rg', 'root:0a', 'root:a-', `root:${'a'.repeat(100)}`);
const fieldPath = text(
  ".[]*'ab0 \\",
  '.spec.vpc',
  'spec.vpc',
  '.a[*].b',
  ".a['x/y']",
  ".a['\u00e9']",
  `.a['${'🌍'.repeat(506)}']`,
  '.a[*].ns',
  '.b[*].ns',
);

const each = (_: unknown, index: number) => dependencySpec({ fieldRef: { path: `.spec.refs.f${index}` } });

const spec = object(
  {
    dependent: object({ apiExportName: exportName, group, version, kind, resource, extra: field(1) }, ['extra']),
    dependencies: fc.oneof(
      {
        weight: 40,
        arbitrary: fc.array(
          object({
            apiExportRef: object({ path: workspacePath, name: exportName }),
            group,
            version,
            resource,
            fieldRef: object({ path: fieldPath, namespacePath: fieldPath }, ['namespacePath']),
          }),
          { minLength: 0, maxLength: 2 },
        ),
      },
      {
        weight: 1,
        arbitrary: fc.integer({ min: MOST_DEPENDENCIES - 1, max: MOST_DEPENDENCIES + 1 }).map((length) => Array.from({ length }, each)),
      },
      { weight: 1, arbitrary: wrong },
    ),
    enforcement: field('Deny', 'Warn', 'Audit'),
    whileTerminating: field('Block', 'Ignore'),
    extra: field('x'),
  },
  ['enforcement', 'whileTerminating', 'extra'],
);

describe('laws of the schema', () => {
  it('the schema of rules refuses exactly what parseRule calls invalid', () => {
    const seen = { accepted: 0, refused: 0 };

    fc.assert(
      fc.property(spec, (given) => {
        const object = ruleObject(given);
        const answer = parseRule(object);
        const isInvalid = !answer.ok && answer.problem.some(({ reason }) => reason === 'Invalid' || reason === 'OverBound');
        seen[isInvalid ? 'refused' : 'accepted']++;

        expect(ruleSchema?.(object)).toBe(!isInvalid);
      }),
      { numRuns: 2_000 },
    );

    // Both sides are tried often: a generator that only makes nonsense would agree with anything.
    expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(200);
  });

  it('the schema of guards refuses exactly what parseGuard refuses', () => {
    const strictPath = text('ab0-:A', 'root:network', 'root', '1k7ez4pisisnd9rg', 'root:0a', 'root:a-', 'a'.repeat(63), 'a'.repeat(64));
    const guardSpec = object(
      {
        allowRulesFrom: fc.oneof(
          { weight: 9, arbitrary: fc.array(strictPath, { maxLength: 3 }) },
          { weight: 1, arbitrary: fc.array(fc.constant('root:a'), { minLength: MOST_CONSENTS, maxLength: MOST_CONSENTS + 1 }) },
          { weight: 1, arbitrary: wrong },
        ),
      },
      ['allowRulesFrom'],
    );

    fc.assert(
      fc.property(fc.record({ spec: guardSpec }, { requiredKeys: [] }), field('dependency-controller'), (given, name) => {
        const object = guardObject(given, { name });

        const answer = parseGuard(object);
        expect(guardSchema?.(object)).toBe(answer.ok && answer.value.ignoredConsents === 0);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('laws of parsing', () => {
  it('no value whatsoever makes a parser throw, and a refusal has a problem with a place', () => {
    const anything = fc.anything({ withNullPrototype: true, withSparseArray: true, withMap: true, withDate: true, withObjectString: true });

    fc.assert(
      fc.property(
        fc.oneof(
          anything,
          anything.map((value) => ruleObject(value)),
        ),
        (value) => {
          for (const answer of [parseRule(value), parseGuard(value)]) {
            if (!answer.ok)
              expect(answer.problem.every((problem) => problem.path.startsWith('.') && !problem.message.includes('\n'))).toBe(true);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('the same rule gives the same problems in the same order', () => {
    fc.assert(
      fc.property(spec, (given) => expect(parseRule(ruleObject(given))).toEqual(parseRule(ruleObject(structuredClone(given))))),
      { numRuns: 500 },
    );
  });
});
