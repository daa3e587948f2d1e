// The objects that uninstall leaves, each with the command that removes it. Pure.
import { splitWorkspacePath, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { GUARD_NAME } from '@dep-ctrl/rule-registry';
import { shardRightNames } from '../shard-rights/right-names.js';
import type { HeldWorkspace } from '../teardown-type/held-workspaces.js';
import { TEARDOWN_TYPE } from '../teardown-type/teardown-type.js';
import type { Installation, Place } from './find-removals.js';
import { stayingOf, type OtherInstallation } from './other-installations.js';
import { PROTECTION_PLACE, PROTECTION_TYPES, protectionName } from '../own-objects/home-protection.js';
import type { Unswept } from '../shard-rights/shards-not-given.js';

/** Something that stays. */
export interface Staying {
  readonly what: string;
  /** A command line, or what to do. */
  readonly removedBy: string;
  /** It may be a configuration, which refuses deletes as long as it is there. */
  readonly refuses?: true;
}

interface Left {
  readonly baseUrl: string;
  /** How kubectl and dep-ctrl reach this kcp. */
  readonly flags: readonly string[];
  readonly workspace: WorkspacePath;
  readonly installation: Installation;
  readonly shardKubeconfigs: readonly string[];
  /** Shards that none of these leads to. */
  readonly unswept: readonly Unswept[];
  readonly places: readonly Place[];
  readonly others: readonly OtherInstallation[];
  readonly held: readonly HeldWorkspace[];
  readonly extending: readonly string[];
}

/** Bindings are their owners', rules their authors'; the workspace holds what a new installation could go on with. */
export function whatStays({
  baseUrl,
  flags,
  workspace,
  installation,
  shardKubeconfigs,
  unswept,
  places,
  others,
  held,
  extending,
}: Left): readonly Staying[] {
  const kubectl = (path: string): string => ['kubectl', ...flags, `--server ${baseUrl}/clusters/${path}`].join(' ');
  const found = places.flatMap((place) => place.bindings.map((each) => ({ ...each, path: place.paths.get(each.cluster) ?? each.cluster })));
  // A shard that was given twice shows everything twice.
  const bindings = [...new Map(found.map((each) => [`${each.cluster}/${each.name}`, each])).values()].sort((a, b) =>
    a.path < b.path ? -1 : 1,
  );
  const home = splitWorkspacePath(workspace);
  const isSwept = shardKubeconfigs.length > 0 && unswept.length === 0;
  return [
    ...bindings.filter(({ hides }) => hides && !isSwept).map(({ path }) => hiddenConfiguration(path, kubectl(path))),
    ...bindings.map(({ path, name }) => ({
      what: `the APIBinding in ${path}, and its DependencyRules`,
      removedBy: `${kubectl(path)} delete apibinding ${name}`,
    })),
    ...extending.map((type) => ({
      what: `the WorkspaceType ${type}, of which kcp makes no workspace any more, as it extends ${TEARDOWN_TYPE}`,
      removedBy: 'take that out of its spec.extend.with',
    })),
    ...held.map(({ cluster, path = cluster, isDying, letGo }) => ({
      what: `the terminator of dep-ctrl in workspace ${path} (${cluster}), which ${isDying ? 'is being deleted and waits for it' : 'will wait for it when it is deleted'}`,
      removedBy: `an admin of its shard: ${letGo}`,
    })),
    ...others.map((other) => stayingOf(other, shardKubeconfigs, flags)),
    ...(shardKubeconfigs.length > 0 ? [] : withoutShards(installation)),
    ...unswept.map(({ where, why }) => ({
      what: `what is left on ${where}, in workspaces that have unbound and in its system:admin, was not looked at`,
      removedBy: why,
    })),
    ...(places.some(({ hidden }) => hidden === 'teardown-type') ? [hiddenType(kubectl(workspace))] : []),
    ...(places.some(({ hidden }) => hidden === 'protection') ? [hiddenProtection(installation, kubectl(PROTECTION_PLACE))] : []),
    ...(installation.isThere && home !== undefined
      ? [
          {
            what: `workspace ${workspace} with the API, the identities, their rights and Secrets`,
            removedBy: `${kubectl(home.parent)} delete workspace ${home.name}`,
          },
        ]
      : []),
  ];
}

/** Written only if the claim was accepted once: nobody knows here. */
function hiddenConfiguration(path: string, kubectl: string): Staying {
  return {
    what: `the configuration in ${path}, if there is one: kcp hides it, as the claim of dep-ctrl is not accepted there, and it refuses every delete that it guards`,
    removedBy: `give --shard-kubeconfig once per shard, or an admin of ${path}: ${kubectl} delete validatingwebhookconfiguration ${GUARD_NAME} --ignore-not-found`,
    refuses: true,
  };
}

/** Made only where bootstrap was told so: nobody knows here. */
function hiddenType(kubectl: string): Staying {
  return {
    what: `the WorkspaceType ${TEARDOWN_TYPE}, if bootstrap was told to make it: these credentials may not read it`,
    removedBy: `run uninstall as an admin of the workspace; to see whether the type exists: ${kubectl} get workspacetype ${TEARDOWN_TYPE} --ignore-not-found`,
  };
}

/** Written only where bootstrap was told so: nobody knows here. */
function hiddenProtection({ owner }: Installation, kubectl: string): Staying {
  const types = Object.values(PROTECTION_TYPES).map(({ resource }) => resource);
  return {
    what: `the policy in ${PROTECTION_PLACE} that keeps the workspace of dep-ctrl from being deleted, if bootstrap was told to write one: these credentials may not read policies there`,
    removedBy: `an admin of ${PROTECTION_PLACE}: ${kubectl} delete ${types.join(',')} ${protectionName(owner)} --ignore-not-found`,
  };
}

function withoutShards({ owner }: Installation): readonly Staying[] {
  return [
    {
      what: 'what is left in workspaces that have unbound, and the rights in system:admin of each shard, were not looked at',
      removedBy: `give --shard-kubeconfig once per shard; the rights also go there with kubectl delete clusterrolebinding,clusterrole ${shardRightNames(owner).join(' ')}`,
    },
  ];
}
