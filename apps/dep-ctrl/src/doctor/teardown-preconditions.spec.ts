import { describe, expect, it } from '@jest/globals';
import { systemClock } from '@dep-ctrl/kcp-client';
import { workspacePath, type KubeObject } from '@dep-ctrl/kcp-names';
import { ensureWorkspace, WORKSPACE_TYPES } from '@dep-ctrl/kcp-objects';
import { teardownManifests } from '../bootstrap/manifests.js';
import { bindCommand } from '../commands/bind-command.js';
import { bootstrapCommand } from '../commands/bootstrap-command.js';
import { doctorCommand } from '../commands/doctor-command.js';
import { DEV_PARENTS, DEV_PATHS } from '../dev/dev-paths.js';
import { networkProvider } from '../dev/provider-manifests.js';
import type { ReviewAnswer } from '../read-access/access-review.js';
import type { DerivedTypes } from '../read-access/derive-types.js';
import type { DyingWorkspace } from '../teardown-type/dying-workspaces.js';
import { TEARDOWN_TYPE, teardownType } from '../teardown-type/teardown-type.js';
import { onEmbeddedKcp } from '../testing/embedded-world.js';
import { exportType } from '../testing/export-type.js';
import { runCli } from '../testing/run-cli.js';
import type { DoctorFacts } from './precondition.js';
import { examine, findingsOf } from './preconditions.js';
import type { DoctorResult } from './print-doctor.js';
import { NO_PROBES } from './probes/probes.js';
import { facts, HOME, installation, NOW_MS, read } from './spec-support/whole-facts.js';

const VPCS = { group: 'network.example.com', resource: 'vpcs' };
const DISKS = { group: 'compute.example.com', resource: 'disks' };
const VIEW = `https://shard.example.com:6443/services/terminatingworkspaces/${HOME}:${TEARDOWN_TYPE}`;
const withUrl = (url: string): object => ({ status: { virtualWorkspaces: [{ type: 'terminating', url }] } });
const GOOD_TYPE: KubeObject = { ...teardownType({ kind: 'listed', types: [VPCS] }), ...withUrl(VIEW) };
const ALL: readonly ReviewAnswer[] = ['allowed', 'allowed', 'allowed'];

const dyingSince = (minutes: number): DyingWorkspace => ({
  cluster: HOME,
  path: workspacePath(`root:dying-${minutes}`),
  since: new Date(NOW_MS - minutes * 60_000).toISOString(),
});

interface Given {
  readonly type?: KubeObject;
  readonly derived?: Partial<DerivedTypes>;
  readonly answers?: readonly ReviewAnswer[];
  readonly without?: string;
  readonly dying?: readonly DyingWorkspace[];
}

/** An installation that uses the ordered teardown. */
function ordered({ type = GOOD_TYPE, derived = {}, answers = ALL, without, dying = [] }: Given): DoctorFacts {
  const { rights } = installation().home;
  const more = teardownManifests({ controller: [{ kind: 'User', name: 'operator' }] });
  const all = [...(rights.state === 'read' ? rights.value.values() : []), ...more];
  const kept = all.map((each) => [`${each.kind ?? ''}/${each.metadata.name ?? ''}`, each] as const).filter(([key]) => key !== without);
  const teardown = {
    derived: read({ types: [VPCS], isWhole: true, notes: [], ...derived }),
    followers: [{ name: 'User operator', answers: read(answers) }],
  };
  const home = { teardownType: read(type), rights: read(new Map(kept)), dying: read(dying) };
  return facts({ installation: installation({ home }), probes: { ...NO_PROBES, teardown } });
}

describe('the preconditions of the ordered teardown', () => {
  it('given an installation that uses it and is as it should be, then nothing is broken', () => {
    expect(findingsOf(examine(ordered({}))).broken).toEqual([]);
  });

  it.each<Given & { readonly given: string; readonly id: string; readonly says: RegExp; readonly run?: RegExp }>([
    {
      given: 'a type that is no terminator',
      type: { ...GOOD_TYPE, spec: { ...(GOOD_TYPE['spec'] as object), terminator: false } },
      id: 'teardown-type',
      says: /^says something else/,
    },
    {
      given: 'a provider that exports another type since',
      derived: { types: [VPCS, DISKS] },
      id: 'teardown-permissions',
      says: /^does not permit disks\.compute\.example\.com$/,
    },
    {
      given: 'a provider that has gone',
      derived: { types: [] },
      id: 'teardown-permissions',
      says: /^permits vpcs\.network\.example\.com, which no /,
    },
    {
      given: 'a controller that may not terminate',
      answers: ['allowed', 'allowed', 'denied'],
      id: 'teardown-rights',
      says: /^may not terminate$/,
      run: /^dep-ctrl bootstrap$/,
    },
    {
      given: 'nobody who may use it',
      without: 'ClusterRoleBinding/dep-ctrl:use-ordered-teardown',
      id: 'teardown-rights',
      says: /^is missing$/,
    },
    {
      given: 'a type of a moment ago',
      type: { ...GOOD_TYPE, status: {} },
      id: 'teardown-views',
      says: /^names no virtual workspace of the shard at https:\/\/shard/,
    },
    {
      given: 'a type that names only another shard',
      type: { ...GOOD_TYPE, ...withUrl(VIEW.replace('shard.', 'other.')) },
      id: 'teardown-views',
      says: /^names no virtual workspace of the shard at https:\/\/shard/,
      run: /annotate workspacetype dependency-ordered --overwrite/,
    },
    {
      given: 'a view of another type',
      type: { ...GOOD_TYPE, ...withUrl(`${VIEW}-too`) },
      id: 'teardown-views',
      says: /which is not its virtual workspace$/,
    },
    {
      given: 'a workspace that has waited for longer than it may',
      dying: [dyingSince(13), dyingSince(1)],
      id: 'teardown-waiting',
      says: /^holds a workspace for more than 12 minutes: root:dying-13$/,
      run: /^dep-ctrl controller --workspace-type dependency-ordered/,
    },
  ])('given $given, then $id is broken, alone, and says what to run', ({ id, says, run = /./, ...given }) => {
    const { broken } = findingsOf(examine(ordered(given)));

    expect(broken.map((each) => each.id)).toEqual([id]);
    expect(broken[0]?.says).toMatch(says);
    expect(broken[0]?.run).toMatch(run);
  });

  it('given a provider that could not be read, then what the type should permit is not known', () => {
    const { broken, notLookedAt } = findingsOf(examine(ordered({ derived: { types: [], isWhole: false, notes: ['not read: it'] } })));

    expect(broken).toEqual([]);
    expect(notLookedAt.map(({ id, why }) => `${id}: ${why}`)).toContain('teardown-permissions: not read: it');
  });

  it('given an installation without it, then nothing is judged', () => {
    const ids = examine(facts()).flatMap(({ precondition, judgements }) => (judgements.length > 0 ? [precondition.id] : []));

    expect(ids.filter((id) => id.startsWith('teardown-'))).toEqual([]);
  });
});

describe('dep-ctrl doctor', () => {
  it('given a type that lost what it permits, then doctor says so, and what it says to run mends it', () =>
    onEmbeddedKcp(async ({ admin, adminKubeconfig }) => {
      const options = () => ({ signal: AbortSignal.timeout(20_000), clock: systemClock, timeoutMs: 20_000 });
      const connection = ['--kubeconfig', adminKubeconfig];
      const users = ['--controller-user', 'c', '--webhook-user', 'w'];
      await runCli(bootstrapCommand, [...connection, ...users, '--ordered-teardown']);
      for (const path of [...DEV_PARENTS, DEV_PATHS.network]) await ensureWorkspace(admin, path, options());
      await exportType(admin.cluster(DEV_PATHS.network), networkProvider(), options());
      await runCli(bindCommand, [...connection, DEV_PATHS.network]);
      const home = admin.cluster(DEV_PATHS.depCtrl);
      const teardownFindings = async (): Promise<readonly string[]> => {
        const { stdout } = await runCli(doctorCommand, [...connection, '-o', 'json']);
        const { broken } = JSON.parse(stdout) as DoctorResult;
        return broken.filter(({ id }) => id.startsWith('teardown-')).map(({ id, says }) => `${id} ${says}`);
      };
      const whole = await teardownFindings();
      const type = await home.get(WORKSPACE_TYPES, { name: TEARDOWN_TYPE }, options());
      await home.replace(WORKSPACE_TYPES, { ...type, spec: teardownType({ kind: 'listed', types: [] })['spec'] }, options());

      const lost = await teardownFindings();
      await runCli(bootstrapCommand, [...connection, ...users]);

      expect(whole).toEqual([]);
      expect(lost).toEqual(['teardown-permissions does not permit vpcs.network.example.com']);
      expect(await teardownFindings()).toEqual([]);
    }));
});
