import { describe, expect, it } from '@jest/globals';
import { reportRule, ruleInForce, ruleKeyOf, type RegistryWriter, type Rule } from '@dep-ctrl/rule-registry';
import { FedSource } from '../rules/spec-support/fed-source.js';
import { binding, endpoint, guard, name, path, rule } from '../rules/spec-support/objects.js';
import { rulesNaming, unreadyRules } from './unready-rules.js';

describe(unreadyRules, () => {
  it.each([
    {
      given: 'a rule whose field is not there',
      status: 'False',
      reason: 'FieldNotFound',
      expected: [
        { rule: 'root:compute/vms', isSeen: true, isNotInstalled: false, text: 'rule root:compute/vms is not ready (FieldNotFound): told' },
      ],
    },
    {
      given: 'a rule whose target has left',
      status: 'False',
      reason: 'NotBound',
      expected: [
        { rule: 'root:compute/vms', isSeen: true, isNotInstalled: true, text: 'rule root:compute/vms is not ready (NotBound): told' },
      ],
    },
    {
      given: 'a rule that found no room',
      status: 'False',
      reason: 'NoRoom',
      expected: [
        { rule: 'root:compute/vms', isSeen: true, isNotInstalled: true, text: 'rule root:compute/vms is not ready (NoRoom): told' },
      ],
    },
    {
      given: 'a rule whose target does not accept the claim',
      status: 'False',
      reason: 'ClaimNotAccepted',
      expected: [
        {
          rule: 'root:compute/vms',
          isSeen: true,
          isNotInstalled: true,
          text: 'rule root:compute/vms is not ready (ClaimNotAccepted): told',
        },
      ],
    },
    {
      given: 'a rule that was uninstalled',
      status: 'False',
      reason: 'Uninstalled',
      expected: [
        { rule: 'root:compute/vms', isSeen: true, isNotInstalled: true, text: 'rule root:compute/vms is not ready (Uninstalled): told' },
      ],
    },
    {
      given: 'a rule of an author with too many',
      status: 'False',
      reason: 'OverQuota',
      expected: [
        { rule: 'root:compute/vms', isSeen: true, isNotInstalled: true, text: 'rule root:compute/vms is not ready (OverQuota): told' },
      ],
    },
    { given: 'a rule that is ready', status: 'True', reason: 'Installed', expected: [] },
    {
      given: 'a rule that nobody has looked at',
      status: undefined,
      reason: '',
      expected: [
        {
          ...{ rule: 'root:compute/vms', isSeen: false, isNotInstalled: false },
          text: 'rule root:compute/vms has no status: no controller has looked at it',
        },
      ],
    },
  ])('given $given, then it says so', ({ status, reason, expected }) => {
    const source = new FedSource();
    const { reader, writer, seen } = source;
    const at = endpoint('a');
    const plain = rule();
    const other = { type: 'InForce', status: 'False', reason: 'Other', message: 'of another', lastTransitionTime: '2026-01-01T00:00:00Z' };
    const conditions = [other, { ...other, type: 'Ready', status, reason, message: 'told' }];
    const object = { ...plain.object, ...(status !== undefined && { status: { conditions } }) };
    source.name(at);
    resolvePaths(writer);
    source.list(at, 'bindings', binding(), binding({ cluster: 'compute1', path: 'root:compute' }));
    source.list(at, 'guards', guard());
    source.list(at, 'rules', { ...plain, object });
    const rules = reader.guarded(name('network1')).matches.map((match) => match.rule);

    expect(rules).toHaveLength(1);
    expect(unreadyRules(rules, { seen: seen.rules, paths: reader.paths })).toEqual(expected);
  });

  it('given a rule that is shown no more, in a workspace whose path is not known, then it has no status and is named by its cluster', () => {
    const { reader, seen } = new FedSource();

    expect(
      unreadyRules([{ ...parsedRule(), key: ruleKeyOf(name('compute1'), 'gone'), name: 'gone' }], {
        seen: seen.rules,
        paths: reader.paths,
      }),
    ).toEqual([
      {
        ...{ rule: 'compute1/gone', isSeen: false, isNotInstalled: false },
        text: 'rule compute1/gone has no status: no controller has looked at it',
      },
    ]);
  });
});

describe(rulesNaming, () => {
  it.each([
    { given: 'its type, among others', others: ['subnets'], resource: 'vpcs', cluster: name('network1'), isNamed: true },
    { given: 'another type', others: [], resource: 'subnets', cluster: name('network1'), isNamed: false },
    { given: 'its type, of another workspace', others: [], resource: 'vpcs', cluster: name('other1'), isNamed: false },
    { given: 'its type, at a path that nobody could look up', others: [], resource: 'vpcs', cluster: 'unknown', isNamed: true },
    { given: 'its type, at a path that leads nowhere', others: [], resource: 'vpcs', cluster: 'missing', isNamed: true },
  ] as const)('given a rule about $given, then it names the type: $isNamed', ({ others, resource, cluster, isNamed }) => {
    const one = parsedRule();
    const [dependency] = one.dependencies;
    const rules: readonly Rule[] = [
      { ...one, dependencies: [{ ...dependency, resource }, ...others.map((other) => ({ ...dependency, resource: other }))] },
    ];
    const type = { group: 'network.example.com', resource: 'vpcs' };

    const named = rulesNaming({ cluster: name('network1'), type }, { rules, paths: { clusterOf: () => cluster } });

    expect(named).toEqual(isNamed ? rules : []);
  });
});

function parsedRule(): Rule {
  const { cluster, object } = rule();
  const report = reportRule(cluster, object);
  const found = ruleInForce(report);
  if (found === undefined) throw new Error('the rule of this spec cannot be read');
  return found;
}

describe('a rule that names a type and guards nothing of it', () => {
  it.each([
    { given: 'a path that leads nowhere', target: 'root:netwrk', reason: 'NotBound', consent: undefined, isNamed: true },
    { given: 'a guard that does not admit it', target: 'root:network', reason: 'ConsentRefused', consent: [], isNamed: true },
    { given: "another provider's path", target: 'root:compute', reason: 'ConsentRefused', consent: [], isNamed: false },
  ])('given $given, then it is said to be not ready: $isNamed', ({ target, reason, consent, isNamed }) => {
    const source = new FedSource();
    const { reader, writer, seen } = source;
    const at = endpoint('a');
    const conditions = [{ type: 'Ready', status: 'False', reason, message: 'told', lastTransitionTime: '2026-01-01T00:00:00Z' }];
    source.name(at);
    resolvePaths(writer);
    source.list(at, 'bindings', binding(), binding({ cluster: 'compute1', path: 'root:compute' }));
    source.list(at, 'guards', guard({ ...(consent !== undefined && { consent }) }));
    source.list(at, 'rules', rule({ target, status: { conditions } }));
    const type = { group: 'network.example.com', resource: 'vpcs' };
    const cluster = name('network1');

    const named = rulesNaming({ cluster, type }, reader.snapshot());

    const text = `rule root:compute/vms is not ready (${reason}): told`;
    expect(reader.guarded(cluster).matches).toEqual([]);
    expect(unreadyRules(named, { seen: seen.rules, paths: reader.paths }).map((each) => each.text)).toEqual(isNamed ? [text] : []);
  });
});

function resolvePaths(writer: RegistryWriter): void {
  writer.pathResolved(path('root:network'), name('network1'));
  writer.pathResolved(path('root:compute'), name('compute1'));
  writer.pathResolved(path('root:netwrk'), 'missing');
}
