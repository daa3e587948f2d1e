// The preconditions that only admins of shards can check: rights, and objects left by this and former installations.
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { InstallationFacts } from '../installation/facts.js';
import { shardRightNames } from '../shard-rights/right-names.js';
import { isBootstrapped } from './granted-preconditions.js';
import { broken, depCtrl, met, notChecked, type DoctorFacts, type Judgement, type Precondition } from './precondition.js';
import type { ShardAdminFacts } from './probes/probes.js';

/** This installation first. */
export const SHARD_PRECONDITIONS: readonly Precondition[] = [
  {
    id: 'shard-rights',
    must: 'The system:admin of each shard has the rights of the roles.',
    otherwise: 'Every guarded delete on that shard is refused, and paths of rules stay unresolved.',
    fix: 'dep-ctrl bootstrap --kubeconfig FILE --shard-kubeconfig FILE',
    judge: forShards(
      ({ file, rights }, { home, own }, { access }) => {
        const where = `system:admin (${file})`;
        if (rights.state === 'unread') return [notChecked(where, rights)];
        if (!isBootstrapped(home)) return [];
        const wanted = shardRightNames(own).flatMap((name) => [`ClusterRole/${name}`, `ClusterRoleBinding/${name}`]);
        const missing = wanted.filter((key) => !rights.value.has(key)).map((key) => key.replace('/', ' '));
        return [
          missing.length === 0
            ? met(where)
            : broken(where, `lacks ${missing.join(', ')}`, depCtrl(access, 'bootstrap', '--shard-kubeconfig', file)),
        ];
      },
      { isFirst: true },
    ),
  },
  {
    id: 'no-orphaned-rights',
    must: 'No shard grants rights to an installation whose workspace is gone.',
    otherwise: 'They are of no use to anybody, and stay for ever.',
    fix: 'dep-ctrl uninstall --workspace CLUSTER --shard-kubeconfig FILE --yes',
    judge: forShards(({ file, rights, orphans }, _, { access }) => {
      const where = `system:admin (${file})`;
      if (rights.state === 'unread') return [];
      if (orphans.length === 0) return [met(where)];
      return orphans.map((owner) =>
        broken(
          where,
          `grants rights to the installation "${owner}", whose workspace was not found`,
          depCtrl({ ...access, workspace: owner }, 'uninstall', '--shard-kubeconfig', file, '--yes'),
        ),
      );
    }),
  },
  {
    id: 'no-unbound-leftover',
    must: 'No workspace that does not bind dep-ctrl has a configuration of it.',
    otherwise: 'Its deletes are refused once the webhook is away, and the controller cannot reach it.',
    fix: 'dep-ctrl uninstall --kubeconfig FILE --shard-kubeconfig FILE --dry-run',
    judge: forShards(({ file, configurations }, { shards, own }, { access, providers }) => {
      if (configurations.state === 'unread') return [notChecked(`configurations on the shard of ${file}`, configurations)];
      if (shards.some(({ bindings }) => bindings.state === 'unread')) return [];
      const bound = new Set(providers.filter(({ bindings }) => bindings.length > 0).map(({ cluster }) => cluster));
      const left = configurations.value.filter(({ cluster, owner }) => owner === own && !bound.has(cluster));
      if (left.length === 0) return [met(`configurations on the shard of ${file}`)];
      return left.map(({ cluster }) =>
        broken(
          `configuration in ${cluster}`,
          'is left, and the workspace does not bind dep-ctrl',
          depCtrl(access, 'uninstall', '--shard-kubeconfig', file, '--dry-run'),
        ),
      );
    }),
  },
];

/** What was read of an installation whose workspace is there. */
interface Found extends InstallationFacts {
  /** The logical cluster of its workspace. */
  readonly own: LogicalClusterName;
}

function forShards(
  judge: (shard: ShardAdminFacts, found: Found, facts: DoctorFacts) => readonly Judgement[],
  { isFirst = false }: { readonly isFirst?: boolean } = {},
): Precondition['judge'] {
  return (facts) => {
    const { probes, installation } = facts;
    const { shardAdmins } = probes;
    if (shardAdmins === undefined || installation?.home.presence.state !== 'found') return [];
    const found = { ...installation, own: installation.home.presence.cluster };
    // Once is enough.
    if (shardAdmins.length === 0)
      return isFirst
        ? [notChecked('rights and leftovers on the shards', { because: 'not-asked', why: 'give --shard-kubeconfig, once per shard' })]
        : [];
    return shardAdmins.flatMap((shard) => judge(shard, found, facts));
  };
}
