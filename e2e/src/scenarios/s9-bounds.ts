import { equal, match, ok } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { Authority } from '../backends/pki.js';
import { writePair } from '../backends/work-dir.js';
import { at, type Tree } from '../https/kube-body.js';
import { eventually } from '../stage/eventually.js';
import { WEBHOOK_CONFIGURATIONS } from '../stage/exports.js';
import type { Outsider } from '../stage/outsider.js';
import type { Workspace } from '../stage/stage.js';
import { Neighbours, ruleAbout, STORAGE, target, type NamedType } from './s9-neighbours.js';
import { GUARDS, RULES, rule } from './rules.js';
import type { Scenario } from './scenario.js';

const DISK = { exportName: STORAGE, group: STORAGE, resource: 'disks', kind: 'Disk' };
// One object of this many entries is more than a schema with bounds admits and less than kcp refuses for its size.
const ENTRIES_AT_ONCE = 2_001;
// What the schema admits in one rule, and what one workspace may have in force.
const ENTRIES_A_RULE = 64;
const RULES_A_WORKSPACE = 100;
// Each target is looked up.
const WORKED_OFF_MS = 240_000;
const LONGEST_GROUP = 240;
// etcd refuses a request of 1.5 MiB.
const FAR_BELOW_ETCD = 1_000_000;

/** S9: everything is bounded where it is written, and what is too much falls on its author. */
export const bounds: readonly Scenario[] = [
  {
    id: 'S9.7',
    title:
      'rules about thousands of types that nobody has keep no consumer of that provider waiting; about built-in types and unreadable paths there are none',
    slow: true,
    run: (world) =>
      Neighbours.play(world, async (scene) => {
        const { vpcs } = scene.types;
        const alice = scene.outsider();
        const { workspace } = await scene.provider(alice);

        await manyTypes(scene, alice, { workspace, vpcs, count: ENTRIES_AT_ONCE, group: 'madeup.example.com' });
        const builtIn = { ...target(vpcs), group: 'rbac.authorization.k8s.io', resource: 'clusterroles' };
        const secrets = { ...builtIn, group: '', resource: 'secrets' };
        const unreadable = { ...target(vpcs), fieldRef: { path: '.spec[' } };
        for (const [name, targets] of Object.entries({ 'built-in': [builtIn], secrets: [target(vpcs), secrets], unreadable: [unreadable] }))
          equal((await scene.ruleBy(alice, workspace, ruleAbout(name, DISK, targets))).status, 422);

        await scene.unharmed('with a great many entries');
        await scene.unharmedByRestarts('with a great many entries');
        await scene.honestRuleIsReady();
      }),
  },
  {
    id: 'S9.8',
    title:
      'what several authors write about a provider never outgrows its configuration: it is repaired, follows its CA and takes new rules',
    // Megabytes of rules: beside this one kcp may not even take a connection for seconds.
    exclusive: () => 'everything',
    run: (world) =>
      Neighbours.play(world, async (scene) => {
        const { own, cloud } = scene;
        const { vpcs } = scene.types;
        const alice = scene.outsider();
        const authors: Workspace[] = [];
        for (const shard of scene.teams.map((_, n) => n % own.kcp.backend.shards.length)) {
          const { workspace } = await scene.provider(alice, { shard });
          authors.push(workspace);
          await manyTypes(scene, alice, { workspace, vpcs, count: ENTRIES_A_RULE * RULES_A_WORKSPACE, group: longGroup() });
        }
        await scene.unharmed('with authors who write as much as they may');
        for (const workspace of authors) await workedOff(alice, workspace);
        const configuration = `${cloud.network.workspace.at}${WEBHOOK_CONFIGURATIONS}/dependency-controller`;
        const guard = `${cloud.network.workspace.at}${GUARDS}/dependency-controller`;
        for (const object of [configuration, guard]) {
          const { length } = (await own.kcp.admin.get(object)).expect(200).text;
          ok(length < FAR_BELOW_ETCD, `${object} has ${length} bytes`);
        }

        await own.addRule(cloud, rule(cloud, 'hosts', 'Host', [{ resource: 'zones', path: '.spec.zoneRef.name' }]));
        await eventually('a new honest rule is installed', async () => {
          ok((await own.kcp.admin.get(configuration)).expect(200).text.includes('"zones"'), 'zones are not asked about');
          equal((await own.ruleConditions(cloud, 'hosts'))['Ready']?.status, 'True');
        });
        await scene.honestRuleIsReady();

        const next = await Authority.create('dep-ctrl-e2e-webhook, next');
        writePair(own.product.tlsDir, 'tls', await next.server());
        writeFileSync(own.product.caFile, next.pair.cert);
        await eventually('the new CA is installed', async () => {
          for (const entry of at((await own.kcp.admin.get(configuration)).expect(200).body, 'webhooks') as readonly Tree[]) {
            const bundle = Buffer.from(String(at(entry, 'clientConfig', 'caBundle')), 'base64').toString();
            ok(bundle.includes(next.pair.cert.trim()), 'the new CA is not in the bundle');
          }
        });
        await scene.unharmed('with the new CA');

        (await own.kcp.admin.delete(configuration)).expect(200);
        await eventually('it is made again', async () => {
          (await own.kcp.admin.get(configuration)).expect(200);
          await scene.answered();
        });
        await scene.unharmedByRestarts('with authors who write as much as they may');
      }),
  },
  {
    id: 'S9.9',
    title: 'more rules than the quota are refused, or stand there as OverQuota, the youngest first; no rule of anybody else is',
    slow: true,
    run: (world) =>
      Neighbours.play(world, async (scene) => {
        const { vpcs } = scene.types;
        const [alice, bob] = [scene.outsider('alice'), scene.outsider('bob')];
        const [mine, theirs] = await Promise.all([scene.provider(alice), scene.provider(bob)]);
        const one = (name: string): Tree => ruleAbout(name, DISK, [target(vpcs, '.spec.vpcRef.name')]);
        for (let n = 0; n < RULES_A_WORKSPACE; n += 1) await scene.ruleBy(alice, mine.workspace, one(`old-${String(n).padStart(3, '0')}`));
        // The youngest of all.
        await scene.ruleBy(bob, theirs.workspace, one('other-author'));

        // Names that sort before the others: what counts is which came first. All at once: a count at admission would be too low.
        const young = await Promise.all(Array.from({ length: 10 }, (_, n) => scene.ruleBy(alice, mine.workspace, one(`a-young-${n}`))));

        for (const { status, text } of young) if (status !== 201) match(text, /quota|100/i);
        const stored = young.filter(({ status }) => status === 201).map(({ body }) => body.metadata.name ?? '');
        await eventually('the other author is not', async () => {
          const reason = (await readyReasons(bob, theirs.workspace)).get('other-author');
          ok(reason !== undefined && reason !== 'OverQuota', reason);
        });
        await eventually('those that came last are over the quota', async () => {
          const reasons = await readyReasons(alice, mine.workspace);
          for (const name of stored) equal(reasons.get(name), 'OverQuota', name);
          for (const [name, reason] of reasons) if (name.startsWith('old-')) ok(reason !== 'OverQuota', name);
        });
        await scene.honestRuleIsReady();
        await scene.unharmed('with more rules than the quota');

        // One of the oldest goes: the next one counts.
        (await alice.admin.delete(`${mine.workspace.at}${RULES}/old-000`)).expect(200);
        await eventually('what there is room for is in force', async () => {
          const over = [...(await readyReasons(alice, mine.workspace)).values()].filter((reason) => reason === 'OverQuota');
          equal(over.length, Math.max(0, stored.length - 1));
        });
        await scene.unharmedByRestarts('with more rules than the quota');
      }),
  },
];

interface ManyTypes {
  readonly workspace: Workspace;
  readonly vpcs: NamedType;
  readonly count: number;
  readonly group: string;
}

/** Writes rules about types that a provider does not have: in one object where that is admitted, else in as many as are. */
async function manyTypes(scene: Neighbours, by: Outsider, { workspace, vpcs, count, group }: ManyTypes): Promise<void> {
  // A group of its own each: a configuration says several resources of one group in one breath.
  const targets = Array.from({ length: count }, (_, n) => target({ ...vpcs, group: `g${n}.${group}`, resource: `r${n}s` }, '.spec.a'));
  const atOnce = targets.slice(0, Math.floor(1_100_000 / JSON.stringify(targets[0]).length));
  const { status } = await scene.ruleBy(by, workspace, ruleAbout('large', DISK, atOnce));
  if (status === 201) return;
  const chunks = Array.from({ length: Math.ceil(count / ENTRIES_A_RULE) }, (_, n) =>
    targets.slice(n * ENTRIES_A_RULE, (n + 1) * ENTRIES_A_RULE),
  );
  const rules = chunks.map((chunk, n) => ruleAbout(`many-${n}`, DISK, chunk));
  const answers = await Promise.all(rules.map((each) => scene.ruleBy(by, workspace, each)));
  // Otherwise nothing would have been tried.
  for (const { status: written, text } of answers) equal(written, 201, text);
}

function longGroup(): string {
  const label = 'g'.repeat(60);
  return `${[label, label, label, label].join('.')}.example`.slice(-LONGEST_GROUP);
}

/** Waits until the controller has said something about every rule of a workspace as it is. */
async function workedOff({ admin }: Outsider, { at: home }: Workspace): Promise<void> {
  const said = async (): Promise<void> => {
    for (const { metadata, status } of (await admin.get(home + RULES)).expect(200).body.items ?? []) {
      equal(at(status, 'observedGeneration'), metadata.generation, metadata.name);
    }
  };
  await eventually('every rule has a status', said, WORKED_OFF_MS);
}

/** Why each rule of a workspace is ready or not, as its owner reads it. */
async function readyReasons({ admin }: Outsider, { at: home }: Workspace): Promise<ReadonlyMap<string, string>> {
  const { items = [] } = (await admin.get(home + RULES)).expect(200).body;
  return new Map(
    items.map(({ metadata, status }) => {
      const conditions = (at(status, 'conditions') ?? []) as readonly { readonly type: string; readonly reason: string }[];
      return [metadata.name ?? '', conditions.find(({ type }) => type === 'Ready')?.reason ?? ''];
    }),
  );
}
