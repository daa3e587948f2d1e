import { describe, expect, it } from '@jest/globals';
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import { isRejected, reportRule, type RuleDependency } from '@dep-ctrl/rule-registry';
import type { Installation } from '../configuration/installation.js';
import { answerFor, type TargetFacts } from './target-answer.js';

const VPCS = { group: 'network.example.com', resource: 'vpcs' };
const TARGET = { path: 'root:network', resource: 'vpcs.network.example.com' };

function installedWith(...resources: readonly { readonly group: string; readonly resource: string }[]): Installation {
  return { state: 'installed', resources, named: new Set(), noRoom: new Set() };
}

function answer(change: Partial<TargetFacts>): ReturnType<typeof answerFor> {
  return answerFor({
    dependency: dependency({ path: '.spec.vpcRef.name' }),
    place: 'net1' as LogicalClusterName,
    consentRefused: undefined,
    verification: { state: 'verified' },
    installation: installedWith(VPCS),
    ...change,
  });
}

describe(answerFor, () => {
  it('given a target that is found and written, then there is nothing to say about it', () => {
    expect(answer({})).toStrictEqual({ target: { ...TARGET, state: 'Installed' }, resolved: undefined, installed: undefined });
  });

  it('given a path that kcp has not been asked for, then the target is pending', () => {
    const message = '"root:network" has not been looked up yet';

    expect(answer({ place: undefined })).toEqual({
      target: { ...TARGET, state: 'Pending', message },
      resolved: { type: 'TargetsResolved', status: 'Unknown', reason: 'Pending', message },
      installed: { type: 'WebhooksInstalled', status: 'False', reason: 'Pending', message },
    });
  });

  it.each<{ given: string; installation: Installation | undefined; state: string; reason: string; message: string }>([
    {
      given: 'a workspace that was not looked at',
      installation: undefined,
      state: 'Pending',
      reason: 'Pending',
      message: 'the guarded workspace is about to be looked at',
    },
    {
      given: 'a configuration for other types, one of the same name and one of the same group',
      installation: installedWith({ ...VPCS, group: 'other.example.com' }, { ...VPCS, resource: 'subnets' }),
      state: 'Pending',
      reason: 'Pending',
      message: 'the configuration is about to be written',
    },
    {
      given: 'a workspace whose endpoint is not read',
      installation: { state: 'waiting', message: 'm' },
      state: 'Pending',
      reason: 'Pending',
      message: 'm',
    },
    {
      given: 'a configuration that is about to be written',
      installation: { state: 'pending', message: 'm' },
      state: 'Pending',
      reason: 'Pending',
      message: 'm',
    },
    {
      given: 'a configuration of somebody else',
      installation: { state: 'failed', reason: 'Conflict', message: 'm' },
      state: 'Failed',
      reason: 'Conflict',
      message: 'm',
    },
  ])('given $given, then the target is $state', ({ installation, state, reason, message }) => {
    expect(answer({ installation })).toEqual({
      target: { ...TARGET, state, message },
      resolved: undefined,
      installed: { type: 'WebhooksInstalled', status: 'False', reason, message },
    });
  });

  it('given names that could not be verified, then the target is installed, and its message says why not', () => {
    const message = 'no rights';

    expect(answer({ verification: { state: 'not-verified', problem: message } })).toEqual({
      target: { ...TARGET, state: 'Installed', message },
      resolved: { type: 'TargetsResolved', status: 'Unknown', reason: 'NotVerified', message },
      installed: undefined,
    });
  });

  it('given a namespace for a target that is in none, then the problem says where it stands', () => {
    const namespaced = dependency({ path: '.spec.vpcRef.name', namespacePath: '.spec.vpcRef.namespace' });

    expect(answer({ dependency: namespaced, verification: { state: 'verified', isClusterScoped: true } }).resolved).toEqual({
      type: 'TargetsResolved',
      status: 'False',
      reason: 'MeaninglessNamespace',
      message: '.spec.dependencies[0].fieldRef.namespacePath: remove this field, as vpcs.network.example.com are cluster-scoped',
    });
  });
});

function dependency(fieldRef: { readonly path: string; readonly namespacePath?: string }): RuleDependency {
  const report = reportRule('c1' as LogicalClusterName, {
    apiVersion: 'dependencies.opendefense.cloud/v1alpha1',
    kind: 'DependencyRule',
    metadata: { name: 'vms', uid: 'u', generation: 1, annotations: { 'kcp.io/cluster': 'c1' } },
    spec: {
      dependent: { apiExportName: 'c.example.com', group: 'c.example.com', version: 'v1', kind: 'VM', resource: 'vms' },
      dependencies: [{ apiExportRef: { path: 'root:network', name: 'network.example.com' }, ...VPCS, version: 'v1', fieldRef }],
    },
  });
  if (isRejected(report)) throw new Error(JSON.stringify(report.problems));
  return report.dependencies[0];
}
