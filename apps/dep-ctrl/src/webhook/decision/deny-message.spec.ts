import { describe, expect, it } from '@jest/globals';
import { parseWorkspacePath } from '@dep-ctrl/kcp-names';
import type { Caller, Subject } from './admission-review.js';
import { decideDeletion, type Decision } from './decide-deletion.js';
import { answerOf } from './deny-message.js';
import type { Dependent, Evidence, FailedReadCode, Finding, Lookup, LookupFailure } from './lookup.js';
import type { ReviewMode } from './review-target.js';
import { VM, clusterScoped, dependent, finding, listed, person, rule, subject } from '../testing/builders.js';

const apiServer: Caller = { username: 'system:apiserver', isThroughExport: false };
const warrant: Caller = { username: 'bob', isThroughExport: true };
const router = { type: { group: 'network.example.com', resource: 'routers', kind: 'Router' } };
const foreignVm = { type: { ...VM, group: 'other.example.com' } };
const warn = { rule: rule({ enforcement: 'Warn' }) };
const audit = { rule: rule({ enforcement: 'Audit' }) };
const BY = ', says rule compute/vm-dependencies';
const VMS = 'virtualmachines.compute.example.com';
const IT = 'first change its reference or delete it';
const THEM = 'first change their references or delete them';

/** Why something could not be read, where trying again may help. */
const PASSING: readonly { readonly code: FailedReadCode; readonly why: (types: string) => string }[] = [
  { code: 'timeout', why: (types) => `${types} could not be read in time` },
  { code: 'throttled', why: (types) => `kcp has no capacity to list ${types} now` },
  { code: 'unavailable', why: (types) => `kcp could not list ${types}` },
  { code: 'unreachable', why: () => 'kcp could not be reached' },
  { code: 'not-served', why: (types) => `${types} is bound here but not served at the moment` },
  { code: 'unreadable', why: (types) => `the list of ${types} could not be understood` },
  { code: 'changing', why: (types) => `the list of ${types} kept changing while it was read` },
  { code: 'not-finished', why: (types) => `${types} were not read to the end` },
];

describe(answerOf, () => {
  it('given one blocker, then the refusal is what users of kubectl read, with its causes for programs', () => {
    expect(answer([finding(listed(dependent('my-vm')))])).toEqual({
      allowed: false,
      status: {
        code: 403,
        reason: 'Forbidden',
        message:
          'cannot delete vpcs/my-vpc: still referenced by VirtualMachine/my-vm, says rule compute/vm-dependencies; first change its reference or delete it: kubectl delete virtualmachines.compute.example.com my-vm -n default',
        details: {
          name: 'my-vpc',
          group: 'network.example.com',
          kind: 'vpcs',
          causes: [{ reason: 'StillReferenced', message: 'VirtualMachine/my-vm', field: 'spec.vpcRef.name' }],
        },
      },
      warnings: [],
      audit: { decision: 'in-use', rules: 'vm-dependencies', 'referenced-by': 'VirtualMachine/my-vm' },
    });
  });

  it.each<{ given: string; findings: Finding[]; of?: Subject; expected: string }>([
    {
      given: 'several in any order',
      findings: [finding(listed(dependent('b'), dependent('a'))), finding(listed(dependent('r')), router)],
      expected: `Router/r, VirtualMachine/a, VirtualMachine/b${BY}; ${THEM}: kubectl knows them as routers.network.example.com, ${VMS}`,
    },
    {
      given: 'one object that two paths lead to',
      findings: [finding(listed(dependent('a'))), finding(listed(dependent('a')), { fieldPath: '.spec.other' })],
      expected: `VirtualMachine/a${BY}; ${IT}: kubectl delete ${VMS} a -n default`,
    },
    {
      given: 'another namespace',
      findings: [finding(listed(dependent('a'), dependent('a', { namespace: 'prod' })))],
      expected: `VirtualMachine/a, VirtualMachine/prod/a${BY}; ${THEM}: kubectl knows them as ${VMS}`,
    },
    {
      given: 'a dependency without a namespace',
      findings: [finding(listed(dependent('a')))],
      of: clusterScoped(),
      expected: `VirtualMachine/default/a${BY}; ${IT}: kubectl delete ${VMS} a -n default`,
    },
    {
      given: 'a dependent without a namespace',
      findings: [finding(listed({ name: 'a', isTerminating: false }))],
      expected: `VirtualMachine/a${BY}; ${IT}: kubectl delete ${VMS} a`,
    },
    {
      given: 'two kinds of one name',
      findings: [finding(listed(dependent('a'))), finding(listed(dependent('a')), foreignVm)],
      expected: `VirtualMachine.compute.example.com/a, VirtualMachine.other.example.com/a${BY}; ${THEM}: kubectl knows them as ${VMS}, virtualmachines.other.example.com`,
    },
    {
      given: 'one that is being deleted',
      findings: [finding(listed(dependent('a', { isTerminating: true }), dependent('b')))],
      expected: `VirtualMachine/a (being deleted), VirtualMachine/b${BY}; ${THEM}: kubectl delete ${VMS} b -n default`,
    },
    {
      given: 'only such that are being deleted',
      findings: [finding(listed(dependent('a', { isTerminating: true })))],
      expected: `VirtualMachine/a (being deleted)${BY}; wait until that is gone`,
    },
    {
      given: 'twelve',
      findings: [finding(listed(...numbered(12)))],
      expected: `${ids(10)} and 2 more${BY}; ${THEM}: kubectl knows them as ${VMS}`,
    },
    {
      given: 'types whose names sort in another order than their kinds',
      findings: [
        finding(listed(dependent('a')), { type: { group: '', resource: 'zs', kind: 'A' } }),
        finding(listed(dependent('a')), { type: { group: '', resource: 'as', kind: 'Z' } }),
      ],
      expected: `A/a, Z/a${BY}; ${THEM}: kubectl knows them as as, zs`,
    },
    {
      given: 'eleven types',
      findings: numbered(11).map(({ name }) =>
        finding(listed(dependent('a')), { type: { group: '', resource: `r${name}`, kind: `K${name}` } }),
      ),
      expected: `${numbered(10)
        .map(({ name }) => `K${name}/a`)
        .join(', ')} and 1 more${BY}; ${THEM}: kubectl knows them as ${numbered(10)
        .map(({ name }) => `r${name}`)
        .join(', ')}`,
    },
    {
      given: 'a kind of the core group and another of its name',
      findings: [
        finding(listed(dependent('a')), { type: { group: '', resource: 'secrets', kind: 'Secret' } }),
        finding(listed(dependent('a')), { type: { group: 'x.io', resource: 'secrets', kind: 'Secret' } }),
      ],
      expected: `Secret.x.io/a, Secret/a${BY}; ${THEM}: kubectl knows them as secrets, secrets.x.io`,
    },
    {
      given: 'ten',
      findings: [finding(listed(...numbered(10)))],
      expected: `${ids(10)}${BY}; ${THEM}: kubectl delete ${VMS} 00 01 02 03 04 05 06 07 08 09 -n default`,
    },
    {
      given: 'a list that was not read to its end',
      findings: [finding({ answer: 'enough', dependents: [dependent('00'), ...numbered(12).slice(1)] })],
      expected: `${ids(10)} and possibly more${BY}; ${THEM}: kubectl knows them as ${VMS}`,
    },
    {
      given: 'a second type that could not be read',
      findings: [finding(listed(dependent('a'))), finding({ answer: 'cannot-tell', failure: { code: 'timeout', lasting: false } }, router)],
      expected: `VirtualMachine/a and possibly more${BY}; ${IT}: kubectl delete ${VMS} a -n default`,
    },
  ])('given $given, then the text is sorted, capped and says what to do', ({ findings, of = subject(), expected }) => {
    expect(message(findings, { of })).toBe(`cannot delete vpcs/my-vpc: still referenced by ${expected}`);
  });

  it('given rules that name one type by two kinds, then an object is named once, by its own', () => {
    const vm = dependent('a', { kind: 'VirtualMachine' });
    const misnamed = { type: { ...VM, kind: 'Machine' } };

    expect(message([finding(listed(vm), misnamed), finding(listed(vm))])).toBe(
      `cannot delete vpcs/my-vpc: still referenced by VirtualMachine/a${BY}; ${IT}: kubectl delete ${VMS} a -n default`,
    );
  });

  it('given several rules, then each is named once, by workspace and name, and no more than three', () => {
    const findings = ['d', 'b', 'a', 'c'].map((name) => finding(listed(dependent('a')), { rule: rule({ name }) }));

    expect(message(findings.slice(1, 3))).toContain(
      'VirtualMachine/a, says rules compute/a, compute/b; first change its reference or delete it',
    );
    expect(message(findings.slice(1))).toContain('VirtualMachine/a, says rules compute/a, compute/b, compute/c; first');
    expect(message(findings)).toContain(
      'VirtualMachine/a, says rules compute/a, compute/b, compute/c and 1 more; first change its reference or delete it',
    );
  });

  it('given rules that name one type by two kinds, when nobody can tell, then that is said once', () => {
    const doubt: Lookup = { answer: 'cannot-tell', failure: { code: 'timeout', lasting: false } };
    const findings = [finding(doubt), finding(doubt, { type: { ...VM, kind: 'Machine' } })];

    for (const each of [findings, findings.toReversed()]) {
      expect(message(each)).toBe(
        'cannot delete vpcs/my-vpc: cannot tell whether a Machine still refers to it, as virtualmachines.compute.example.com could not be read in time; try again in a moment',
      );
    }
  });

  it.each([
    { kinds: ['C', 'A', 'B'], more: '' },
    { kinds: ['D', 'C', 'A', 'B', 'E'], more: ' and 2 more' },
  ])('given the kinds $kinds that nobody can tell about, then three are named, by name, and the others are counted', ({ kinds, more }) => {
    const doubt: Lookup = { answer: 'cannot-tell', failure: { code: 'unreachable', lasting: false } };
    const findings = kinds.map((kind) => finding(doubt, { type: { group: '', resource: `${kind.toLowerCase()}s`, kind } }));
    const whether = (kind: string): string => `cannot tell whether a ${kind} still refers to it, as kcp could not be reached`;

    expect(message(findings)).toBe(
      `cannot delete vpcs/my-vpc: ${whether('A')}; ${whether('B')}; ${whether('C')}${more}; try again in a moment`,
    );
  });

  it('given doubts with different remedies, then each remedy is given once', () => {
    const findings = [
      finding({ answer: 'cannot-tell', failure: { code: 'too-large', lasting: true } }),
      finding({ answer: 'cannot-tell', failure: { code: 'unauthorized', lasting: true } }),
      finding({ answer: 'cannot-tell', failure: { code: 'unauthorized', lasting: true } }, router),
    ];

    expect(message(findings)).toMatch(/; the log of dep-ctrl tells its operator what is missing; make them smaller, or delete them$/);
  });

  it('given a reference by a quoted key, then the cause names the path as it is', () => {
    const findings = [finding(listed(dependent('a')), { fieldPath: "['a.b'].c" })];

    expect(answer(findings)).toMatchObject({ status: { details: { causes: [{ field: "['a.b'].c" }] } } });
  });

  it('given one object that several paths lead to, then the cause names the first path by name', () => {
    const findings = ['.spec.b', '.spec.a', '.spec.c'].map((fieldPath) => finding(listed(dependent('a')), { fieldPath }));
    const causes = { status: { details: { causes: [{ field: 'spec.a' }] } } };

    expect(answer(findings)).toMatchObject(causes);
    expect(answer(findings, { caller: warrant })).toMatchObject(causes);
  });

  it('given a caller that the review does not name, then the answer is that for a person', () => {
    const findings = [finding(listed(dependent('a')))];
    const doubtful = [finding({ answer: 'cannot-tell', failure: { code: 'timeout', lasting: false } })];

    const warned = [finding(listed(dependent('a')), warn)];

    for (const each of [findings, doubtful, warned]) {
      const decision = decideDeletion(subject(), 'enforcing', { state: 'rules-known', findings: each });
      expect(answerOf(decision, { subject: subject(), caller: undefined, mode: 'enforcing' })).toEqual(answer(each));
    }
  });

  it.each<{ decision: Decision; status: unknown }>([
    {
      decision: { verdict: 'deny', because: 'too-many' },
      status: {
        code: 503,
        reason: 'ServiceUnavailable',
        message: 'cannot delete this object: too many deletions in this workspace are being checked; try again in a moment',
        details: { retryAfterSeconds: 1 },
      },
    },
    {
      decision: { verdict: 'deny', because: 'broken' },
      status: {
        code: 500,
        reason: 'InternalError',
        message: 'cannot delete this object: dep-ctrl failed while checking it; its log says why',
        details: {},
      },
    },
  ])('given a subject that was not read, when the review is $decision.because, then the refusal says so', ({ decision, status }) => {
    expect(answerOf(decision, { subject: undefined, caller: undefined, mode: 'enforcing' })).toEqual({
      allowed: false,
      status,
      warnings: [],
      audit: { decision: decision.because },
    });
  });

  it.each([
    { because: 'not-a-deletion', audit: {} },
    { because: 'not-guarded', audit: {} },
    { because: 'terminating', audit: { decision: 'terminating' } },
  ] as const)('given a delete that is allowed as $because, then nobody is warned, and the audit log says $audit', ({ because, audit }) => {
    const allowed: Decision = { verdict: 'allow', because };

    expect(answerOf(allowed, { subject: subject(), caller: person, mode: 'enforcing' })).toEqual({ allowed: true, warnings: [], audit });
  });

  it("given a caller through an export's virtual workspace, then there are kinds and counts, no names", () => {
    const findings = [finding(listed(...numbered(12))), finding(listed(dependent('r')), router)];

    expect(answer(findings, { caller: warrant })).toMatchObject({
      status: {
        message:
          'cannot delete vpcs/my-vpc: still referenced by Router (1), VirtualMachine (12); the owner of the consumer workspace must first delete them or change their references',
        details: { causes: [{ message: 'Router (1)' }, { message: 'VirtualMachine (12)' }] },
      },
    });
    expect(message([finding({ answer: 'enough', dependents: [dependent('00')] })], { caller: warrant })).toContain(
      'VirtualMachine (at least 1);',
    );
  });

  it.each([
    { isTerminating: [true, true], remedy: 'wait until that is gone' },
    { isTerminating: [true, false], remedy: 'the owner of the consumer workspace must first delete them or change their references' },
  ])(
    'given objects of which are being deleted: $isTerminating, then a caller through an export is told: $remedy',
    ({ isTerminating, remedy }) => {
      const [first = false, second = false] = isTerminating;
      const vms = [dependent('a', { isTerminating: first }), dependent('a', { namespace: 'other', isTerminating: second })];

      expect(message([finding(listed(...vms))], { caller: warrant })).toBe(
        `cannot delete vpcs/my-vpc: still referenced by VirtualMachine (2); ${remedy}`,
      );
    },
  );

  it.each<{ failure: LookupFailure; expected: string }>([
    {
      failure: { code: 'too-large', lasting: true },
      expected: 'as single objects of virtualmachines.compute.example.com are too large to be read; make them smaller, or delete them',
    },
    {
      failure: { code: 'forbidden', lasting: true },
      expected:
        "as dep-ctrl may not read virtualmachines.compute.example.com here; an admin of kcp's shards must run, with FILE once per shard: dep-ctrl bind PATH --shard-kubeconfig FILE, where PATH is the workspace that exports virtualmachines.compute.example.com",
    },
    {
      failure: { code: 'unauthorized', lasting: true },
      expected: 'as kcp does not accept the credentials of dep-ctrl; the log of dep-ctrl tells its operator what is missing',
    },
    {
      failure: { code: 'version-not-served', lasting: true, version: 'v1alpha1' },
      expected:
        'as virtualmachines.compute.example.com is no longer served in version v1alpha1; the author of rule "vm-dependencies" can name a version that is served',
    },
  ])('given the lasting reason $failure.code, then 403 says who can fix it', ({ failure, expected }) => {
    expect(answer([finding({ answer: 'cannot-tell', failure })])).toMatchObject({
      status: {
        code: 403,
        reason: 'Forbidden',
        message: `cannot delete vpcs/my-vpc: cannot tell whether a VirtualMachine still refers to it, ${expected}`,
        details: { name: 'my-vpc' },
      },
    });
  });

  it('given a binding that kcp moves to a new export of the same name, then 503 says so', () => {
    const failure: LookupFailure = { code: 'export-recreated', lasting: false, binding: 'compute' };

    expect(answer([finding({ answer: 'cannot-tell', failure })])).toMatchObject({
      status: {
        code: 503,
        message:
          'cannot delete vpcs/my-vpc: cannot tell whether a VirtualMachine still refers to it, as kcp has not yet moved APIBinding "compute" to the new export that replaced the one of the same name; try again in a moment',
      },
    });
  });

  it.each(PASSING)(
    'given the passing reason $code, then 503 lets kubectl try again by itself, and the API server by its own clock',
    ({ code, why }) => {
      const findings = [finding({ answer: 'cannot-tell', failure: { code, lasting: false } })];

      expect(answer(findings)).toMatchObject({
        status: {
          code: 503,
          reason: 'ServiceUnavailable',
          message: `cannot delete vpcs/my-vpc: cannot tell whether a VirtualMachine still refers to it, as ${why(VMS)}; try again in a moment`,
          details: { retryAfterSeconds: 1 },
        },
      });
      expect(answer(findings, { caller: apiServer })).toMatchObject({
        status: { code: 503, details: expect.not.objectContaining({ retryAfterSeconds: 1 }) },
      });
    },
  );

  it('given a lasting and a passing reason, then trying again would not help: 403 names the lasting one', () => {
    const findings = [
      finding({ answer: 'cannot-tell', failure: { code: 'timeout', lasting: false } }, router),
      finding({ answer: 'cannot-tell', failure: { code: 'forbidden', lasting: true } }),
    ];

    expect(answer(findings)).toMatchObject({ status: { code: 403, message: expect.not.stringContaining('Router') } });
  });

  it('given rules that are not read yet, then 503', () => {
    const answered = answerOf(decideDeletion(subject(), 'enforcing', { state: 'rules-unknown' }), {
      subject: subject(),
      caller: person,
      mode: 'enforcing',
    });

    expect(answered).toMatchObject({
      status: {
        code: 503,
        message: 'cannot delete vpcs/my-vpc: dep-ctrl has not read all rules about it yet; try again in a moment',
        details: { retryAfterSeconds: 1 },
      },
    });
  });

  it('given rules of an earlier installation that are not back, then 403 says who can do what', () => {
    expect(inDoubt({ state: 'rules-not-back' })).toMatchObject({
      allowed: false,
      status: {
        code: 403,
        reason: 'Forbidden',
        message:
          'cannot delete vpcs/my-vpc: the rules are not back: dep-ctrl was installed anew, or the provider of its type unbound it; once all rules about the type are applied again, that provider runs dep-ctrl bind PATH --rules-are-back, or ends the protection: kubectl delete validatingwebhookconfiguration dependency-controller',
        details: expect.not.objectContaining({ retryAfterSeconds: 1 }),
      },
    });
  });

  it.each(['forbidden', 'unauthorized'] as const)(
    'given bindings that cannot be read for the lasting reason %s, then whoever asks is told what is told of a type that is not bound',
    (code) => {
      const failure = { code, lasting: true } as const;

      expect(inDoubt({ state: 'bindings-unknown', failure })).toEqual(inDoubt({ state: 'not-exported-here' }));
    },
  );

  it.each(PASSING)(
    'given bindings that cannot be read for the passing reason $code, then 503 lets kubectl try again by itself',
    ({ code, why }) => {
      const evidence = { state: 'bindings-unknown', failure: { code, lasting: false } } as const;

      expect(inDoubt(evidence)).toMatchObject({
        status: {
          code: 503,
          reason: 'ServiceUnavailable',
          message: `cannot delete vpcs/my-vpc: cannot tell what is bound here, as ${why('apibindings.apis.kcp.io')}; try again in a moment`,
          details: { retryAfterSeconds: 1 },
        },
      });
      expect(inDoubt(evidence, { caller: apiServer })).toMatchObject({
        status: { code: 503, details: expect.not.objectContaining({ retryAfterSeconds: 1 }) },
      });
    },
  );

  it('given a type that is not bound from the workspace that asks, then 403 says no more than that', () => {
    expect(inDoubt({ state: 'not-exported-here' })).toEqual({
      allowed: false,
      status: {
        code: 403,
        reason: 'Forbidden',
        message:
          'cannot delete vpcs/my-vpc: cannot tell whether its type is bound here from the provider in the webhook URL: it is not, or dep-ctrl may not read the APIBindings here; the log of dep-ctrl tells its operator what is missing',
        details: { name: 'my-vpc', group: 'network.example.com', kind: 'vpcs' },
      },
      warnings: [],
      audit: { decision: 'not-exported-here' },
    });
  });

  it.each<{ evidence: Evidence; why: string }>([
    { evidence: { state: 'rules-unknown' }, why: 'not all rules are read yet' },
    { evidence: { state: 'rules-not-back' }, why: 'the rules of an earlier installation are not back yet' },
    {
      evidence: { state: 'bindings-unknown', failure: { code: 'forbidden', lasting: true } },
      why: 'cannot tell whether its type is bound here from the provider in the webhook URL',
    },
    {
      evidence: { state: 'not-exported-here' },
      why: 'cannot tell whether its type is bound here from the provider in the webhook URL',
    },
  ])('given $evidence.state on a lenient entry, then the caller is warned that nothing was checked', ({ evidence, why }) => {
    expect(inDoubt(evidence, { mode: 'advisory' })).toMatchObject({
      allowed: true,
      warnings: [`vpcs/my-vpc was not checked for references: ${why}`],
    });
  });

  it('given a review that makes no sense, then 400 says what is wrong with it', () => {
    const decision: Decision = { verdict: 'deny', because: 'invalid-review', problem: '.request.oldObject is null' };

    expect(answerOf(decision, { subject: undefined, caller: undefined, mode: 'enforcing' })).toMatchObject({
      allowed: false,
      status: { code: 400, reason: 'BadRequest', message: 'cannot review this deletion: .request.oldObject is null' },
    });
  });

  it.each([
    { given: 'another value', skip: 'yes', quoted: '"yes"' },
    { given: 'no value', skip: '', quoted: '""' },
    { given: 'a value over several lines', skip: 'a\nb', quoted: String.raw`"a\nb"` },
    { given: 'a long value', skip: 'y'.repeat(100), quoted: `"${'y'.repeat(75)}…"` },
  ])(
    'given the annotation that lifts the protection with $given, then every refusal says at its end that it does not',
    ({ skip, quoted }) => {
      const of = subject({ ignoredSkip: skip });
      const end = `; its annotation dependencies.opendefense.cloud/skip-protection is ${quoted}: only "true" lifts the protection`;

      expect(message([finding(listed(dependent('a')))], { of })).toBe(
        `cannot delete vpcs/my-vpc: still referenced by VirtualMachine/a${BY}; ${IT}: kubectl delete ${VMS} a -n default${end}`,
      );
      for (const code of ['forbidden', 'timeout'] as const) {
        const failure = { code, lasting: code === 'forbidden' } as LookupFailure;
        expect(message([finding({ answer: 'cannot-tell', failure })], { of }).endsWith(end)).toBe(true);
      }
      expect(answer([finding(listed())], { of })).toMatchObject({ allowed: true, warnings: [] });
    },
  );

  it.each<{ given: string; findings: Finding[]; mode?: ReviewMode; expected: string[] }>([
    {
      given: 'a blocker under Warn',
      findings: [finding(listed(dependent('a')), warn)],
      expected: ['vpcs/my-vpc is still referenced by VirtualMachine/a'],
    },
    { given: 'a blocker under Audit', findings: [finding(listed(dependent('a')), audit)], expected: [] },
    {
      given: 'a doubt under Warn',
      findings: [finding({ answer: 'cannot-tell', failure: { code: 'timeout', lasting: false } }, warn)],
      expected: [
        'cannot tell whether a VirtualMachine still refers to vpcs/my-vpc, as virtualmachines.compute.example.com could not be read in time',
      ],
    },
    {
      given: 'a doubt under Deny on a lenient entry',
      findings: [finding({ answer: 'cannot-tell', failure: { code: 'unreachable', lasting: false } })],
      mode: 'advisory',
      expected: ['cannot tell whether a VirtualMachine still refers to vpcs/my-vpc, as kcp could not be reached'],
    },
    {
      given: 'a doubt under Audit',
      findings: [finding({ answer: 'cannot-tell', failure: { code: 'timeout', lasting: false } }, audit)],
      expected: [],
    },
    { given: 'nothing', findings: [finding(listed())], expected: [] },
  ])('given $given, then the caller is warned of it: $expected', ({ findings, mode = 'enforcing', expected }) => {
    expect(answer(findings, { mode })).toMatchObject({ allowed: true, warnings: expected });
  });

  it('given an annotated object, then the caller is warned and the audit log says so', () => {
    expect(answerOf({ verdict: 'allow', because: 'bypassed' }, { subject: subject(), caller: person, mode: 'bypass' })).toEqual({
      allowed: true,
      warnings: ['vpcs/my-vpc is not protected: it is annotated dependencies.opendefense.cloud/skip-protection=true'],
      audit: { decision: 'bypassed' },
    });
  });

  it('given an object that its owner waits for, then the caller is warned and the audit log names the owner, as for an annotated object', () => {
    const owner = dependent('my-vm', { isTerminating: true });
    const owned = subject({ ownerUids: new Set(['uid-of-my-vm']) });

    expect(answer([finding({ answer: 'listed', dependents: [], waitingOwners: [owner] })], { of: owned })).toEqual({
      allowed: true,
      warnings: [
        'vpcs/my-vpc is still referenced by VirtualMachine/my-vm (being deleted): its ownerReferences name what refers to it as its owner, so the delete passes',
      ],
      audit: { decision: 'owner-waits', rules: 'vm-dependencies', 'referenced-by': 'VirtualMachine/my-vm (being deleted)' },
    });
  });

  it('given an object that its owner waits for, then a caller through an export is told a count', () => {
    const owner = dependent('my-vm', { isTerminating: true });
    const owned = subject({ ownerUids: new Set(['uid-of-my-vm']) });

    expect(answer([finding({ answer: 'listed', dependents: [], waitingOwners: [owner] })], { of: owned, caller: warrant })).toMatchObject({
      warnings: [expect.stringContaining('is still referenced by VirtualMachine (1) (being deleted): its ownerReferences name')],
    });
  });

  it('given several doubts, then the audit log names each reason once, by name', () => {
    const findings = (['unreachable', 'timeout', 'unreachable'] as const).map((code, index) =>
      finding({ answer: 'cannot-tell', failure: { code, lasting: false } }, index === 2 ? warn : {}),
    );

    expect(answer(findings).audit).toEqual({ decision: 'cannot-tell', rules: 'vm-dependencies', doubts: 'timeout,unreachable' });
    expect(answer(findings.slice(0, 1)).audit).toEqual({ decision: 'cannot-tell', rules: 'vm-dependencies', doubts: 'unreachable' });
  });

  it('given Deny, Warn and Audit rules together, then the audit log names all of them by their path', () => {
    const path = parseWorkspacePath('root:providers:compute');
    const audited = finding(listed(dependent('b')), {
      rule: rule({ name: 'z', enforcement: 'Audit', ...(path.ok ? { path: path.value } : {}) }),
    });
    const doubtful = finding({ answer: 'cannot-tell', failure: { code: 'timeout', lasting: false } }, warn);

    expect(answer([finding(listed(dependent('a'))), audited, doubtful])).toMatchObject({
      audit: {
        decision: 'in-use',
        rules: 'root:providers:compute/z,vm-dependencies',
        'referenced-by': 'VirtualMachine/a, VirtualMachine/b and possibly more',
        doubts: 'timeout',
      },
    });
  });

  it('given clusters in all that is known, then no text shows one', () => {
    const texts = JSON.stringify([
      answer([finding(listed(dependent('a')))]),
      answer([finding({ answer: 'cannot-tell', failure: { code: 'forbidden', lasting: true } })]),
    ]);

    expect(texts).not.toMatch(/consumer|"compute"/);
  });
});

interface Circumstances {
  readonly of?: Subject;
  readonly caller?: Caller;
  readonly mode?: ReviewMode;
}

function answer(
  findings: readonly Finding[],
  { of = subject(), caller = person, mode = 'enforcing' }: Circumstances = {},
): ReturnType<typeof answerOf> {
  return answerOf(decideDeletion(of, mode, { state: 'rules-known', findings }), { subject: of, caller, mode });
}

function inDoubt(evidence: Evidence, { caller = person, mode = 'enforcing' }: Circumstances = {}): ReturnType<typeof answerOf> {
  return answerOf(decideDeletion(subject(), mode, evidence), { subject: subject(), caller, mode });
}

function message(findings: readonly Finding[], circumstances: Circumstances = {}): string {
  const answered = answer(findings, circumstances);
  return answered.allowed ? 'allowed' : answered.status.message;
}

function numbered(count: number): readonly Dependent[] {
  return Array.from({ length: count }, (_, index) => dependent(String(index).padStart(2, '0')));
}

function ids(count: number): string {
  return numbered(count)
    .map(({ name }) => `VirtualMachine/${name}`)
    .join(', ');
}
