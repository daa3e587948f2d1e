import { describe, expect, it } from '@jest/globals';
import type { Access } from './precondition.js';
import { ruleFix, type Unready } from './rule-fix.js';

const access: Access = { baseUrl: 'https://kcp:6443', workspace: 'root:dep-ctrl', flags: ['--kubeconfig', 'f'], shardKubeconfigs: ['s'] };
const kubectl = (workspace: string, command: string) => `kubectl --kubeconfig f --server https://kcp:6443/clusters/${workspace} ${command}`;
const edit = kubectl('root:compute', 'edit dependencyrules.dependencies.opendefense.cloud vms');
const bootstrap = 'dep-ctrl bootstrap --shard-kubeconfig s --kubeconfig f';
const bind = 'dep-ctrl bind root:network root:storage --kubeconfig f';
const unready = (changes: Partial<Unready>): Unready => ({
  ...{ workspace: 'root:compute', name: 'vms', reason: 'Invalid', targets: ['root:network', 'root:storage'], lost: [] },
  ...changes,
});

describe(ruleFix, () => {
  it.each([
    ...['Invalid', 'OverBound', 'BuiltInType', 'UnpairedPaths', 'ImpossiblePath', 'ExportNotFound', 'ResourceNotExported'],
    ...['VersionNotServed', 'KindNotServed', 'FieldNotFound', 'FieldNotAString', 'NoRoom'],
  ])('given a rule that is not ready (%s), then its author edits it', (reason) => {
    expect(ruleFix(unready({ reason }), access)).toBe(edit);
  });

  it.each([
    { reason: 'OverQuota', run: kubectl('root:compute', 'delete dependencyrules.dependencies.opendefense.cloud vms') },
    {
      reason: 'ConsentRefused',
      run: kubectl('root:network', 'edit dependencyguards.dependencies.opendefense.cloud dependency-controller'),
    },
    { reason: 'Conflict', run: kubectl('root:network', 'get validatingwebhookconfiguration dependency-controller -o yaml') },
    { reason: 'NotBound', run: bind },
    { reason: 'ClaimNotAccepted', run: bind },
    { reason: 'GrantMissing', run: 'dep-ctrl bind root:compute --shard-kubeconfig s --kubeconfig f' },
    { reason: 'NotVerified', run: bootstrap },
    { reason: 'Forbidden', run: bootstrap },
    { reason: 'Uninstalled', run: bootstrap },
    { reason: 'Unreachable', run: 'dep-ctrl doctor --kubeconfig f' },
    { reason: 'SomethingElse', run: 'dep-ctrl doctor --kubeconfig f' },
    { reason: '', run: 'dep-ctrl doctor --kubeconfig f' },
  ])('given a rule that is not ready ($reason), then what to run is $run', ({ reason, run }) => {
    expect(ruleFix(unready({ reason }), access)).toBe(run);
  });

  it.each([
    { given: 'that lead to no workspace', lost: ['root:network', 'root:storage'], run: edit },
    { given: 'of which one leads to no workspace', lost: ['root:network'], run: 'dep-ctrl bind root:storage --kubeconfig f' },
  ])('given a rule with paths $given, then nobody is told to bind those', ({ lost, run }) => {
    expect(ruleFix(unready({ reason: 'NotBound', lost }), access)).toBe(run);
    expect(ruleFix(unready({ reason: 'NotVerified', lost }), access)).toBe(bootstrap);
  });

  it.each([
    { given: 'no target', targets: [], where: 'root:compute' },
    { given: 'a target that is no workspace', targets: ['; rm -rf /', 'root:storage'], where: 'root:storage' },
    { given: 'only a target that is no workspace', targets: ['; rm -rf /'], where: 'root:compute' },
    { given: 'a logical cluster', targets: ['2abc'], where: '2abc' },
  ])('given $given, then the command names $where: anybody may have written the status', ({ targets, where }) => {
    expect(ruleFix(unready({ reason: 'NotBound', targets }), access)).toBe(`dep-ctrl bind ${where} --kubeconfig f`);
    expect(ruleFix(unready({ reason: 'Conflict', targets }), access)).toBe(
      kubectl(where, 'get validatingwebhookconfiguration dependency-controller -o yaml'),
    );
  });
});
