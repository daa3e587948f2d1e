import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { GUARD_NAME } from '@dep-ctrl/rule-registry';
import { desiredWebhooks, type GuardedResource } from '../controller/configuration/desired-webhooks.js';
import { DEV_PATHS } from '../dev/dev-paths.js';
import { VPCS } from '../dev/provider-manifests.js';
import { binding, clusterNamed, installation, read, rule, shard } from '../doctor/spec-support/whole-facts.js';
import { OWNER_LABEL } from '../own-objects/configuration-labels.js';
import type { ShardFacts } from './facts.js';
import { providersOf } from './providers.js';
import { ruleViews } from './rule-views.js';

const NETWORK = clusterNamed('network');
const guarded: GuardedResource = { ...VPCS, enforcement: 'Deny' };
const unread = { state: 'unread', what: 'the rules', because: 'silent', why: 'no answer' } as const;

/** The binding of the guarded workspace. */
const bound = (state = 'Accepted'): KubeObject => {
  const object = binding({ metadata: { annotations: { 'kcp.io/cluster': NETWORK, 'kcp.io/path': DEV_PATHS.network } } });
  const { permissionClaims, ...spec } = object['spec'] as { readonly permissionClaims: readonly object[] };
  return { ...object, spec: { ...spec, permissionClaims: permissionClaims.map((claim) => ({ ...claim, state })) } };
};

/** A configuration in the guarded workspace. */
const configuration = ({
  owner = 'home',
  resources = [guarded],
  edit = {},
}: { owner?: string; resources?: readonly GuardedResource[]; edit?: object } = {}): KubeObject => {
  const address = { guardedCluster: NETWORK, webhookUrl: 'https://w:9443/validate', urlToken: 'token', caBundle: 'Y2E=' };
  const { webhooks, labels } = desiredWebhooks(resources, address);
  const metadata = { name: GUARD_NAME, labels: { ...labels, [OWNER_LABEL]: owner }, annotations: { 'kcp.io/cluster': NETWORK } };
  return { metadata, webhooks: webhooks.map((each) => ({ ...each, ...edit })) };
};

const seen = (changes: Partial<ShardFacts>) =>
  installation({
    paths: new Map([[DEV_PATHS.network, NETWORK]]),
    shards: [shard({ bindings: read([binding(), bound()]), configurations: read([configuration()]), ...changes })],
  });

describe(providersOf, () => {
  it.each<{ given: string; changes: Partial<ShardFacts>; state: object; inForce?: string }>([
    { given: 'a configuration as the rule wants it', changes: {}, state: { state: 'equal' }, inForce: 'yes' },
    { given: 'no configuration', changes: { configurations: read([]) }, state: { state: 'missing' }, inForce: 'no' },
    { given: 'no rule', changes: { rules: read([]) }, state: { state: 'leftover' } },
    { given: 'neither', changes: { rules: read([]), configurations: read([]) }, state: { state: 'none' } },
    {
      given: 'one of another installation',
      changes: { configurations: read([configuration({ owner: 'other' })]) },
      state: { state: 'foreign' },
      inForce: 'no',
    },
    {
      given: 'one that guards another type',
      changes: { configurations: read([configuration({ resources: [{ ...guarded, resource: 'subnets' }] })]) },
      state: { state: 'differs', lacks: ['vpcs.network.example.com'], beyond: ['subnets.network.example.com'] },
      inForce: 'no',
    },
    {
      given: 'one that lets pass what it should refuse',
      changes: { configurations: read([configuration({ edit: { failurePolicy: 'Ignore' } })]) },
      state: { state: 'differs', lacks: [], beyond: [] },
      inForce: 'yes',
    },
    { given: 'rules that could not be read', changes: { rules: unread }, state: { state: 'unknown', why: expect.any(String) } },
    {
      given: 'a claim that is rejected, so that kcp hides the configuration',
      changes: { bindings: read([binding(), bound('Rejected')]), configurations: read([]) },
      state: { state: 'unknown', why: expect.stringContaining('does not accept the claim') },
      inForce: 'unknown',
    },
  ])('given $given, then it and the rule are what they are', ({ changes, state, inForce }) => {
    const facts = seen(changes);

    const providers = providersOf(facts);

    expect(providers.find(({ cluster }) => cluster === NETWORK)?.configurationState).toEqual(state);
    expect(ruleViews(facts, providers).map((each) => each.inForce)).toEqual(inForce === undefined ? [] : [inForce]);
  });

  it('given a path that nobody could resolve, then neither the configuration nor the rule is judged', () => {
    const facts = { ...seen({}), paths: new Map() };

    const providers = providersOf(facts);

    expect(providers.find(({ cluster }) => cluster === NETWORK)?.configurationState).toMatchObject({ state: 'unknown' });
    expect(ruleViews(facts, providers).map(({ workspace, inForce }) => [workspace, inForce])).toEqual([[DEV_PATHS.compute, 'unknown']]);
  });
});

it('given rules of all workspaces, then each is named by the path of its workspace', () => {
  const facts = seen({ rules: read([rule()]) });

  expect(ruleViews(facts, providersOf(facts)).map(({ workspace, name }) => `${workspace}/${name}`)).toEqual([
    `${DEV_PATHS.compute}/vm-dependencies`,
  ]);
});
