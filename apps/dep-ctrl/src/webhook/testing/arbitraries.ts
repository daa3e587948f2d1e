// Anything that a lookup can come back with, for laws.
import fc from 'fast-check';
import type { DecidingRule, Dependent, Finding, Lookup, LookupFailure } from '../decision/lookup.js';
import { VM, rule } from './builders.js';

/** A dependent among few names and uids, so that they meet. */
export const anyDependent: fc.Arbitrary<Dependent> = fc.record(
  {
    namespace: fc.constantFrom('default', 'other'),
    name: fc.constantFrom('a', 'b', 'c'),
    uid: fc.constantFrom('uid-1', 'uid-2', 'uid-of-vpc'),
    isTerminating: fc.boolean(),
  },
  { requiredKeys: ['name', 'isTerminating'] },
);

/** A rule of any kind. */
export const anyRule: fc.Arbitrary<DecidingRule> = fc
  .record({ enforcement: fc.constantFrom('Deny', 'Warn', 'Audit'), whileTerminating: fc.constantFrom('Block', 'Ignore') })
  .map((change) => rule(change as Partial<DecidingRule>));

const anyFailure: fc.Arbitrary<LookupFailure> = fc.constantFrom(
  { code: 'forbidden', lasting: true } as const,
  { code: 'timeout', lasting: false } as const,
  { code: 'version-not-served', lasting: true, version: 'v1' } as const,
);

/** Any answer of a lookup. */
export const anyLookup: fc.Arbitrary<Lookup> = fc.oneof(
  fc.array(anyDependent, { maxLength: 4 }).map((dependents) => ({ answer: 'listed', dependents }) as const),
  fc
    .tuple(anyDependent, fc.array(anyDependent, { maxLength: 3 }))
    .map(([first, rest]) => ({ answer: 'enough', dependents: [first, ...rest] }) as const),
  fc.constant({ answer: 'not-bound' } as const),
  anyFailure.map((failure) => ({ answer: 'cannot-tell', failure }) as const),
);

/** A lookup with any rule. */
export const anyFinding: fc.Arbitrary<Finding> = fc
  .record({ rule: anyRule, lookup: anyLookup })
  .map(({ rule: of, lookup }) => ({ rule: of, type: VM, fieldPath: '.spec.vpcRef.name', lookup }));
