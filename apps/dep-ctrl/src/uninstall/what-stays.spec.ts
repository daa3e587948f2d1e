import { describe, expect, it } from '@jest/globals';
import { logicalCluster, workspacePath } from '@dep-ctrl/kcp-names';
import type { BindingToUs, Place } from './find-removals.js';
import { whatStays, type Staying } from './what-stays.js';

const [HOME, A, B] = [logicalCluster('home1'), logicalCluster('aaa'), logicalCluster('bbb')];
const KUBECTL = 'kubectl --context base --server https://kcp/clusters';

function place(more: Partial<Place> = {}): Place {
  const client = () => {
    throw new Error('nobody asks');
  };
  return { name: 'shard', removals: [], paths: new Map(), bindings: [], foreign: [], client, ...more };
}

/** What stays of an installation whose workspace is gone, where a shard was looked at, but for what is given. */
function staying(given: Partial<Parameters<typeof whatStays>[0]>): readonly Staying[] {
  return whatStays({
    baseUrl: 'https://kcp',
    flags: ['--context', 'base'],
    workspace: workspacePath('root:dep-ctrl'),
    installation: { owner: HOME, endpoints: [], isThere: false },
    shardKubeconfigs: ['a.kubeconfig'],
    unswept: [],
    places: [],
    others: [],
    held: [],
    extending: [],
    ...given,
  });
}

const bindingOf = (path: string, name = 'dep-ctrl') => ({
  what: `the APIBinding in ${path}, and its DependencyRules`,
  removedBy: `${KUBECTL}/${path} delete apibinding ${name}`,
});

const hiddenIn = (path: string) => ({
  what: `the configuration in ${path}, if there is one: kcp hides it, as the claim of dep-ctrl is not accepted there, and it refuses every delete that it guards`,
  removedBy: `give --shard-kubeconfig once per shard, or an admin of ${path}: ${KUBECTL}/${path} delete validatingwebhookconfiguration dependency-controller --ignore-not-found`,
  refuses: true,
});

describe(whatStays, () => {
  it('given nothing, then nothing stays', () => {
    expect(staying({})).toEqual([]);
  });

  it('given bindings on two shards, one of them seen twice, then each is named once, by path where that is known, sorted', () => {
    const seen = (cluster: typeof A, name: string): BindingToUs => ({ cluster, name, hides: false });
    const places = [
      place({ bindings: [seen(B, 'dep-ctrl'), seen(A, 'one')], paths: new Map([[B, workspacePath('root:b')]]) }),
      place({ bindings: [seen(A, 'one'), seen(A, 'two')] }),
    ];

    expect(staying({ places })).toEqual([bindingOf('aaa', 'one'), bindingOf('aaa', 'two'), bindingOf('root:b')]);
  });

  describe('given a binding that hides what may be in its workspace', () => {
    const places = [
      place({
        bindings: [
          { cluster: A, name: 'dep-ctrl', hides: true },
          { cluster: B, name: 'dep-ctrl', hides: false },
        ],
      }),
    ];
    const unswept = [{ where: 'shard one', why: 'give its kubeconfig' }];

    it('when every shard was looked at, then nothing hides', () => {
      expect(staying({ places })).toEqual([bindingOf('aaa'), bindingOf('bbb')]);
    });

    it('when one was not, then the configuration may be there', () => {
      expect(staying({ places, unswept }).slice(0, 3)).toEqual([hiddenIn('aaa'), bindingOf('aaa'), bindingOf('bbb')]);
    });

    it('when none was, then it may be there, and whatever only a shard shows', () => {
      expect(staying({ places, shardKubeconfigs: [] })).toEqual([
        hiddenIn('aaa'),
        bindingOf('aaa'),
        bindingOf('bbb'),
        {
          what: 'what is left in workspaces that have unbound, and the rights in system:admin of each shard, were not looked at',
          removedBy:
            'give --shard-kubeconfig once per shard; the rights also go there with kubectl delete clusterrolebinding,clusterrole dep-ctrl:read-dependents:home1 dep-ctrl:resolve-workspaces:home1',
        },
      ]);
    });
  });

  it.each<{ readonly given: string; readonly of: Parameters<typeof staying>[0]; readonly stays: readonly Staying[] }>([
    {
      given: 'a shard that was not looked at',
      of: { unswept: [{ where: 'shard one', why: 'give its kubeconfig' }] },
      stays: [
        {
          what: 'what is left on shard one, in workspaces that have unbound and in its system:admin, was not looked at',
          removedBy: 'give its kubeconfig',
        },
      ],
    },
    {
      given: 'types that extend ours',
      of: { extending: ['root:x:teams'] },
      stays: [
        {
          what: 'the WorkspaceType root:x:teams, of which kcp makes no workspace any more, as it extends dependency-ordered',
          removedBy: 'take that out of its spec.extend.with',
        },
      ],
    },
    {
      given: 'workspaces with our terminator',
      of: {
        held: [
          { cluster: A, path: workspacePath('root:a'), isDying: true, letGo: 'kubectl edit a' },
          { cluster: B, isDying: false, letGo: 'kubectl edit b' },
        ],
      },
      stays: [
        {
          what: 'the terminator of dep-ctrl in workspace root:a (aaa), which is being deleted and waits for it',
          removedBy: 'an admin of its shard: kubectl edit a',
        },
        {
          what: 'the terminator of dep-ctrl in workspace bbb (bbb), which will wait for it when it is deleted',
          removedBy: 'an admin of its shard: kubectl edit b',
        },
      ],
    },
    {
      given: 'another installation',
      of: { others: [{ owner: 'gone1', workspaces: ['root:a'] }] },
      stays: [
        {
          what: 'the configuration in root:a is of another installation, "gone1"',
          removedBy: 'if that is gone: dep-ctrl uninstall --workspace gone1 --shard-kubeconfig a.kubeconfig --yes --context base',
        },
      ],
    },
    {
      given: 'a type that is hidden',
      of: { places: [place({ hidden: 'teardown-type' })] },
      stays: [
        {
          what: 'the WorkspaceType dependency-ordered, if bootstrap was told to make it: these credentials may not read it',
          removedBy: `run uninstall as an admin of the workspace; to see whether the type exists: ${KUBECTL}/root:dep-ctrl get workspacetype dependency-ordered --ignore-not-found`,
        },
      ],
    },
    {
      given: 'a protection that is hidden',
      of: { places: [place({ hidden: 'protection' })] },
      stays: [
        {
          what: 'the policy in root that keeps the workspace of dep-ctrl from being deleted, if bootstrap was told to write one: these credentials may not read policies there',
          removedBy: `an admin of root: ${KUBECTL}/root delete validatingadmissionpolicybindings,validatingadmissionpolicies dep-ctrl-workspace-home1 --ignore-not-found`,
        },
      ],
    },
    {
      given: 'the workspace of dep-ctrl',
      of: { installation: { owner: HOME, endpoints: [], isThere: true } },
      stays: [
        {
          what: 'workspace root:dep-ctrl with the API, the identities, their rights and Secrets',
          removedBy: `${KUBECTL}/root delete workspace dep-ctrl`,
        },
      ],
    },
    {
      given: 'a workspace that is named by its cluster, which has no parent to delete it in',
      of: { installation: { owner: HOME, endpoints: [], isThere: true }, workspace: workspacePath('home1') },
      stays: [],
    },
  ])('given $given, then it is named with the command that removes it', ({ of, stays }) => {
    expect(staying(of)).toEqual(stays);
  });
});
