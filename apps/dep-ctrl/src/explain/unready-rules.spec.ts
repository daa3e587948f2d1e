import { describe, expect, it } from '@jest/globals';
import type { RegistryWriter } from '@dep-ctrl/rule-registry';
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
    const conditions = [{ type: 'Ready', status, reason, message: 'told', lastTransitionTime: '2026-01-01T00:00:00Z' }];
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
});

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
