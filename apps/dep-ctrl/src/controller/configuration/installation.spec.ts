import { describe, expect, it } from '@jest/globals';
import { KcpError, type KcpErrorCode } from '@dep-ctrl/kcp-client';
import { parseRule, type GuardRuleEntry, type Rule } from '@dep-ctrl/rule-registry';
import type { InstallOutcome } from '@dep-ctrl/webhook-installer';
import { entry, name, path, rule } from '../../rules/spec-support/objects.js';
import {
  FOUGHT_ABOUT,
  installationAfter,
  installationFor,
  installationOf,
  isUnbound,
  printWorkspace,
  type Installation,
  type InstallationContext,
  type InstallFailure,
} from './installation.js';

const entries = [entry({ resource: 'rs.g', uid: 'u', generation: 2 })];
const context: InstallationContext = {
  cluster: name('network1'),
  path: path('root:network'),
  exportName: 'dependencies.opendefense.cloud',
  entries,
  wanted: entries,
};
const problem = 'because';

describe(printWorkspace, () => {
  it('given a path, then a workspace is told by it, and by its logical cluster otherwise', () => {
    expect(printWorkspace(name('network1'), path('root:network'))).toBe('workspace "root:network"');
    expect(printWorkspace(name('network1'), undefined)).toBe('logical cluster network1');
  });
});

describe(installationOf, () => {
  it.each<{ outcome: InstallOutcome; expected: string; says: string }>([
    {
      outcome: { state: 'conflict', owner: 'other1' },
      expected: 'Conflict',
      says: 'made by another installation',
    },
    { outcome: { state: 'conflict', owner: undefined }, expected: 'Conflict', says: 'made by an unknown owner' },
    {
      outcome: { state: 'unseen', problem, retryable: true },
      expected: 'Conflict',
      says: 'bind the workspace again (dep-ctrl bind root:network), which hands it over',
    },
    { outcome: { state: 'not-bound', problem, retryable: false }, expected: 'NotBound', says: 'dep-ctrl bind root:network' },
    { outcome: { state: 'claim-not-accepted', problem, retryable: false }, expected: 'ClaimNotAccepted', says: 'should accept' },
    { outcome: { state: 'forbidden', problem, retryable: false }, expected: 'Forbidden', says: problem },
    { outcome: { state: 'invalid', problem, retryable: false }, expected: 'Invalid', says: problem },
    { outcome: { state: 'unreachable', problem, retryable: true }, expected: 'Unreachable', says: problem },
  ])('given $outcome.state, then it failed as $expected and says what to do where', ({ outcome, expected, says }) => {
    const installation = installationOf(outcome, context);

    expect(installation).toMatchObject({ state: 'failed', reason: expected, message: expect.stringContaining('root:network') });
    expect('message' in installation && installation.message).toContain(says);
  });

  it('given a home of dep-ctrl that is not the usual one, then the command that binds the workspace names it', () => {
    const installation = installationOf({ state: 'not-bound', problem, retryable: false }, { ...context, home: path('root:guards') });

    expect(installation).toMatchObject({ message: expect.stringContaining('(dep-ctrl bind root:network --workspace root:guards)') });
  });

  it('given a configuration of another installation, then the text names no logical cluster', () => {
    const installation = installationOf({ state: 'conflict', owner: 'other1' }, context);

    expect('message' in installation && installation.message).not.toMatch(/other1|network1/);
  });

  it.each<InstallOutcome>([{ state: 'unchanged' }, { state: 'installed', change: 'created' }])(
    'given $state, then it is installed',
    (outcome) => {
      expect(installationOf(outcome, context)).toMatchObject({ state: 'installed', resources: [{ group: 'g', resource: 'rs' }] });
    },
  );

  it.each<{ outcome: InstallOutcome; says: string }>([
    { outcome: { state: 'removed' }, says: 'the configuration in workspace "root:network" was removed' },
    { outcome: { state: 'absent' }, says: 'the configuration in workspace "root:network" was removed' },
    { outcome: { state: 'pending', problem, retryable: true }, says: problem },
  ])('given $outcome.state, then it is neither installed nor failed, and says why', ({ outcome, says }) => {
    expect(installationOf(outcome, context)).toEqual({ state: 'pending', message: says });
  });
});

describe(isUnbound, () => {
  it.each<InstallFailure>(['NoRoom', 'ClaimNotAccepted', 'Conflict', 'Forbidden', 'Invalid', 'Unreachable'])(
    'given a failure because of %s, then binding the workspace would not help',
    (reason) => {
      expect(isUnbound({ state: 'failed', reason, message: problem })).toBe(false);
    },
  );

  it('given a workspace that does not bind the export, then its owner has to bind it; while nothing has failed, nobody has to', () => {
    expect(isUnbound(installationOf({ state: 'not-bound', problem, retryable: false }, context))).toBe(true);
    expect(isUnbound(FOUGHT_ABOUT)).toBe(false);
  });
});

describe(installationAfter, () => {
  const refusal = (code: KcpErrorCode) => new KcpError({ code, asked: 'replace status', at: 'https://kcp', problem });

  it('given a refusal, then its reason is not that kcp cannot be reached, and the operator of dep-ctrl learns that the kubeconfig may be that of another role', () => {
    expect(installationAfter(refusal('forbidden'))).toMatchObject({
      state: 'failed',
      reason: 'Forbidden',
      message: expect.stringMatching(/because.*: the operator of dep-ctrl .*controller\.kubeconfig.*not that of another role/),
    });
  });

  it('given another failure, then kcp is not reached', () => {
    expect(installationAfter(refusal('timeout'))).toMatchObject({ state: 'failed', reason: 'Unreachable' });
  });
});

describe(installationFor, () => {
  const [named, other] = [entry({ uid: 'compute1-vms', generation: 1 }), entry({ rule: 'other', uid: 'compute1-other', generation: 1 })];

  it.each<{ given: string; entries: readonly GuardRuleEntry[]; isSaid: boolean }>([
    { given: 'the rule as it is now', entries: [other, named], isSaid: true },
    { given: 'the rule before its last edit', entries: [{ ...named, generation: 0 }], isSaid: false },
    { given: 'a rule of that name that was deleted', entries: [{ ...named, uid: 'before', generation: 7 }], isSaid: false },
    { given: 'the rule for another resource', entries: [{ ...named, resource: 'subnets.network.example.com' }], isSaid: false },
    { given: 'another rule for the same resource', entries: [other], isSaid: false },
    {
      given: 'another rule for another resource, which together spell the same',
      entries: [{ ...named, rule: 'vmsv', resource: 'pcs.network.example.com' }],
      isSaid: false,
    },
    { given: 'the rule in the words of an older version', entries: [entry()], isSaid: false },
  ])('given a guard that names $given, then that it is installed is said: $isSaid', ({ entries, isSaid }) => {
    const installation = installationOf({ state: 'unchanged' }, { ...context, entries, wanted: entries });

    expect(installationFor(vms(), vms().dependencies[0], installation)).toBe(isSaid ? installation : undefined);
  });

  it('given a rule that found no room in the configuration, then it failed for that rule, and is installed for another', () => {
    const installation = installationOf({ state: 'unchanged' }, { ...context, entries: [other], wanted: [named, other] });

    expect(installationFor(vms(), vms().dependencies[0], installation)).toMatchObject({
      state: 'failed',
      reason: 'NoRoom',
      message: expect.stringContaining('name fewer'),
    });
    expect(installationFor({ ...vms(), name: 'other', uid: 'compute1-other' }, vms().dependencies[0], installation)).toBe(installation);
  });

  it.each<Installation | undefined>([undefined, { state: 'pending', message: problem }, { state: 'waiting', message: problem }])(
    'given %j, then that is so for every rule',
    (installation) => {
      expect(installationFor(vms(), vms().dependencies[0], installation)).toBe(installation);
    },
  );
});

function vms(): Rule {
  const parsed = parseRule(rule().object);
  if (!parsed.ok) throw new Error(parsed.problem[0].message);
  return parsed.value;
}
