import { describe, expect, it } from '@jest/globals';
import type { LogicalClusterName, WorkspacePath } from '@dep-ctrl/kcp-names';
import { isRejected, MOST_RULES, reportRule, type DependencyRuleStatus, type RejectedRule, type Rule } from '@dep-ctrl/rule-registry';
import type { Verification } from '@dep-ctrl/exported-types';
import type { Installation } from '../configuration/installation.js';
import { abandonedRuleStatus, isWorthSaying, overQuotaStatus, rejectedRuleStatus, ruleStatus, type RuleFacts } from './rule-status.js';
import type { TargetFacts } from './target-answer.js';

const now = '2026-01-01T00:00:00Z';
const net1 = 'net1' as LogicalClusterName;
const verified: Verification = { state: 'verified' };
const installed: Installation = {
  state: 'installed',
  resources: [{ group: 'network.example.com', resource: 'vpcs' }],
  named: new Set(),
  noRoom: new Set(),
};

describe(ruleStatus, () => {
  it('given everything found and written, then the rule is ready', () => {
    const status = statusOf({});

    expect(status.targetsInstalled).toBe('1/1');
    expect(messageOf(status, 'InForce')).toBe('deletes are checked for every target');
    expect(messageOf(status, 'TargetsResolved')).toBe('every export, version and field that the rule names was found');
    expect(messageOf(status, 'Accepted')).toBe('the rule is well formed');
    expect(status.targets).toEqual([{ path: 'root:network', resource: 'vpcs.network.example.com', state: 'Installed' }]);
    expect(table(status)).toEqual({
      Ready: 'True Installed',
      InForce: 'True Installed',
      Accepted: 'True Valid',
      TargetsResolved: 'True Resolved',
      WebhooksInstalled: 'True Written',
    });
  });

  it.each<{ given: string; facts: Partial<TargetFacts>; dependent?: Verification; expected: Record<string, string>; state: string }>([
    {
      given: 'a path that nobody has asked for',
      facts: { place: undefined },
      expected: {
        InForce: 'Unknown Pending',
        Ready: 'False Pending',
        TargetsResolved: 'Unknown Pending',
        WebhooksInstalled: 'False Pending',
      },
      state: 'Pending',
    },
    {
      given: 'a path where no workspace binds dep-ctrl',
      facts: { place: 'not-bound' },
      expected: {
        InForce: 'False NotBound',
        Ready: 'False NotBound',
        TargetsResolved: 'False NotBound',
        WebhooksInstalled: 'False NotBound',
      },
      state: 'Missing',
    },
    {
      given: 'a provider that unbinds',
      facts: { installation: { state: 'failed', reason: 'NotBound', message: 'bind it' } },
      expected: {
        InForce: 'False NotBound',
        Ready: 'False NotBound',
        TargetsResolved: 'True Resolved',
        WebhooksInstalled: 'False NotBound',
      },
      state: 'Failed',
    },
    {
      given: 'a provider that refuses consent',
      facts: { consentRefused: 'ask them' },
      expected: {
        InForce: 'False ConsentRefused',
        Ready: 'False ConsentRefused',
        TargetsResolved: 'True Resolved',
        WebhooksInstalled: 'False ConsentRefused',
      },
      state: 'Refused',
    },
    {
      given: 'a configuration that lacks the resource still',
      facts: { installation: { state: 'installed', resources: [], named: new Set(), noRoom: new Set() } },
      expected: { InForce: 'Unknown Pending', Ready: 'False Pending', WebhooksInstalled: 'False Pending' },
      state: 'Pending',
    },
    {
      given: 'a configuration without room for what the author names',
      facts: { installation: { state: 'failed', reason: 'NoRoom', message: 'name fewer' } },
      expected: { InForce: 'False NoRoom', Ready: 'False NoRoom', TargetsResolved: 'True Resolved', WebhooksInstalled: 'False NoRoom' },
      state: 'Failed',
    },
    {
      given: 'an export that may not be read',
      facts: { verification: { state: 'not-verified', problem: 'no rights' } },
      expected: {
        InForce: 'True Installed',
        Ready: 'True Installed',
        TargetsResolved: 'Unknown NotVerified',
        WebhooksInstalled: 'True Written',
      },
      state: 'Installed',
    },
    {
      given: 'a type that the export does not serve, although a configuration guards it',
      facts: { verification: { state: 'wrong', reason: 'ResourceNotExported', message: 'no vpcx' } },
      expected: {
        Ready: 'False ResourceNotExported',
        InForce: 'False ResourceNotExported',
        TargetsResolved: 'False ResourceNotExported',
        WebhooksInstalled: 'False ResourceNotExported',
      },
      state: 'Missing',
    },
    {
      given: 'a namespace for a target that is in none, in a rule that nobody could refuse when it was written',
      facts: { dependency: withNamespace(target({}).dependency), verification: { state: 'verified', isClusterScoped: true } },
      expected: {
        InForce: 'True Installed',
        Ready: 'False MeaninglessNamespace',
        TargetsResolved: 'False MeaninglessNamespace',
        WebhooksInstalled: 'True Written',
      },
      state: 'Installed',
    },
    {
      given: 'a namespace for a target that is in one',
      facts: { dependency: withNamespace(target({}).dependency) },
      expected: { InForce: 'True Installed', Ready: 'True Installed', TargetsResolved: 'True Resolved' },
      state: 'Installed',
    },
    {
      given: 'a field that does not exist, although all is installed',
      facts: {},
      dependent: { state: 'wrong', reason: 'FieldNotFound', message: 'no field .spec.x' },
      expected: {
        InForce: 'True Installed',
        Ready: 'False FieldNotFound',
        TargetsResolved: 'False FieldNotFound',
        WebhooksInstalled: 'True Written',
      },
      state: 'Installed',
    },
  ])('given $given, then it says so', ({ facts, dependent, expected, state }) => {
    const status = statusOf(facts, dependent === undefined ? {} : { dependent });

    expect(table(status)).toMatchObject({ Accepted: 'True Valid', ...expected });
    expect(status.targets![0]!.state).toBe(state);
  });

  it.each(['ClaimNotAccepted', 'Forbidden', 'Unreachable'] as const)(
    'given a configuration that cannot be written for the reason %s, then nobody knows whether the one before is in force',
    (reason) => {
      expect(table(statusOf({ installation: { state: 'failed', reason, message: 'm' } }))['InForce']).toBe(`Unknown ${reason}`);
    },
  );

  it.each(['Forbidden', 'Invalid', 'Unreachable'] as const)(
    'given a configuration that cannot be written for the reason %s, then the rule does not repeat the words of kcp, which are for that workspace',
    (reason) => {
      const status = statusOf({ installation: { state: 'failed', reason, message: 'https://kcp/clusters/abc: a policy says no' } });

      expect(messageOf(status, 'WebhooksInstalled')).toMatch(
        /^the configuration for "[^"]+" could not be written: the status of the guard there says why$/,
      );
      expect(JSON.stringify(status)).not.toContain('abc');
    },
  );

  it('given a name that is wrong and one that could not be verified, then the wrong one speaks', () => {
    const status = statusOf(
      { verification: { state: 'wrong', reason: 'VersionNotServed', message: 'no v9' } },
      { dependent: { state: 'not-verified', problem: 'no rights' } },
    );

    expect(table(status)['TargetsResolved']).toBe('False VersionNotServed');
    expect(messageOf(status, 'TargetsResolved')).toBe('no v9');
  });

  it('given a target that is pending and one that is refused, then the rule is not in force', () => {
    const targets = [target({ installation: undefined }), target({ consentRefused: 'ask' })];

    expect(table(statusOf({}, { targets }))['InForce']).toBe('False Pending');
  });

  it('given two targets of which one fails, then InForce says how many are checked, and why not all', () => {
    const failing = target({ installation: { state: 'failed', reason: 'Conflict', message: 'theirs' } });
    const other = { ...failing, dependency: ruleWith(2).dependencies[1]! };

    expect(messageOf(statusOf({}, { targets: [target({}), other] }), 'InForce')).toBe('deletes are checked for 1 of 2 targets; theirs');
  });

  it.each([
    { count: 10, ending: /9" binds dep-ctrl: .* root:9$/ },
    { count: 11, ending: /; and 1 more$/ },
  ])('given $count targets that each have a problem, then ten are told', ({ count, ending }) => {
    const { dependency: one } = target({});
    const targets = Array.from({ length: count }, (_, at) =>
      target({ dependency: { ...one, export: { ...one.export, path: `root:${String(at)}` as WorkspacePath } }, place: 'not-bound' }),
    );

    expect(messageOf(statusOf({}, { targets }), 'WebhooksInstalled')).toMatch(ending);
  });

  it('given more targets twice than a message names, then the first ten are told', () => {
    const report = reportRule('c1' as LogicalClusterName, object(Array.from({ length: 13 }, () => dependency({}))));
    if (isRejected(report)) throw new Error(JSON.stringify(report.problems));

    const told = messageOf(ruleStatus(report, factsOf({}), { before: undefined, now }), 'Accepted')?.split('; ');

    expect(told).toHaveLength(11);
    expect(told?.slice(1)).toEqual(
      Array.from({ length: 10 }, () => expect.stringMatching(/^\.spec\.dependencies\[\d+\] says .* counts once$/)),
    );
    expect(told?.at(-1)).toMatch(/^\.spec\.dependencies\[10\]/);
  });

  const missing = { state: 'missing', command: 'dep-ctrl bind root:compute --shard-kubeconfig FILE' } as const;
  const cure = "an admin of kcp's shards must run, with FILE once per shard: dep-ctrl bind root:compute --shard-kubeconfig FILE";

  it.each<{ enforcement: Rule['enforcement']; effect: string }>([
    { enforcement: 'Deny', effect: 'deletes that this rule guards are refused' },
    { enforcement: 'Warn', effect: 'this rule can only report that it cannot tell' },
    { enforcement: 'Audit', effect: 'this rule can only report that it cannot tell' },
  ])(
    'given dependents that the webhook may not read, under $enforcement, then Ready says so with the command',
    ({ enforcement, effect }) => {
      const status = ruleStatus({ ...ruleWith(1), enforcement }, { ...factsOf({}), grant: missing }, { before: undefined, now });

      expect(table(status)).toEqual({
        Ready: 'False GrantMissing',
        InForce: 'True Installed',
        Accepted: 'True Valid',
        TargetsResolved: 'True Resolved',
        WebhooksInstalled: 'True Written',
      });
      expect(status.conditions!.find(({ type }) => type === 'Ready')?.message).toBe(
        `the webhook may not read vms.compute.example.com, so ${effect}: ${cure}`,
      );
    },
  );

  it.each<{ given: string; facts: Partial<TargetFacts>; more: Partial<RuleFacts>; expected: string }>([
    { given: 'a right that nobody could tell of', facts: {}, more: { grant: { state: 'unknown' } }, expected: 'True Installed' },
    {
      given: 'a missing right and a provider that does not bind, which comes first',
      facts: { installation: { state: 'failed', reason: 'NotBound', message: 'bind it' } },
      more: { grant: missing },
      expected: 'False NotBound',
    },
    {
      given: 'a missing right and an export that may not be read, which is no problem by itself',
      facts: { verification: { state: 'not-verified', problem: 'no rights' } },
      more: { grant: missing },
      expected: 'False GrantMissing',
    },
  ])('given $given, then Ready is $expected', ({ facts, more, expected }) => {
    expect(table(statusOf(facts, more))['Ready']).toBe(expected);
  });

  it.each<{ path: string; home?: string; expected: string }>([
    {
      path: 'root:network',
      expected: 'no workspace at "root:network" binds dep-ctrl: correct the path, or have its owner bind it: dep-ctrl bind root:network',
    },
    {
      path: 'root:network',
      home: 'root:guards',
      expected:
        'no workspace at "root:network" binds dep-ctrl: correct the path, or have its owner bind it: dep-ctrl bind root:network --workspace root:guards',
    },
    {
      path: 'root',
      expected: 'no workspace at "root" binds dep-ctrl: correct the path, or have its owner bind it: dep-ctrl bind root',
    },
    {
      path: 'storage',
      expected:
        'no workspace at "storage" binds dep-ctrl: a workspace path begins with "root:", such as "root:storage"; "storage" alone names a logical cluster',
    },
  ])('given a target $path, home $home, where no workspace binds dep-ctrl, then it says what to do', ({ path, home, expected }) => {
    const { dependency: one } = target({});
    const dependency = { ...one, export: { ...one.export, path: path as WorkspacePath } };

    const status = statusOf({ dependency, place: 'not-bound', home: home as WorkspacePath | undefined });

    expect(status.conditions!.find(({ type }) => type === 'Ready')?.message).toBe(expected);
    expect(status.targets).toMatchObject([{ path, message: expected }]);
  });

  it('given any place and any installation, then neither targets nor conditions name a logical cluster', () => {
    const installations: readonly (Installation | undefined)[] = [installed, undefined, { state: 'pending', message: 'soon' }];
    const places = [net1, 'not-bound', undefined] as const;

    const statuses = installations.flatMap((installation) => places.map((place) => statusOf({ place, installation })));

    expect(statuses).toHaveLength(9);
    expect(JSON.stringify(statuses)).not.toContain(net1);
  });

  it.each<{ given: string; servedBy: readonly string[] | undefined; state: string; message: string }>([
    { given: 'another export has it', servedBy: ['network'], state: 'Installed', message: 'in force as written, although no export' },
    {
      given: 'no export has it',
      servedBy: [],
      state: 'Missing',
      message: 'no export; the configuration is written, and takes effect once that workspace exports the type',
    },
    {
      given: 'nobody may know',
      servedBy: undefined,
      state: 'Missing',
      message: 'no export; the configuration is written, and takes effect if that workspace exports the type',
    },
  ])(
    'given a type that the named export does not have, and $given, then the rule says what is in force',
    ({ servedBy, state, message }) => {
      const { targets, conditions } = statusOf({
        verification: { state: 'wrong', reason: 'ExportNotFound', message: 'no export', ...(servedBy !== undefined && { servedBy }) },
      });

      expect(targets).toMatchObject([{ state, message }]);
      expect(conditions!.find(({ type }) => type === 'Ready')).toMatchObject({ status: 'False', reason: 'ExportNotFound', message });
    },
  );

  it('given two targets of which one fails, then the failure speaks and the column counts', () => {
    const rule = ruleWith(2);
    const [first, second] = rule.dependencies;
    const facts: RuleFacts = {
      dependent: verified,
      grant: { state: 'granted' },
      cycles: [],
      targets: [
        target({ dependency: first }),
        target({ dependency: second!, installation: { state: 'failed', reason: 'Conflict', message: 'theirs' } }),
      ],
    };

    const status = ruleStatus(rule, facts, { before: undefined, now });

    expect(status.targetsInstalled).toBe('1/2');
    expect(table(status)).toMatchObject({ Ready: 'False Conflict', WebhooksInstalled: 'False Conflict' });
  });

  it.each<{ given: string; second: Partial<TargetFacts>; targets: string; condition: string; inForce: string }>([
    { given: 'two targets that are guarded', second: {}, targets: '2/2', condition: 'True Written', inForce: 'True Installed' },
    {
      given: 'a second target that the export does not export',
      second: { verification: { state: 'wrong', reason: 'ResourceNotExported', message: 'no vpcx' } },
      targets: '1/2',
      condition: 'False ResourceNotExported',
      inForce: 'False PartlyInstalled',
    },
    {
      given: 'a second target whose export is not there',
      second: { verification: { state: 'wrong', reason: 'ExportNotFound', message: 'no export' } },
      targets: '1/2',
      condition: 'False ExportNotFound',
      inForce: 'False PartlyInstalled',
    },
    {
      given: 'a second target whose export is not there, while nothing else exports its type',
      second: { verification: { state: 'wrong', reason: 'ExportNotFound', message: 'no export', servedBy: [] } },
      targets: '1/2',
      condition: 'False ExportNotFound',
      inForce: 'False PartlyInstalled',
    },
    {
      given: 'a second target that the export does not export, but another, so that it is guarded all the same',
      second: { verification: { state: 'wrong', reason: 'ResourceNotExported', message: 'no vpcs', servedBy: ['network'] } },
      targets: '2/2',
      condition: 'True Written',
      inForce: 'True Installed',
    },
    {
      given: 'a second target whose export is not there, but another, whose configuration is still to be written',
      second: {
        verification: { state: 'wrong', reason: 'ExportNotFound', message: 'no export', servedBy: ['network'] },
        installation: undefined,
      },
      targets: '1/2',
      condition: 'False Pending',
      inForce: 'False PartlyInstalled',
    },
    {
      given: 'a second target where no workspace binds dep-ctrl',
      second: { place: 'not-bound' },
      targets: '1/2',
      condition: 'False NotBound',
      inForce: 'False PartlyInstalled',
    },
    {
      given: 'a second target that is refused',
      second: { consentRefused: 'ask' },
      targets: '1/2',
      condition: 'False ConsentRefused',
      inForce: 'False PartlyInstalled',
    },
    {
      given: 'a second target nobody has looked at',
      second: { installation: undefined },
      targets: '1/2',
      condition: 'False Pending',
      inForce: 'Unknown PartlyInstalled',
    },
    {
      given: 'a second target in another version, which is guarded all the same',
      second: { verification: { state: 'wrong', reason: 'VersionNotServed', message: 'no v9' } },
      targets: '2/2',
      condition: 'True Written',
      inForce: 'True Installed',
    },
  ])(
    'given $given, then the column says $targets and WebhooksInstalled $condition: they never disagree',
    ({ second, targets, condition, inForce }) => {
      const rule = ruleWith(2);
      const [first, other = first] = rule.dependencies;
      const facts: RuleFacts = {
        dependent: verified,
        grant: { state: 'granted' },
        cycles: [],
        targets: [target({ dependency: first }), target({ dependency: other, ...second })],
      };

      const status = ruleStatus(rule, facts, { before: undefined, now });

      expect([status.targetsInstalled, table(status)['WebhooksInstalled']]).toEqual([targets, condition]);
      expect(table(status)['InForce']).toBe(inForce);
    },
  );

  it('given a target twice, then the rule is accepted and its author told', () => {
    const report = reportRule('c1' as LogicalClusterName, object([dependency({}), dependency({})]));
    if (isRejected(report)) throw new Error(JSON.stringify(report.problems));

    const status = ruleStatus(report, factsOf({}), { before: undefined, now });

    expect(table(status)).toMatchObject({ Ready: 'True Installed', Accepted: 'True Valid' });
    expect(status.targetsInstalled).toBe('1/1');
    expect(status.conditions!.find(({ type }) => type === 'Accepted')?.message).toBe(
      'the rule is well formed; .spec.dependencies[1] says the same as .spec.dependencies[0] and counts once',
    );
  });

  describe('a namespace beside the reference that the rule does not read', () => {
    const beside: Verification = { state: 'verified', namespaceBeside: new Map([['.spec.vpcRef.name', '.spec.vpcRef.namespace']]) };
    const readyMessage = (facts: Partial<TargetFacts>, dependent: Verification = beside): string | undefined => {
      const status = statusOf(facts, { dependent });
      expect(table(status)).toMatchObject({ Ready: 'True Installed', TargetsResolved: expect.stringMatching(/Resolved|NotVerified/) });
      return status.conditions!.find(({ type }) => type === 'Ready')?.message;
    };
    const written = 'written to kcp: in force about 0.1 s later';
    const { dependency: named } = target({});

    it('given a target in namespaces, then a rule that is ready says what it does not look at, and what to do', () => {
      expect(readyMessage({})).toBe(
        `${written}; .spec.vpcRef.namespace is not looked at: set fieldRef.namespacePath to guard across namespaces`,
      );
    });

    it('given a target whose scope nobody may know, then it says so as well', () => {
      expect(readyMessage({ verification: { state: 'not-verified', problem: 'no rights' } })).toMatch(
        /; not verified: no rights; \.spec\.vpcRef\.namespace is not looked at: /,
      );
    });

    it.each<{ given: string; facts?: Partial<TargetFacts>; dependent?: Verification }>([
      { given: 'a rule that reads it', facts: { dependency: { ...named, namespacePath: named.fieldPath } } },
      { given: 'a cluster-scoped target', facts: { verification: { state: 'verified', isClusterScoped: true } } },
      { given: 'a cluster-scoped dependent, which blocks that name in every namespace', dependent: { ...beside, isClusterScoped: true } },
      { given: 'a schema without such a field', dependent: verified },
      { given: 'a schema that nobody may read', dependent: { state: 'not-verified', problem: 'no rights' } },
    ])('given $given, then there is no such hint', ({ facts = {}, dependent = beside }) => {
      const doubt = dependent.state === 'not-verified' ? '; not verified: no rights' : '';

      expect(readyMessage(facts, dependent)).toBe(`${written}${doubt}`);
    });

    it('given more such fields than a message names, then the first ten are named', () => {
      const fields = Array.from({ length: 12 }, (_, at) => String(at + 10));
      const targets = fields.map((at) => target({ dependency: { ...named, fieldPath: { ...named.fieldPath, text: at } } }));
      const namespaceBeside = new Map(fields.map((at) => [at, `.n${at}`]));

      const message = messageOf(statusOf({}, { targets, dependent: { state: 'verified', namespaceBeside } }), 'Ready');

      expect(message).toContain('.n19');
      expect(message).not.toContain('.n20');
    });

    it('given several such references, then each field is named once', () => {
      const two = new Map([
        ['.spec.vpcRef.name', '.spec.a.namespace'],
        ['.spec.b', '.spec.namespace'],
      ]);
      const other = { ...named, fieldPath: { ...named.fieldPath, text: '.spec.b' } as typeof named.fieldPath };
      const targets = [target({}), target({}), target({ dependency: other })];

      const status = statusOf({}, { targets, dependent: { state: 'verified', namespaceBeside: two } });

      expect(status.conditions!.find(({ type }) => type === 'Ready')?.message).toBe(
        `${written}; .spec.a.namespace, .spec.namespace are not looked at: set fieldRef.namespacePath to guard across namespaces`,
      );
    });
  });

  it('given cycles of types, then there is a condition that names them', () => {
    const status = statusOf({}, { cycles: ['vms -> vpcs -> vms', 'vms -> vms'] });

    expect(status.conditions!.find(({ type }) => type === 'Cyclic')).toMatchObject({
      status: 'True',
      reason: 'CycleOfTypes',
      message: "types refer to each other in a circle: vms -> vpcs -> vms; vms -> vms: such objects refuse each other's deletion",
    });
  });

  it('given a rule that is ready and part of a cycle of types, then Ready says that too, and without a cycle it does not', () => {
    const [cyclic, other] = [statusOf({}, { cycles: ['vms -> vpcs -> vms'] }), statusOf({})];
    const readyOf = ({ conditions }: DependencyRuleStatus) => conditions!.find(({ type }) => type === 'Ready');

    expect(readyOf(cyclic)).toMatchObject({
      status: 'True',
      reason: 'Installed',
      message:
        "written to kcp: in force about 0.1 s later; types refer to each other in a circle: vms -> vpcs -> vms: such objects refuse each other's deletion",
    });
    expect(readyOf(other)?.message).not.toContain('circle');
  });

  it('given a rule with as many targets as a rule may have, none of which can be installed, then each is told, and the conditions fit their schema', () => {
    const targets = Array.from({ length: 64 }, (_, at) => {
      const { dependency: one } = target({});
      const path = `root:${String(at)}${'n'.repeat(400)}` as WorkspacePath;
      return target({ dependency: { ...one, export: { ...one.export, path } }, place: 'not-bound' });
    });

    const status = statusOf({}, { targets });

    expect(status.targetsInstalled).toBe('0/64');
    expect(status.targets).toHaveLength(64);
    const longest = Math.max(...status.conditions!.map(({ message }) => message.length));
    expect(longest).toBeLessThan(32_768); // what the schema of conditions admits
    expect(status.conditions?.find(({ type }) => type === 'Ready')?.message).toMatch(/; and 54 more$/);
  });

  it('given the same facts later, then the status is the same to the byte; given others, then only their time is new', () => {
    const before = statusOf({});

    const same = ruleStatus(ruleWith(1), factsOf({}), { before, now: '2026-02-02T00:00:00Z' });
    const other = ruleStatus(ruleWith(1), factsOf({ consentRefused: 'no' }), { before, now: '2026-02-02T00:00:00Z' });

    expect(same).toEqual(before);
    expect(other.conditions!.map(({ type, lastTransitionTime }) => `${type} ${lastTransitionTime.slice(5, 7)}`)).toEqual([
      'Ready 02',
      'InForce 02',
      'Accepted 01',
      'TargetsResolved 01',
      'WebhooksInstalled 02',
    ]);
  });
});

describe(rejectedRuleStatus, () => {
  it('given a built-in type and nothing else, then the reason says so, the message says where, and so does the target', () => {
    const report = rejected([dependency({ group: 'rbac.authorization.k8s.io', resource: 'clusterroles' })]);

    const status = rejectedRuleStatus(report, undefined, { before: undefined, now });

    expect(table(status)).toEqual({ Ready: 'False BuiltInType', InForce: 'False BuiltInType', Accepted: 'False BuiltInType' });
    expect(status.conditions![0]!.message).toMatch(/^\.spec\.dependencies\[0\]: .*; nothing of the rule is in force until it is fixed$/);
    expect(status).toMatchObject({
      targetsInstalled: '0/1',
      targets: [{ path: 'root:network', resource: 'clusterroles.rbac.authorization.k8s.io', state: 'Failed' }],
    });
  });

  it('given one bad target among good ones, then the good ones stay installed, and the status says target by target which are not and why', () => {
    const bad = dependency({ path: 'root:a-' });
    const report = rejected([dependency({}), bad, 7]);

    const status = rejectedRuleStatus(report, factsOf({}), { before: undefined, now });

    expect(table(status)).toEqual({
      Ready: 'False ImpossiblePath',
      InForce: 'False PartlyInstalled',
      Accepted: 'False ImpossiblePath',
      TargetsResolved: 'True Resolved',
      WebhooksInstalled: 'False ImpossiblePath',
    });
    expect(status.conditions![0]!.message).toMatch(/; the rest is in force until it is fixed$/);
    expect(status.conditions?.find(({ type }) => type === 'WebhooksInstalled')?.message).toMatch(
      /^vpcs\.network\.example\.com of "root:a-" cannot be read: \.spec\.dependencies\[1\]\.apiExportRef\.path: .*; cannot be read: \.spec\.dependencies\[2\]: expected an object/,
    );
    expect(messageOf(status, 'InForce')).toBe(`deletes are checked for 1 of 3 targets; ${String(messageOf(status, 'WebhooksInstalled'))}`);
    expect(status.targetsInstalled).toBe('1/3');
    expect(status.targets).toEqual([
      expect.objectContaining({
        path: 'root:a-',
        resource: 'vpcs.network.example.com',
        state: 'Failed',
        message: expect.stringMatching(/^cannot be read: \.spec\.dependencies\[1\]\.apiExportRef\.path: /),
      }),
      { path: '', resource: '', state: 'Failed', message: 'cannot be read: .spec.dependencies[2]: expected an object, found a number' },
      { path: 'root:network', resource: 'vpcs.network.example.com', state: 'Installed' },
    ]);
  });
});

describe('a rule with problems', () => {
  it('given what is no dependency at all, then the reason is Invalid', () => {
    expect(table(rejectedRuleStatus(rejected([7]), undefined, { before: undefined, now }))).toEqual({
      Ready: 'False Invalid',
      InForce: 'False Invalid',
      Accepted: 'False Invalid',
    });
  });

  it('given a target that cannot be read beside one that cannot be installed, then the installation speaks', () => {
    const failing = factsOf({ installation: { state: 'failed', reason: 'Conflict', message: 'theirs' } });

    const status = rejectedRuleStatus(rejected([dependency({}), 7]), failing, { before: undefined, now });

    expect([table(status)['WebhooksInstalled'], messageOf(status, 'WebhooksInstalled')]).toEqual(['False Conflict', 'theirs']);
  });

  it('given a problem that is about no target, then what can be installed is', () => {
    const many = Array.from({ length: 65 }, (_, at) => dependency({ path: `root:a${String(at)}` }));

    const status = rejectedRuleStatus(rejected(many), factsOf({}), { before: undefined, now });

    expect(table(status)).toMatchObject({ Ready: 'False OverBound', InForce: 'True Installed', WebhooksInstalled: 'True Written' });
  });
});

describe(overQuotaStatus, () => {
  it('given a rule too many, then it is not ready, says why and what to do, and names no target', () => {
    const status = overQuotaStatus(ruleWith(2), { before: undefined, now });

    expect(table(status)).toEqual({ Ready: 'False OverQuota', InForce: 'False OverQuota', Accepted: 'False OverQuota' });
    expect(status).toMatchObject({ observedGeneration: 1, targetsInstalled: '0/0', targets: [] });
    expect(status.conditions![0]!.message).toContain(`at most ${String(MOST_RULES)}, that name at most`);
  });

  it('given a rule that was in force until an older one came back, then nothing that it said of targets stands', () => {
    const before = statusOf({});

    expect(table(overQuotaStatus(ruleWith(1), { before, now }))).toEqual({
      Ready: 'False OverQuota',
      InForce: 'False OverQuota',
      Accepted: 'False OverQuota',
    });
  });
});

describe(isWorthSaying, () => {
  const waiting = factsOf({ installation: { state: 'waiting', message: 'its endpoint has not been read' } });
  const rule = ruleWith(1);

  it.each([
    { given: 'what an earlier process said', before: statusOf({}), expected: false },
    { given: 'what was said of another generation', before: { ...statusOf({}), observedGeneration: 7 }, expected: true },
    { given: 'what uninstall said', before: abandonedRuleStatus(object([dependency({})]), now), expected: true },
    { given: 'nothing', before: undefined, expected: true },
  ])('given a target whose endpoint has not been read and $given, then $expected', ({ before, expected }) => {
    expect(isWorthSaying(rule, waiting, before)).toBe(expected);
  });

  it.each<{ given: string; facts: Partial<TargetFacts>; expected: boolean }>([
    { given: 'a path that nobody has asked for', facts: { place: undefined, installation: undefined }, expected: false },
    { given: 'a path that nobody has asked for since it was written', facts: { place: undefined }, expected: false },
    { given: 'a workspace that was not reconciled yet', facts: { installation: undefined }, expected: false },
    { given: 'a workspace that refuses the rule', facts: { installation: undefined, consentRefused: 'ask' }, expected: true },
    { given: 'a path where no workspace binds dep-ctrl', facts: { place: 'not-bound', installation: undefined }, expected: true },
  ])('given $given, then it is worth saying: $expected', ({ facts, expected }) => {
    expect(isWorthSaying(ruleWith(1), factsOf(facts), undefined)).toBe(expected);
  });

  it.each<{ given: string; targets: readonly Partial<TargetFacts>[]; before: unknown; expected: boolean }>([
    { given: 'one target of two that was not reconciled', targets: [{}, { installation: undefined }], before: undefined, expected: false },
    {
      given: 'one target of two whose endpoint has not been read',
      targets: [{}, { installation: { state: 'waiting', message: 'm' } }],
      before: statusOf({}),
      expected: false,
    },
    { given: 'a target that is installed', targets: [{}], before: statusOf({}), expected: true },
    {
      given: 'a target that is bound nowhere',
      targets: [{ place: 'not-bound', installation: undefined }],
      before: statusOf({}),
      expected: true,
    },
  ])('given $given and what was said before, then it is worth saying: $expected', ({ targets, before, expected }) => {
    expect(isWorthSaying(rule, { ...factsOf({}), targets: targets.map(target) }, before)).toBe(expected);
  });
});

describe(abandonedRuleStatus, () => {
  it('given a rule that was in force, then it says that nothing is held any more, and of no target that it is installed', () => {
    const before = { ...object([dependency({})]), status: statusOf({}) };

    const status = abandonedRuleStatus(before, now);

    expect(table(status)).toEqual({ Ready: 'False Uninstalled', InForce: 'False Uninstalled' });
    expect(messageOf(status, 'Ready')).toContain('dep-ctrl was uninstalled: this rule is not in force; it ');
    expect(status).toMatchObject({
      observedGeneration: 1,
      targetsInstalled: '0/1',
      targets: [{ resource: 'vpcs.network.example.com', state: 'Pending', message: 'dep-ctrl was uninstalled' }],
    });
    expect(status.conditions?.map(({ lastTransitionTime }) => lastTransitionTime)).toEqual([now, now]);
    expect(abandonedRuleStatus({ ...before, status }, '2026-02-02T00:00:00Z')).toEqual(status);
  });

  it('given a rule that cannot be read, then it says the same of none', () => {
    const status = abandonedRuleStatus(object(['no dependency']), now);

    expect([table(status), status.targetsInstalled]).toEqual([{ Ready: 'False Uninstalled', InForce: 'False Uninstalled' }, '0/0']);
  });
});

function statusOf(facts: Partial<TargetFacts>, more: Partial<RuleFacts> = {}): DependencyRuleStatus {
  return ruleStatus(ruleWith(1), { ...factsOf(facts), ...more }, { before: undefined, now });
}

function factsOf(facts: Partial<TargetFacts>): RuleFacts {
  return { dependent: verified, grant: { state: 'granted' }, cycles: [], targets: [target(facts)] };
}

function target(facts: Partial<TargetFacts>): TargetFacts {
  return {
    dependency: ruleWith(1).dependencies[0],
    place: net1,
    consentRefused: undefined,
    verification: verified,
    installation: installed,
    ...facts,
  };
}

function withNamespace(dependency: TargetFacts['dependency']): TargetFacts['dependency'] {
  return { ...dependency, namespacePath: dependency.fieldPath };
}

function messageOf({ conditions = [] }: DependencyRuleStatus, wanted: string): string | undefined {
  return conditions.find(({ type }) => type === wanted)?.message;
}

function table(status: DependencyRuleStatus): Record<string, string> {
  return Object.fromEntries(status.conditions!.map(({ type, status: is, reason }) => [type, `${is} ${reason}`]));
}

function ruleWith(targets: number): Rule {
  const report = reportRule(
    'c1' as LogicalClusterName,
    object(Array.from({ length: targets }, (_, at) => dependency({ path: at === 0 ? 'root:network' : 'root:other' }))),
  );
  if (isRejected(report)) throw new Error(JSON.stringify(report.problems));
  return report;
}

function rejected(dependencies: readonly unknown[]): RejectedRule {
  const report = reportRule('c1' as LogicalClusterName, object(dependencies));
  if (!isRejected(report)) throw new Error('expected a rule that is refused');
  return report;
}

function object(dependencies: readonly unknown[]) {
  return {
    apiVersion: 'dependencies.opendefense.cloud/v1alpha1',
    kind: 'DependencyRule',
    metadata: { name: 'vms', uid: 'u', generation: 1, annotations: { 'kcp.io/cluster': 'c1' } },
    spec: {
      dependent: { apiExportName: 'compute.example.com', group: 'compute.example.com', version: 'v1', kind: 'VM', resource: 'vms' },
      dependencies,
    },
  };
}

function dependency({ path = 'root:network', group = 'network.example.com', resource = 'vpcs' }): object {
  return { apiExportRef: { path, name: 'network.example.com' }, group, version: 'v1', resource, fieldRef: { path: '.spec.vpcRef.name' } };
}
