import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import { desiredWebhooks, guardedBy, type GuardedResource, type WebhookAddress } from './desired-webhooks.js';

const address: WebhookAddress = {
  guardedCluster: '1k7ez4' as LogicalClusterName,
  webhookUrl: 'https://dep-ctrl.example.com/validate',
  urlToken: 't0k3n',
  caBundle: 'Y2E=',
};
const vpcs = { group: 'network.example.com', resource: 'vpcs' };
const subnets = { group: 'network.example.com', resource: 'subnets' };

describe(desiredWebhooks, () => {
  it('given nothing guarded, then there are no entries', () => {
    expect(desiredWebhooks([], address).webhooks).toEqual([]);
  });

  it.each<{ given: string; guarded: GuardedResource[]; expected: Record<string, string[]> }>([
    {
      given: 'a Deny rule',
      guarded: [{ ...vpcs, enforcement: 'Deny' }],
      expected: { 'dependency-controller': ['vpcs'], bypass: ['vpcs'] },
    },
    {
      given: 'a Warn rule and an Audit rule',
      guarded: [
        { ...vpcs, enforcement: 'Warn' },
        { ...subnets, enforcement: 'Audit' },
      ],
      expected: { advisory: ['subnets', 'vpcs'], bypass: ['subnets', 'vpcs'] },
    },
    {
      given: 'a resource under Deny and Warn',
      guarded: [
        { ...vpcs, enforcement: 'Warn' },
        { ...vpcs, enforcement: 'Deny' },
        { ...subnets, enforcement: 'Audit' },
      ],
      expected: { 'dependency-controller': ['vpcs'], advisory: ['subnets'], bypass: ['subnets', 'vpcs'] },
    },
    {
      given: 'a resource under Deny and one of another group that has its name, under Warn',
      guarded: [
        { ...vpcs, enforcement: 'Deny' },
        { ...vpcs, group: 'peering.example.com', enforcement: 'Warn' },
      ],
      expected: { 'dependency-controller': ['vpcs'], advisory: ['vpcs'], bypass: ['vpcs', 'vpcs'] },
    },
  ])('given $given, then each entry holds its resources', ({ guarded, expected }) => {
    const entries = desiredWebhooks(guarded, address).webhooks;

    const held = entries.map(({ name, rules }) => [
      name.replace('.dependencies.opendefense.cloud', ''),
      rules.flatMap(({ resources }) => resources),
    ]);
    expect(Object.fromEntries(held)).toEqual(expected);
  });

  it('given all three entries, then each is spelled as the API servers get it', () => {
    const guarded: GuardedResource[] = [
      { ...vpcs, enforcement: 'Deny' },
      { ...subnets, enforcement: 'Warn' },
    ];
    const rule = (...resources: string[]) => ({
      operations: ['DELETE'],
      apiGroups: ['network.example.com'],
      apiVersions: ['*'],
      resources,
      scope: '*',
    });
    const all = { matchPolicy: 'Equivalent', sideEffects: 'None', admissionReviewVersions: ['v1'] };
    const value = "oldObject.metadata.?annotations[?'dependencies.opendefense.cloud/skip-protection'].orValue('')";

    expect(desiredWebhooks(guarded, address)).toEqual({
      labels: { 'app.kubernetes.io/managed-by': 'dep-ctrl' },
      webhooks: [
        {
          ...all,
          name: 'dependency-controller.dependencies.opendefense.cloud',
          clientConfig: { url: 'https://dep-ctrl.example.com/validate/1k7ez4/t0k3n', caBundle: 'Y2E=' },
          rules: [rule('vpcs')],
          failurePolicy: 'Fail',
          timeoutSeconds: 10,
          matchConditions: [{ name: 'not-skipped', expression: `${value} != 'true'` }],
        },
        {
          ...all,
          name: 'advisory.dependencies.opendefense.cloud',
          clientConfig: { url: 'https://dep-ctrl.example.com/validate/1k7ez4/t0k3n/advisory', caBundle: 'Y2E=' },
          rules: [rule('subnets')],
          failurePolicy: 'Ignore',
          timeoutSeconds: 2,
          matchConditions: [{ name: 'not-skipped', expression: `${value} != 'true'` }],
        },
        {
          ...all,
          name: 'bypass.dependencies.opendefense.cloud',
          clientConfig: { url: 'https://dep-ctrl.example.com/validate/1k7ez4/t0k3n/bypass', caBundle: 'Y2E=' },
          rules: [rule('subnets', 'vpcs')],
          failurePolicy: 'Ignore',
          timeoutSeconds: 2,
          matchConditions: [{ name: 'skipped', expression: `${value} == 'true'` }],
        },
      ],
    });
  });

  it('given neither token nor bundle, then the URL ends with the cluster and trust is the system’s', () => {
    const { guardedCluster, webhookUrl } = address;

    const [entry] = desiredWebhooks([{ ...vpcs, enforcement: 'Deny' }], { guardedCluster, webhookUrl }).webhooks;

    expect(entry!.clientConfig).toStrictEqual({ url: 'https://dep-ctrl.example.com/validate/1k7ez4' });
  });
});

describe(guardedBy, () => {
  const entry = (name: string, rules: unknown) => ({ name: `${name}.dependencies.opendefense.cloud`, rules });
  const rule = { operations: ['DELETE'], apiGroups: ['network.example.com'], resources: ['vpcs'] };

  it.each<{ given: string; webhooks: unknown; expected: readonly GuardedResource[] }>([
    { given: 'no entries', webhooks: undefined, expected: [] },
    { given: 'an entry that refuses', webhooks: [entry('dependency-controller', [rule])], expected: [{ ...vpcs, enforcement: 'Deny' }] },
    { given: 'an entry that warns', webhooks: [entry('advisory', [rule])], expected: [{ ...vpcs, enforcement: 'Warn' }] },
    { given: 'an entry for what is skipped, which repeats the others', webhooks: [entry('bypass', [rule])], expected: [] },
    { given: 'an entry of another name', webhooks: [entry('theirs', [rule])], expected: [] },
    {
      given: 'a rule for several groups, as somebody else may write it',
      webhooks: [entry('dependency-controller', [{ ...rule, apiGroups: ['network.example.com', ''] }])],
      expected: [
        { ...vpcs, enforcement: 'Deny' },
        { ...vpcs, group: '', enforcement: 'Deny' },
      ],
    },
    {
      given: 'names beside what is none',
      webhooks: [entry('advisory', [{ apiGroups: [7, 'network.example.com', null], resources: [{}, 'vpcs'] }])],
      expected: [{ ...vpcs, enforcement: 'Warn' }],
    },
    {
      given: 'what no server hands out',
      webhooks: ['text', entry('dependency-controller', 7), entry('advisory', [null, { apiGroups: [7], resources: 'vpcs' }])],
      expected: [],
    },
  ])('given $given, then it guards just what the entries say', ({ webhooks, expected }) => {
    expect(guardedBy({ metadata: {}, webhooks })).toEqual(expected);
  });

  it('given a product of many groups and many resources, then it is read up to a bound', () => {
    const names = Array.from({ length: 20_000 }, (_, index) => `n${index}`);
    const webhooks = [entry('dependency-controller', [{ ...rule, apiGroups: names, resources: names }])];

    expect(guardedBy({ metadata: {}, webhooks })).toHaveLength(100_000);
  });
});

describe('laws of desired webhooks', () => {
  const guardedResource = fc.record({
    group: fc.constantFrom('', 'a.io', 'b.io'),
    resource: fc.constantFrom('xs', 'ys', 'zs'),
    enforcement: fc.constantFrom('Deny' as const, 'Warn' as const, 'Audit' as const),
  });
  const anyOrder = fc
    .array(guardedResource, { maxLength: 12 })
    .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })));

  it('order and repetition of rules mean nothing, to the byte', () => {
    fc.assert(
      fc.property(anyOrder, ([list, shuffled]) => {
        expect(JSON.stringify(desiredWebhooks([...shuffled, ...list], address))).toBe(JSON.stringify(desiredWebhooks(list, address)));
      }),
    );
  });

  it('every denied resource is in the entry that fails closed, and no other is', () => {
    fc.assert(
      fc.property(fc.array(guardedResource), (list) => {
        const closed = desiredWebhooks(list, address).webhooks.filter(({ failurePolicy }) => failurePolicy === 'Fail');
        const held = closed.flatMap(({ rules }) =>
          rules.flatMap(({ apiGroups, resources }) => resources.map((name) => `${apiGroups[0]!}/${name}`)),
        );
        const denied = list.filter(({ enforcement }) => enforcement === 'Deny').map(({ group, resource }) => `${group}/${resource}`);

        expect(new Set(held)).toEqual(new Set(denied));
      }),
    );
  });

  it('more rules never take a resource out of the configuration', () => {
    fc.assert(
      fc.property(fc.array(guardedResource), guardedResource, (list, more) => {
        const held = (rules: readonly GuardedResource[]) =>
          desiredWebhooks(rules, address).webhooks.flatMap(({ rules: inner }) =>
            inner.flatMap(({ apiGroups, resources }) => resources.map((name) => `${apiGroups[0]!}/${name}`)),
          );

        expect(held([...list, more])).toEqual(expect.arrayContaining(held(list)));
      }),
    );
  });

  it('what is read back from a configuration is what it was made of, each resource as strictly as its entry', () => {
    fc.assert(
      fc.property(fc.array(guardedResource), (list) => {
        const { webhooks } = desiredWebhooks(list, address);

        const read = guardedBy({ metadata: {}, webhooks });

        const keyOf = ({ group, resource }: GuardedResource): string => `${group}/${resource}`;
        const denied = new Set(list.filter(({ enforcement }) => enforcement === 'Deny').map(keyOf));
        const expected = [...new Set(list.map(keyOf))].map((key) => `${denied.has(key) ? 'Deny' : 'Warn'} ${key}`);
        expect(read.map((each) => `${each.enforcement} ${keyOf(each)}`).toSorted()).toEqual(expected.toSorted());
        expect(desiredWebhooks(read, address)).toEqual(desiredWebhooks(list, address));
      }),
    );
  });
});
