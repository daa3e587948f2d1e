import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decideDeletion, type Decision } from './decide-deletion.js';
import { blocks } from './standing.js';
import type { Dependent, Finding } from './lookup.js';
import { anyDependent, anyFinding } from '../testing/arbitraries.js';
import { finding, listed, subject } from '../testing/builders.js';

const anyFindings = fc.array(anyFinding, { maxLength: 6 });
const anySubject = fc
  .record({ uid: fc.constantFrom('uid-of-vpc', 'uid-1'), ownerUids: fc.subarray(['uid-1', 'uid-2']).map((uids) => new Set(uids)) })
  .map((change) => subject(change));
const anyMode = fc.constantFrom('enforcing', 'advisory', 'bypass' as const);

describe(decideDeletion, () => {
  it('never allows while a lookup of a Deny rule blocks', () => {
    fc.assert(
      fc.property(anySubject, anyMode, anyFindings, (of, mode, findings) => {
        const isBlocked = findings.some(
          ({ rule, lookup }) =>
            rule.enforcement === 'Deny' && 'dependents' in lookup && lookup.dependents.some((each) => blocks(each, rule, of)),
        );

        fc.pre(isBlocked);
        expect(decide(of, mode, findings)).toMatchObject({ verdict: 'deny', because: 'in-use' });
      }),
    );
  });

  it('never allows while a lookup of a Deny rule cannot tell or stopped early, except on the lenient entries', () => {
    fc.assert(
      fc.property(anySubject, anyFindings, (of, findings) => {
        const isDoubtful = findings.some(
          ({ rule, lookup }) => rule.enforcement === 'Deny' && (lookup.answer === 'cannot-tell' || lookup.answer === 'enough'),
        );

        fc.pre(isDoubtful);
        expect(decide(of, 'enforcing', findings).verdict).toBe('deny');
      }),
    );
  });

  it('never turns deny into allow because of more blockers', () => {
    fc.assert(
      fc.property(anySubject, anyMode, anyFindings, anyDependent, fc.nat(), (of, mode, findings, more, at) => {
        fc.pre(decide(of, mode, findings).verdict === 'deny' && findings.length > 0);

        const grown = findings.map((each, index) => (index === at % findings.length ? withBlocker(each, more) : each));

        expect(decide(of, mode, grown).verdict).toBe('deny');
        expect(decide(of, mode, [...findings, finding(listed(more))]).verdict).toBe('deny');
      }),
    );
  });

  it('never denies for Warn and Audit rules alone', () => {
    fc.assert(
      fc.property(anySubject, anyMode, anyFindings, (of, mode, findings) => {
        const advisory = findings.filter(({ rule }) => rule.enforcement !== 'Deny');

        expect(decide(of, mode, advisory).verdict).toBe('allow');
      }),
    );
  });

  it('gives the same verdict in whichever order lookups come back', () => {
    fc.assert(
      fc.property(anySubject, anyMode, anyFindings, (of, mode, findings) => {
        const { verdict, because } = decide(of, mode, findings);

        expect(decide(of, mode, findings.toReversed())).toMatchObject({ verdict, because });
      }),
    );
  });
});

function decide(of: ReturnType<typeof subject>, mode: 'enforcing' | 'advisory' | 'bypass', findings: readonly Finding[]): Decision {
  return decideDeletion(of, mode, { state: 'rules-known', findings });
}

function withBlocker(each: Finding, more: Dependent): Finding {
  const { lookup } = each;
  if (lookup.answer === 'listed') return { ...each, lookup: { answer: 'listed', dependents: [...lookup.dependents, more] } };
  if (lookup.answer === 'enough') return { ...each, lookup: { answer: 'enough', dependents: [more, ...lookup.dependents] } };
  return each;
}
