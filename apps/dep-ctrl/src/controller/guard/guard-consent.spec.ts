import { describe, expect, it } from '@jest/globals';
import type { KubeObject, LogicalClusterName, WorkspacePath } from '@dep-ctrl/kcp-names';
import type { Consent, Guard } from '@dep-ctrl/rule-registry';
import { consentRemarks, turnedAwayRemarks, type IsBoundAt } from './guard-consent.js';
import { guardStatus, idleStatus, namingStatus } from './guard-status.js';

const now = '2026-01-01T00:00:00Z';
const object: KubeObject = { metadata: { name: 'dependency-controller', generation: 3 } };
const isBoundAt: IsBoundAt = (path) => (path === 'root:unread' ? undefined : !path.startsWith('root:no'));

describe(consentRemarks, () => {
  it.each<{ given: string; consent: readonly string[] | 'everyone'; expected: readonly unknown[] }>([
    { given: 'everyone', consent: 'everyone', expected: [] },
    { given: 'nobody', consent: [], expected: [] },
    { given: 'a workspace that binds dep-ctrl', consent: ['root:a'], expected: [] },
    { given: 'a path that nobody has asked for', consent: ['root:unread'], expected: [] },
    { given: 'a path that nobody has asked for, beside another', consent: ['root:a', 'root:nope', 'root:unread'], expected: [] },
    {
      given: 'a path where no workspace binds dep-ctrl',
      consent: ['root:a', 'root:nope'],
      expected: [
        'allowRulesFrom names "root:nope", where no workspace binds dep-ctrl: that admits no rules yet; correct the path if it is a mistake',
      ],
    },
    {
      given: 'a hundred of them',
      consent: Array.from({ length: 100 }, (_, at) => `root:no${String(at)}`),
      expected: [expect.stringMatching(/^allowRulesFrom names "root:no0", .*"root:no9" and 90 more, where/)],
    },
  ])('given a guard that admits $given, then it is told which paths admit nobody', ({ consent, expected }) => {
    expect(consentRemarks(object, guard(consent), isBoundAt).map(({ message }) => message)).toStrictEqual(expected);
  });

  it('given a guard that cannot be read, then nothing is said about its paths', () => {
    expect(consentRemarks(object, undefined, isBoundAt)).toEqual([]);
  });

  it('given more paths than count, then that is told', () => {
    expect(consentRemarks(object, guard(['root:a'], 2), isBoundAt)).toEqual([
      {
        type: 'ConsentResolved',
        status: 'False',
        reason: 'OverBound',
        message: 'allowRulesFrom names 130 workspaces: the first 128 are admitted, remove those that are not needed',
      },
    ]);
  });

  it('given a process that has not asked for the path yet, then what was said of this spec stands, and of another does not', () => {
    const remarks = consentRemarks(object, guard(['root:nope']), isBoundAt);
    const said = { ...object, status: idleStatus(object, now, remarks) };
    const edited = { ...said, metadata: { ...said.metadata, generation: 4 } };

    expect(idleStatus(said, 'later', consentRemarks(said, guard(['root:unread']), isBoundAt))).toEqual(said.status);
    expect(consentRemarks(edited, guard(['root:unread']), isBoundAt)).toEqual([]);
  });

  it('given such a path, then the reason is NotBound, whether there is a workspace or not', () => {
    expect(consentRemarks(object, guard(['root:nope']), isBoundAt)).toMatchObject([
      { type: 'ConsentResolved', status: 'False', reason: 'NotBound' },
    ]);
  });

  it('given such a path, then the guard is as ready as it was, and says it beside that in every state', () => {
    const remarks = consentRemarks(object, guard(['root:nope']), isBoundAt);
    const entry = { cluster: 'c1', rule: 'vms', dependent: 'VM.x', resource: 'vpcs.y', enforcement: 'Deny' } as const;
    const named = { entries: [entry], isEverything: true };
    const installed = { state: 'installed', resources: [], named: new Set<string>(), noRoom: new Set<string>() } as const;

    const states = [
      guardStatus(object, named, installed, now, remarks),
      idleStatus(object, now, remarks),
      namingStatus(object, named, now, remarks),
    ];

    expect(states.map((status) => status?.conditions?.map(({ type, status: is }) => `${type} ${is}`))).toEqual([
      ['Ready True', 'ConsentResolved False'],
      ['Ready True', 'ConsentResolved False'],
      ['Ready False', 'ConsentResolved False'],
    ]);
  });
});

describe(turnedAwayRemarks, () => {
  it('given no such rule, then nothing is said', () => {
    expect(turnedAwayRemarks([])).toEqual([]);
  });

  it('given rules that a mistyped path keeps out, then the guard names them once each, with what to do', () => {
    const vms = { author: 'root:providers:compute', rule: 'vms' };

    expect(turnedAwayRemarks([vms, { author: 'root:a', rule: 'z' }, vms])).toEqual([
      {
        type: 'RulesTurnedAway',
        status: 'True',
        reason: 'ConsentRefused',
        message:
          'allowRulesFrom does not name the workspaces of the rules root:a/z, root:providers:compute/vms: they are not in force here; add the paths of those workspaces to admit them',
      },
    ]);
  });

  it('given ten, then all of them are named; given more, then the first ten, and one more changes nothing', () => {
    const rules = Array.from({ length: 12 }, (_, at) => ({ author: 'root:a', rule: `r${String(at).padStart(2, '0')}` }));

    expect(turnedAwayRemarks(rules.slice(0, 10))[0]?.message).toMatch(/root:a\/r00, .*root:a\/r09: they are not in force here/);
    expect(turnedAwayRemarks(rules)[0]?.message).toMatch(/root:a\/r00, .*root:a\/r09 and others: they are not in force here/);
    expect(turnedAwayRemarks(rules)).toEqual(turnedAwayRemarks(rules.slice(0, 11)));
  });
});

function guard(consent: readonly string[] | 'everyone', ignoredConsents = 0): Guard {
  return {
    cluster: 'c1' as LogicalClusterName,
    uid: 'u',
    generation: 3,
    allowRulesFrom: consent === 'everyone' ? consent : (consent as readonly WorkspacePath[] satisfies Consent),
    ignoredConsents,
    madeByProvider: true,
    deleting: false,
    ruleRefs: [],
    namesEveryRule: true,
  };
}
