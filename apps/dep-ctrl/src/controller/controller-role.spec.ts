import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { KubeObject, WorkspacePath } from '@dep-ctrl/kcp-names';
import { GUARD_FINALIZER, GUARD_NAME, GUARDS, RULES } from '@dep-ctrl/rule-registry';
import { WEBHOOK_CONFIGURATIONS } from '@dep-ctrl/webhook-installer';
import { ControllerRole } from './controller-role.js';
import { VIRTUAL_MACHINES, VPCS } from '../dev/provider-manifests.js';
import { OWNER_LABEL } from '../own-objects/configuration-labels.js';
import { ControllerStage, type Place } from './testing/controller-stage.js';
import { conditionOf, entriesIn, eventually, eventuallyIs } from './testing/observations.js';
import type { RunningController } from './testing/running-controller.js';

jest.setTimeout(120_000);
const signal = AbortSignal.timeout(900_000);
const INSTALLED = 'True Installed 1/1';
const ENTRIES = 'bypass: vpcs, dependency-controller: vpcs';

const ORIGINAL = {
  name: 'dependency-controller.dependencies.opendefense.cloud',
  clientConfig: { url: 'https://original.example.com/validate' },
  rules: [{ operations: ['DELETE'], apiGroups: ['network.example.com'], apiVersions: ['v1alpha1'], resources: ['vpcs'] }],
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
};

describe(ControllerRole, () => {
  let stage: ControllerStage;

  beforeEach(async () => {
    stage = await ControllerStage.start();
  });

  afterEach(() => stage.stop());

  it('given a rule, then the guarded workspace has a guard and a configuration, and the rule is ready', async () => {
    const { network, compute } = await guarded();

    expect(await entries(network)).toBe(ENTRIES);
    // The path of a rule's workspace is told once kcp was asked for it.
    await eventuallyIs(async () => pathIn(await stage.guard(network)), compute.path);
    const guard = await stage.guard(network);
    expect(guard?.metadata.finalizers).toEqual([GUARD_FINALIZER]);
    expect(conditionOf(guard, 'Ready')).toBe('True Written');
    expect(guard?.['status']).toMatchObject({
      ruleCount: 1,
      rules: [{ path: compute.path, rule: 'vms', resource: 'vpcs.network.example.com', enforcement: 'Deny' }],
    });
  });

  it('given a rule that is edited, then its guard names the edit first, and then the rule says that it is ready', async () => {
    const { network, compute } = await guarded();
    // Longer than the rule's own status takes, if it did not wait for the guard.
    const guardStatus = { method: 'PUT', path: new RegExp(`/clusters/${network.cluster}/.*/dependencyguards/.*/status$`) };
    const hurry = stage.kcp.faults.onRequest(guardStatus, { kind: 'delay', ms: 3_000 });

    // The same field, in other words: the guard differs in nothing but the generation.
    const body = [{ op: 'replace', path: '/spec/dependencies/0/fieldRef/path', value: 'spec.vpcRef.name' }];
    const { metadata } = await compute.client.patch(RULES, { name: 'vms' }, { kind: 'json', body }, { signal });
    await eventuallyIs(() => observedIn(compute), metadata.generation);

    const { uid, generation } = metadata;
    expect((await stage.guard(network))?.['status']).toMatchObject({ rules: [{ rule: 'vms', uid, generation }] });
    expect(await stage.ruleState(compute)).toBe(INSTALLED);
    hurry();
  });

  it('given a rule that closes a circle of types, and then is gone, then the rule that was there before says so, and no more', async () => {
    const { network, compute } = await guarded();
    const cyclic = async (): Promise<string> => conditionOf(await ruleIn(compute), 'Cyclic');
    expect(await cyclic()).toBe('none');

    await network.client.create(RULES, closesTheCircle(compute.path), { signal });
    await eventuallyIs(cyclic, 'True CycleOfTypes');

    await stage.removeRule(network, 'back');
    await eventuallyIs(cyclic, 'none');
  });

  it('given everything written, then nothing more is written, not even after a restart', async () => {
    const { network, compute, controller } = await guarded();
    const objects = async () => [await stage.configuration(network), await stage.guard(network), await ruleIn(compute)];
    const before = await objects();
    const installed = controller.role.state().configurations.installed;

    await controller.stop();
    const again = stage.run();
    await eventuallyIs(() => again.role.state().configurations.installed, installed);
    await stage.rule(network, network, { name: 'behind' });
    await eventuallyIs(() => stage.ruleState(network, 'behind'), INSTALLED);
    await stage.removeRule(network, 'behind');

    const [configuration, , rule] = await objects();
    expect([configuration, rule]).toEqual([before[0], before[2]]);
    expect(again.logged.filter((line) => line.startsWith('configuration'))).toEqual([]);
  });

  it('given a configuration that is made, then its line names the URL that kcp calls, without path and token', async () => {
    const { network, controller } = await guarded();

    expect(controller.logged).toContain(`configuration created cluster=${network.cluster} webhookUrl=https://dep-ctrl.example.com`);
  });

  it('given a configuration edited by hand, then deleted by hand, then it is as it should be again', async () => {
    const { network } = await guarded();
    const webhooks = [{ op: 'replace', path: '/webhooks/1/failurePolicy', value: 'Ignore' }];

    await network.client.patch(WEBHOOK_CONFIGURATIONS, { name: GUARD_NAME }, { kind: 'json', body: webhooks }, { signal });
    await eventuallyIs(() => policies(network), 'Ignore Fail');

    await network.client.delete(WEBHOOK_CONFIGURATIONS, { name: GUARD_NAME }, { signal });
    await eventuallyIs(() => entries(network), ENTRIES);
  });

  it('given a guard deleted by hand, then it is made again with its spec, and the configuration stays', async () => {
    const { network, compute } = await guarded();
    const spec = { allowRulesFrom: [compute.path] };
    await network.client.patch(GUARDS, { name: GUARD_NAME }, { kind: 'merge', body: { spec } }, { signal });
    const [guard, configuration] = [await stage.guard(network), await stage.configuration(network)];

    await network.client.delete(GUARDS, { name: GUARD_NAME }, { signal });

    const remade = await eventually(
      () => stage.guard(network),
      (found) => found !== undefined && found.metadata.uid !== guard?.metadata.uid,
    );
    expect(remade?.['spec']).toEqual(spec);
    await eventuallyIs(async () => conditionOf(await stage.guard(network), 'Ready'), 'True Written');
    expect((await stage.configuration(network))?.metadata.uid).toBe(configuration?.metadata.uid);
  });

  it('given consent that is narrowed and widened again, then the configuration and the rule follow at once', async () => {
    const { network, compute } = await guarded();
    const consent = (paths: readonly string[] | null) =>
      network.client.patch(GUARDS, { name: GUARD_NAME }, { kind: 'merge', body: { spec: { allowRulesFrom: paths } } }, { signal });

    await consent([]);
    await eventuallyIs(() => stage.ruleState(compute), 'False ConsentRefused 0/1');
    await eventuallyIs(() => entries(network), '');
    await eventuallyIs(async () => conditionOf(await stage.guard(network), 'Ready'), 'True NothingGuarded');

    await consent([compute.path]);
    await eventuallyIs(() => stage.ruleState(compute), INSTALLED);
    expect(await entries(network)).toBe(ENTRIES);
  });

  it('given consent for a path where no workspace binds dep-ctrl, then the guard says so beside being ready, and no more once it is corrected', async () => {
    const { network, compute } = await guarded();
    const consent = (paths: readonly string[]) =>
      network.client.patch(GUARDS, { name: GUARD_NAME }, { kind: 'merge', body: { spec: { allowRulesFrom: paths } } }, { signal });

    await consent([compute.path, 'root:nobody']);
    await eventuallyIs(async () => conditionOf(await stage.guard(network), 'ConsentResolved'), 'False NotBound');
    await eventuallyIs(async () => conditionOf(await stage.guard(network), 'Ready'), 'True Written');

    await consent([compute.path]);
    await eventuallyIs(async () => conditionOf(await stage.guard(network), 'ConsentResolved'), 'none');
  });

  it('given consent that keeps every rule out, when the guard is deleted by hand, then it is made again and still keeps them out', async () => {
    const { network, compute } = await guarded();
    const spec = { allowRulesFrom: [] };
    await network.client.patch(GUARDS, { name: GUARD_NAME }, { kind: 'merge', body: { spec } }, { signal });
    await eventuallyIs(() => entries(network), '');
    await eventuallyIs(async () => conditionOf(await stage.guard(network), 'Ready'), 'True NothingGuarded');
    const guard = await stage.guard(network);

    await network.client.delete(GUARDS, { name: GUARD_NAME }, { signal });

    const remade = await eventually(
      () => stage.guard(network),
      (found) => found !== undefined && found.metadata.uid !== guard?.metadata.uid,
    );
    expect(remade?.['spec']).toEqual(spec);
    await eventuallyIs(() => stage.configuration(network), undefined);
    await eventuallyIs(async () => conditionOf(await stage.guard(network), 'Ready'), 'True NothingGuarded');
    await eventuallyIs(() => stage.ruleState(compute), 'False ConsentRefused 0/1');
  });

  it('given a guard that the provider made first, then its consent counts from the start and it outlives the rules', async () => {
    const [network, compute] = [await stage.provider(), await stage.provider()];
    const spec = { allowRulesFrom: [compute.path] };
    const first = { apiVersion: `${GUARDS.group}/${GUARDS.version}`, kind: 'DependencyGuard', metadata: { name: GUARD_NAME }, spec };
    await network.client.create(GUARDS, first, { signal });
    stage.run();
    await stage.rule(compute, network);
    await eventuallyIs(() => stage.ruleState(compute), INSTALLED);

    await stage.removeRule(compute);

    await eventuallyIs(() => entries(network), '');
    const left = await eventually(
      () => stage.guard(network),
      (found) => found?.metadata.finalizers === undefined,
    );
    expect(left?.['spec']).toEqual(spec);
  });

  it('given URL tokens that become others, then the installed URLs end in them', async () => {
    let token = 'old';
    const heard = new Set<() => void>();
    const subscribe = (listener: () => void) => {
      heard.add(listener);
      return () => void heard.delete(listener);
    };
    stage.run({ urlTokens: { of: () => token, ofRules: () => token, subscribe } });
    const provider = await stage.provider();
    await stage.rule(provider, provider);
    const url = async () => urlsIn(await stage.configuration(provider)).find((each) => !each.endsWith('/bypass'));
    await eventuallyIs(url, `https://dep-ctrl.example.com/validate/${provider.cluster}/old`);

    token = 'new';
    for (const listener of heard) listener();

    await eventuallyIs(url, `https://dep-ctrl.example.com/validate/${provider.cluster}/new`);
    await stage.removeRule(provider);
  });

  it('given rules with every enforcement, then each resource is in its entry', async () => {
    const { network, compute } = await guarded();

    await stage.rule(compute, network, { name: 'warn', resource: 'subnets', enforcement: 'Warn' });

    await eventuallyIs(() => entries(network), 'advisory: subnets, bypass: subnets vpcs, dependency-controller: vpcs');
    await stage.removeRule(compute);
    await eventuallyIs(() => entries(network), 'advisory: subnets, bypass: subnets');
  });

  it('given a rule deleted while nobody ran, then configuration and guard are removed at the next start', async () => {
    const { network, compute, controller } = await guarded();
    await controller.stop();
    await stage.removeRule(compute);

    stage.run();

    await eventuallyIs(() => entries(network), '');
    await eventuallyIs(() => stage.guard(network), undefined);
  });

  it('given a provider that binds late, then the rule says so and is installed once it does', async () => {
    const [network, compute] = [await stage.provider({ bound: false }), await stage.provider()];
    stage.run();
    await stage.rule(compute, network);
    await eventuallyIs(() => stage.ruleState(compute), 'False NotBound 0/1');

    await stage.bind(network);

    await eventuallyIs(() => stage.ruleState(compute), INSTALLED);
  });

  it('given a path of one segment that is the name of no logical cluster, then the rule says what to write, and it is nobody’s failure', async () => {
    const compute = await stage.provider();
    const controller = stage.run();
    await stage.rule(compute, 'storage' as WorkspacePath);

    await eventuallyIs(() => stage.ruleState(compute), 'False NotBound 0/1');

    const [target] = ((await ruleIn(compute))['status'] as { targets: readonly { state: string; message: string }[] }).targets;
    expect(target).toMatchObject({ state: 'Missing', message: expect.stringContaining('such as "root:storage"') });
    expect(controller.logged.filter((line) => line.includes('should bind'))).toEqual([]);
    expect(controller.role.state().configurations).toMatchObject({ failed: 0 });
    await eventuallyIs(() => controller.role.state().queueDepth, 0);
  });

  it('given a rule that names its target by logical cluster, then it is ready as by path', async () => {
    const [network, compute] = [await stage.provider(), await stage.provider()];
    stage.run();
    await stage.rule(compute, network.cluster as string as WorkspacePath);

    await eventuallyIs(() => stage.ruleState(compute), INSTALLED);
  });

  it('given a claim that is rejected, accepted and rejected again, then rule and guard say so', async () => {
    const [network, compute] = [await stage.provider(), await stage.provider()];
    await stage.answerClaim(network, 'Rejected');
    stage.run();
    await stage.rule(compute, network);

    await eventuallyIs(() => stage.ruleState(compute), 'False ClaimNotAccepted 0/1');
    expect(conditionOf(await stage.guard(network), 'Ready')).toBe('False ClaimNotAccepted');

    await stage.answerClaim(network, 'Accepted');
    await eventuallyIs(() => stage.ruleState(compute), INSTALLED);

    await stage.answerClaim(network, 'Rejected');
    await eventuallyIs(() => stage.ruleState(compute), 'False ClaimNotAccepted 0/1');
  });

  it('given a workspace that unbinds, then its configuration is gone before its binding is', async () => {
    const { network, compute } = await guarded();

    await stage.unbind(network);

    await eventuallyIs(() => stage.isUnbound(network), true);
    expect(await stage.configuration(network)).toBeUndefined();
    await eventuallyIs(() => stage.ruleState(compute), 'False NotBound 0/1');
  });

  it('given a configuration of another installation, then it stays and both sides read of the conflict', async () => {
    const [network, compute] = [await stage.provider(), await stage.provider()];
    const foreign = await createConfiguration(network, { [OWNER_LABEL]: 'other1' }, []);
    stage.run();
    await stage.rule(compute, network);

    await eventuallyIs(() => stage.ruleState(compute), 'False Conflict 0/1');
    expect(conditionOf(await stage.guard(network), 'Conflict')).toBe('True OtherOwner');
    expect((await stage.configuration(network))?.metadata.resourceVersion).toBe(foreign.metadata.resourceVersion);

    await network.client.delete(WEBHOOK_CONFIGURATIONS, { name: GUARD_NAME }, { signal });
    await eventuallyIs(() => stage.ruleState(compute), INSTALLED);
  });

  it('given the original’s configuration and a rule, then it is adopted', async () => {
    const [network, compute] = [await stage.provider(), await stage.provider()];
    const original = await createConfiguration(network, {}, [ORIGINAL]);
    await stage.rule(compute, network);
    stage.run();

    await eventuallyIs(() => stage.ruleState(compute), INSTALLED);
    expect((await stage.configuration(network))?.metadata.uid).toBe(original.metadata.uid);
    expect(await entries(network)).toBe(ENTRIES);
  });

  it('given the original’s configuration and no rule, then it was left behind and is removed', async () => {
    const network = await stage.provider();
    await createConfiguration(network, {}, [ORIGINAL]);

    stage.run();

    await eventuallyIs(() => stage.configuration(network), undefined);
  });

  it.each([
    ['a field that does not exist', { fieldPath: '.spec.vpcref.name' }, 'False FieldNotFound 1/1'],
    ['a resource that is not exported', { resource: 'vpcz' }, 'False ResourceNotExported 0/1'],
  ])('given %s, then it does not look fine', async (_given, change, expected) => {
    const [network, compute] = [await stage.provider(), await stage.provider()];
    stage.run();

    await stage.rule(compute, network, change);

    await eventuallyIs(() => stage.ruleState(compute), expected);
  });

  it('given nothing guarded any more by anybody, then nothing of ours is left anywhere', async () => {
    const { network, compute } = await guarded();

    await stage.removeRule(compute);

    await eventuallyIs(() => stage.guard(network), undefined);
    expect(await stage.configuration(network)).toBeUndefined();
  });

  /** Two providers, a rule of one about the other, and a controller that has made it so. */
  async function guarded(): Promise<{ readonly network: Place; readonly compute: Place; readonly controller: RunningController }> {
    const [network, compute] = [await stage.provider(), await stage.provider()];
    const controller = stage.run();
    await stage.rule(compute, network);
    await eventuallyIs(() => stage.ruleState(compute), INSTALLED);
    return { network, compute, controller };
  }

  /** VPCs refer to virtual machines. */
  function closesTheCircle(path: WorkspacePath): KubeObject {
    const dependent = { ...VPCS, apiExportName: VPCS.group, kind: 'VPC' };
    const dependency = { ...VIRTUAL_MACHINES, apiExportRef: { path, name: VIRTUAL_MACHINES.group }, fieldRef: { path: '.spec.cidr' } };
    const type = { apiVersion: `${RULES.group}/${RULES.version}`, kind: 'DependencyRule' };
    return { ...type, metadata: { name: 'back' }, spec: { dependent, dependencies: [dependency] } };
  }

  async function entries(place: Place): Promise<string> {
    return entriesIn(await stage.configuration(place)).join(', ');
  }

  async function policies(place: Place): Promise<string> {
    const webhooks = (await stage.configuration(place))?.['webhooks'] as readonly { readonly failurePolicy: string }[];
    return webhooks.map(({ failurePolicy }) => failurePolicy).join(' ');
  }

  function ruleIn({ client }: Place): Promise<KubeObject> {
    return client.get(RULES, { name: 'vms' }, { signal });
  }

  async function observedIn(place: Place): Promise<unknown> {
    return ((await ruleIn(place))['status'] as { readonly observedGeneration?: number } | undefined)?.observedGeneration;
  }

  async function createConfiguration({ client }: Place, labels: Record<string, string>, webhooks: readonly object[]): Promise<KubeObject> {
    const metadata = { name: GUARD_NAME, labels };
    const kind = 'ValidatingWebhookConfiguration';
    return client.create(WEBHOOK_CONFIGURATIONS, { apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata, webhooks }, { signal });
  }
});

function urlsIn(configuration: KubeObject | undefined): readonly string[] {
  const webhooks = (configuration?.['webhooks'] ?? []) as readonly { readonly clientConfig: { readonly url: string } }[];
  return webhooks.map(({ clientConfig }) => clientConfig.url);
}

/** The path that a guard's status says the workspace of its first rule has. */
function pathIn(guard: KubeObject | undefined): string | undefined {
  const status = guard?.['status'] as { readonly rules?: readonly { readonly path?: string }[] } | undefined;
  return status?.rules?.[0]?.path;
}
