import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { at, type Tree } from '../https/kube-body.js';
import { WEBHOOK_CONFIGURATIONS } from '../stage/exports.js';
import { always, eventually } from '../stage/eventually.js';
import { COMPUTE_TYPES, network } from './cloud-types.js';
import { checksBegin, checksEnd } from './rule-checks.js';
import { isSettled } from './in-force.js';
import { FIRST_URL_TOKEN } from './product.js';
import { GUARDS, RULES, vmRule } from './rules.js';
import type { CommandResult } from './run-program.js';
import { takesProduct, type Scenario } from './scenario.js';
import { SteadyDeletes } from './steady-deletes.js';
import { tenantOf, type World } from './world.js';

// A watch of what is gone ends after 12 s at most; then the new one is listed.
const MADE_ANEW_MS = 60_000;
// A controller that leads has looked at all configurations within a second.
const LOOKED_AT_MS = 3_000;
const BIND_ROLE = '/apis/rbac.authorization.k8s.io/v1/clusterroles/dep-ctrl:bind';
const OTHER_RULES = [{ verbs: ['get'], apiGroups: ['apis.kcp.io'], resources: ['apiexports'] }];
const CLUSTER_ROLES = '/clusters/system:admin/apis/rbac.authorization.k8s.io/v1/clusterroles';

/** S6: the commands, as operators run them. */
export const commands: readonly Scenario[] = [
  {
    id: 'S6.1',
    title: 'bootstrap can be repeated',
    run: async (world) => {
      // An installation of its own: what others bind meanwhile is rightly granted to the shared one.
      const { product } = await world.second();
      try {
        const token = readFileSync(join(product.dir, 'url-token'), 'utf8');

        const again = await product.bootstrap('--kubeconfig-dir', product.dir);

        equal(again.code, 0, again.stderr);
        // Other scenarios leave installations behind, of which it removes the rights.
        deepEqual(again.stdout.match(/^(?:created|updated) .*$/gm) ?? [], []);
        match(again.stdout, /objects, all as they should be/);
        equal(readFileSync(join(product.dir, 'url-token'), 'utf8'), token, 'the URL token is another one');
      } finally {
        await product.stop();
      }
    },
  },
  {
    id: 'S6.2',
    title: 'bind binds a provider, accepts its claim, and lets the webhook read what it exports',
    run: async (world) => {
      const workspace = await world.kcp.workspace();
      const group = `${world.kcp.unique('bound')}.example.com`;
      await world.provider({ name: group, group, types: COMPUTE_TYPES, workspace }, { bound: false });

      const bound = await world.product.bind(workspace.path);

      equal(bound.code, 0, bound.stderr);
      for (const { adminKubeconfig } of world.kcp.backend.shards) {
        const line = bound.stdout.split('\n').find((each) => each.startsWith(`system:admin (${adminKubeconfig}): the webhook may read `));
        match(line ?? bound.stdout, new RegExp(`; added (?:.*, )?hosts\\.${group}, (?:.*, )?vms\\.${group}`));
      }
      await eventually('rules are served', async () => void (await world.kcp.admin.get(workspace.at + RULES)).expect(200));
    },
  },
  {
    id: 'S6.3',
    title: 'explain says what the delete says, and deletes nothing',
    run: async (world) => {
      const tenant = await world.sharedTenant();
      const { vpc } = await world.pair(tenant, 'explained');
      await world.refuses(vpc);

      const said = await world.product.command(
        ...['explain', 'vpcs/explained', '-n', tenant.namespace],
        ...['--workspace', tenant.workspace.path, '--dep-ctrl-workspace', world.product.path],
      );

      match(said.stdout + said.stderr, /still referenced by VM\/explained/);
      (await world.kcp.admin.get(vpc)).expect(200);
    },
  },
  {
    id: 'S6.4',
    title: 'uninstall leaves no configuration, no guard and no rule that says it is in force, with both roles dead',
    exclusive: takesProduct,
    run: async (world) => {
      const own = await world.second();
      try {
        const { cloud, vpc } = await own.guardedPair();
        await own.addRule(cloud, { ...vmRule(cloud), metadata: { name: 'the-same-again' } });
        await eventually('the other rule is in force', () => isSettled(own, cloud, 'the-same-again'));
        await checksBegin(own, cloud);
        await own.product.stop();
        equal((await world.kcp.admin.delete(vpc)).status, 500);

        const gone = await own.product.command('uninstall', '--yes', '--workspace', own.product.path);

        equal(gone.code, 0, gone.stdout + gone.stderr);
        deepEqual(await own.configurations(cloud.network.workspace), [], 'a configuration is left');
        equal((await world.kcp.admin.get(`${cloud.network.workspace.at}${GUARDS}/dependency-controller`)).status, 404, 'a guard is left');
        await own.allows(vpc);
        for (const name of ['vm-dependencies', 'the-same-again']) {
          const rule = (await world.kcp.admin.get(`${cloud.compute.workspace.at}${RULES}/${name}`)).expect(200).body;
          const conditions = at(rule, 'status', 'conditions') as Tree[];
          deepEqual(
            conditions.map(({ type, status, reason }) => [type, status, reason]),
            [
              ['Ready', 'False', 'Uninstalled'],
              ['InForce', 'False', 'Uninstalled'],
            ],
            `${name} says that it is in force`,
          );
          await checksEnd(own, cloud, name);
        }
      } finally {
        await own.product.stop();
        await world.product.bootstrap();
      }
    },
  },
  {
    id: 'S6.5',
    title: 'two installations on one kcp do not touch each other',
    exclusive: takesProduct,
    run: async (world) => {
      const own = await world.second();
      try {
        const cloud = await own.cloud();
        await own.addRule(cloud, vmRule(cloud));
        await own.guarded(tenantOf(await own.consumer(cloud), 'default'));
        await world.refuses((await world.pair(await world.sharedTenant())).vpc);
      } finally {
        await own.product.stop();
        await world.product.bootstrap();
      }
    },
  },
  {
    id: 'S6.6',
    title:
      'where the workspace of dep-ctrl is deleted and made anew, bind hands each provider over, and rules that are applied then are in force',
    exclusive: takesProduct,
    slow: true,
    run: async (world) => {
      const own = await world.second();
      try {
        const { cloud, tenant, vpc } = await own.guardedPair();
        await own.product.stop();
        const before = await own.homeCluster();
        await own.removeHome();
        // No webhook answers for the configuration that is left.
        equal((await world.kcp.admin.delete(vpc)).status, 500);
        await own.product.bootstrapAnew();
        for (const shard of world.kcp.backend.shards.keys()) {
          const right = `${CLUSTER_ROLES}/dep-ctrl:read-dependents:${before}`;
          equal((await world.kcp.shard(shard).masters.get(right)).status, 404, 'rights that nobody uses are gone');
        }
        await Promise.all([own.product.webhook.start(), own.product.controller.start()]);

        const [networkPath, computePath] = [cloud.network.workspace.path, cloud.compute.workspace.path];
        const bound = await own.product.bind(networkPath, computePath);

        equal(bound.code, 0, bound.stdout + bound.stderr);
        const rebound = 'binding rebound: dep-ctrl was set up anew since, so apply the rules and guards of this workspace again';
        const said = bound.stdout.replaceAll(/ --kubeconfig \S+/g, '').split('\n');
        deepEqual(said.slice(0, 2), [
          `${networkPath}: ${rebound}; the configuration of the former installation was handed over: it refuses every delete. When all rules about this workspace are applied again, run: dep-ctrl bind ${networkPath} --workspace ${own.product.path} --rules-are-back`,
          `${computePath}: ${rebound}`,
        ]);
        // At once: no rule of before is in its way.
        (await world.kcp.admin.post(cloud.compute.workspace.at + RULES, vmRule(cloud))).expect(201);
        await rulesAreBack(own, networkPath);
        await own.refuses(vpc);
        const free = `${tenant.vpcs}/free`;
        await own.create(tenant.vpcs, network('VPC', 'free'));
        await own.allows(free);
      } finally {
        await own.product.stop();
        await world.product.bootstrap();
      }
    },
  },
  {
    id: 'S6.8',
    title:
      'where the workspace of dep-ctrl is deleted and made anew, roles that run on find the new one, and at no moment until somebody says that its rules are back may go what they guarded',
    exclusive: takesProduct,
    slow: true,
    run: async (world) => {
      const own = await world.second();
      try {
        const { cloud, tenant, vpc } = await own.guardedPair();
        await using deletes = new SteadyDeletes(world, `${vpc}?dryRun=All`);
        await own.removeHome();
        // Where both roles read it from a Secret, the new installation has the URL token of the one before.
        await own.product.bootstrapAnew(FIRST_URL_TOKEN);
        const bound = await own.product.bind(cloud.network.workspace.path, cloud.compute.workspace.path);
        equal(bound.code, 0, bound.stdout + bound.stderr);
        const home = `/clusters/${await own.homeCluster()}${WEBHOOK_CONFIGURATIONS}/dependency-admission`;
        await eventually('the controller leads there', async () => void (await world.kcp.admin.get(home)).expect(200), MADE_ANEW_MS);
        await eventually('nothing but rules are missing', () => rulesAreMissing(world, vpc), MADE_ANEW_MS);
        await always('the controller leaves what was handed over', () => rulesAreMissing(world, vpc), LOOKED_AT_MS);
        await eventually(
          'the rule is taken',
          async () => void (await world.kcp.admin.post(cloud.compute.workspace.at + RULES, vmRule(cloud))).expect(201),
          MADE_ANEW_MS,
        );

        const explained = await own.product.command(
          ...['explain', `vpcs/${vpc.split('/').at(-1) ?? ''}`, '-n', tenant.namespace, '--workspace', tenant.workspace.path],
          ...['--dep-ctrl-workspace', own.product.path],
        );
        match(explained.stdout, /a delete would be refused[^]*the rules are not back/, explained.stderr);
        const admission = `/clusters/${own.product.path}${WEBHOOK_CONFIGURATIONS}/dependency-admission`;
        await eventually(
          'rules are checked again, by a configuration of the new installation',
          async () => {
            const { body } = (await world.kcp.admin.get(admission)).expect(200);
            equal(at(body, 'metadata', 'labels', 'dependencies.opendefense.cloud/export-cluster'), await own.homeCluster());
          },
          MADE_ANEW_MS,
        );
        await rulesAreBack(own, cloud.network.workspace.path);
        await eventually(
          'the rule is in force',
          async () => match((await world.kcp.admin.delete(`${vpc}?dryRun=All`)).expect(403).body.message ?? '', /still referenced by/),
          MADE_ANEW_MS,
        );
        ok((await deletes.end()).length > 0, 'nobody asked meanwhile');
        const free = `${tenant.vpcs}/free`;
        await own.create(tenant.vpcs, network('VPC', 'free'));
        await own.allows(free);
      } finally {
        await own.product.stop();
        await world.product.bootstrap();
      }
    },
  },
  {
    id: 'S6.11',
    title: 'bootstrap --diff says that nothing would change right after a bootstrap, and names what was changed since, and changes nothing',
    exclusive: takesProduct,
    run: async (world) => {
      const own = await world.second();
      try {
        const role = `/clusters/${own.product.path}${BIND_ROLE}`;

        const nothing = await own.product.diff();
        const { body } = (await world.kcp.admin.get(role)).expect(200);
        (await world.kcp.admin.put(role, { ...body, rules: OTHER_RULES })).expect(200);
        const changed = await own.product.diff();
        const untouched = (await world.kcp.admin.get(role)).expect(200).body;
        const again = await own.product.bootstrap();
        const mended = await own.product.diff();

        deepEqual(differencesIn(nothing), []);
        deepEqual(differencesIn(changed), ['updated ClusterRole dep-ctrl:bind']);
        equal(changed.code, 1, changed.stderr);
        deepEqual(at(untouched, 'rules'), OTHER_RULES);
        equal(again.code, 0, again.stderr);
        deepEqual(differencesIn(mended), []);
      } finally {
        await own.product.stop();
        await world.product.bootstrap();
      }
    },
  },
];

/** Says so, as soon as the controller has looked at them. */
function rulesAreBack({ product }: World, path: string): Promise<void> {
  return eventually('the rules are said to be back', async () => {
    const said = await product.command('bind', path, '--workspace', product.path, '--rules-are-back');
    equal(said.code, 0, said.stdout + said.stderr);
    // It takes no rights on shards, and asks for none.
    equal(said.stdout, `${path}: binding unchanged; the rules are back: the configuration asks about deletes again\n`);
  });
}

async function rulesAreMissing({ kcp }: World, object: string): Promise<void> {
  const { body } = (await kcp.admin.delete(`${object}?dryRun=All`)).expect(403);
  match(String(at(body, 'message')), /the rules are not back/);
}

/** What would be made or changed; scenarios leave installations behind, of which it would remove the rights. */
function differencesIn({ stdout, stderr }: CommandResult): readonly string[] {
  ok(stdout.startsWith('{'), stdout + stderr);
  const { differences } = JSON.parse(stdout) as { readonly differences: readonly { change: string; kind: string; name: string }[] };
  return differences.filter(({ change }) => change !== 'removed').map(({ change, kind, name }) => `${change} ${kind} ${name}`);
}
