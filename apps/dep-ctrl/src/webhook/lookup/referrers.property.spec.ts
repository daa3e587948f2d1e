import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { atOnce } from '@dep-ctrl/fair-shares';
import { decideDeletion, type Decision } from '../decision/decide-deletion.js';
import { Referrers } from './referrers.js';
import { subject } from '../testing/builders.js';
import { match, virtualMachine } from '../testing/objects.js';
import { questionsOf } from './type-question.js';

const anyObject: fc.Arbitrary<KubeObject> = fc
  .record({
    vpc: fc.constantFrom('my-vpc', 'my-vpc', 'other'),
    uid: fc.constantFrom('uid-1', 'uid-2', 'uid-of-vpc', 'uid-owner'),
    isTerminating: fc.boolean(),
    namespace: fc.constantFrom('default', 'default', 'prod'),
  })
  .map(({ vpc, uid, isTerminating, namespace }) =>
    virtualMachine('vm', vpc, { uid, namespace, ...(isTerminating ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}) }),
  );
const anyRules = fc.array(
  fc.record({
    enforcement: fc.constantFrom('Deny', 'Warn', 'Audit' as const),
    whileTerminating: fc.constantFrom('Block', 'Ignore' as const),
  }),
  { minLength: 1, maxLength: 3 },
);
const of = subject({ ownerUids: new Set(['uid-owner']) });

describe(Referrers, () => {
  it('gives the verdict of reading everything, wherever it says that it has read enough', () => {
    fc.assert(
      fc.property(anyRules, fc.array(anyObject, { maxLength: 60 }), fc.integer({ min: 1, max: 20 }), (rules, objects, pageSize) => {
        expect(verdict(judge(rules, objects, pageSize))).toEqual(verdict(judge(rules, objects, Infinity)));
      }),
    );
  });

  it('remembers nothing of what a list said before it began anew', () => {
    fc.assert(
      fc.property(anyRules, fc.array(anyObject, { maxLength: 20 }), fc.array(anyObject, { maxLength: 20 }), (rules, before, after) => {
        const referrers = referrersFor(rules);
        for (const object of before) atOnce(referrers.add(object));
        referrers.restart();
        for (const object of after) atOnce(referrers.add(object));

        const fresh = referrersFor(rules);
        for (const object of after) atOnce(fresh.add(object));

        expect(referrers.findings('read-to-the-end')).toEqual(fresh.findings('read-to-the-end'));
      }),
    );
  });

  it('notes an owner that is going and waits for the subject, and reads on for others', () => {
    const referrers = referrersFor([{ enforcement: 'Deny', whileTerminating: 'Block' }]);
    const deletionTimestamp = '2026-01-01T00:00:00Z';
    atOnce(referrers.add(virtualMachine('owner', 'my-vpc', { uid: 'uid-owner', deletionTimestamp })));

    expect([referrers.areEnough, referrers.areDecisive]).toEqual([false, false]);
    expect(referrers.findings('read-to-the-end')[0]?.lookup).toMatchObject({
      answer: 'listed',
      dependents: [],
      waitingOwners: [{ name: 'owner' }],
    });
    referrers.restart();
    expect(referrers.findings('read-to-the-end')[0]?.lookup).toEqual({ answer: 'listed', dependents: [] });
  });
});

describe(`${Referrers.name} of very many`, () => {
  const matches = Array.from({ length: 400 }, (_, index) => match({ rule: { name: `rule-${String(index)}`, enforcement: 'Warn' } }));
  const [question] = questionsOf([...matches, match({ rule: { name: 'strict' } })]);
  const objects = Array.from({ length: 600 }, (_, index) =>
    virtualMachine(`vm-${String(index)}`, 'my-vpc', { uid: `uid-${String(index)}` }),
  );

  it('keeps so many names as people read, and says of everything that it left out that there may be more', () => {
    if (question === undefined) throw new Error('no question');
    const referrers = new Referrers(question, of);
    for (const object of objects) atOnce(referrers.add(object));

    const lookups = referrers.findings('read-to-the-end').map(({ lookup }) => lookup);

    const kept = lookups.map((lookup) => ('dependents' in lookup ? lookup.dependents.length : 0));
    expect(Math.min(...kept)).toBe(10);
    expect(kept.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(401 * 10 + 2_000);
    expect(new Set(lookups.map(({ answer }) => answer))).toEqual(new Set(['enough']));
    expect([referrers.areEnough, referrers.areMany, referrers.areDecisive]).toEqual([true, true, true]);
  });

  it('tells of each rule once that nobody refers at any of its other paths', () => {
    const { rule } = match();
    const paths = ['.spec.a', '.spec.b', '.spec.c', '.spec.vpcRef.name'];
    const [question] = questionsOf(paths.map((fieldPath) => ({ ...match({ fieldPath }), rule })));
    if (question === undefined) throw new Error('no question');
    const referrers = new Referrers(question, of);
    atOnce(referrers.add(virtualMachine('vm', 'my-vpc')));
    const told = (end: 'read-to-the-end' | 'stopped-early') =>
      referrers.findings(end).map(({ fieldPath, lookup }) => `${fieldPath} ${lookup.answer}`);

    expect(told('read-to-the-end')).toEqual(['.spec.a listed', '.spec.vpcRef.name listed']);
    expect(told('stopped-early')).toEqual(['.spec.a cannot-tell', '.spec.vpcRef.name enough']);
  });

  it('still finds the one that refuses behind a thousand that only warn', () => {
    const [strict] = questionsOf([...matches, match({ rule: { name: 'strict' }, fieldPath: '.spec.backup' })]);
    if (strict === undefined) throw new Error('no question');
    const referrers = new Referrers(strict, of);
    for (const object of objects) atOnce(referrers.add(object));
    expect(referrers.areEnough).toBe(false);

    atOnce(referrers.add({ ...virtualMachine('last', 'other', { uid: 'uid-last' }), spec: { backup: 'my-vpc' } }));

    expect(decideDeletion(of, 'enforcing', { state: 'rules-known', findings: referrers.findings('read-to-the-end') })).toMatchObject({
      verdict: 'deny',
      because: 'in-use',
      blockers: [{ rule: { name: 'strict' }, dependent: { name: 'last' } }],
    });
  });
});

type Rules = readonly { readonly enforcement: 'Deny' | 'Warn' | 'Audit'; readonly whileTerminating: 'Block' | 'Ignore' }[];

function referrersFor(rules: Rules): Referrers {
  const [question] = questionsOf(rules.map((rule, index) => match({ rule: { ...rule, name: `rule-${String(index)}` } })));
  if (question === undefined) throw new Error('no question');
  return new Referrers(question, of);
}

function judge(rules: Rules, objects: readonly KubeObject[], pageSize: number): Decision {
  const referrers = referrersFor(rules);
  let read = 0;
  for (const object of objects) {
    atOnce(referrers.add(object));
    read += 1;
    const isEndOfPage = read % pageSize === 0 && read < objects.length;
    if (isEndOfPage && referrers.areEnough) {
      return decideDeletion(of, 'enforcing', { state: 'rules-known', findings: referrers.findings('stopped-early') });
    }
  }
  return decideDeletion(of, 'enforcing', { state: 'rules-known', findings: referrers.findings('read-to-the-end') });
}

function verdict({ verdict: says, because }: Decision): readonly string[] {
  return [says, because];
}
