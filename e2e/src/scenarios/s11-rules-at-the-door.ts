import { deepEqual, doesNotMatch, equal, match } from 'node:assert/strict';
import { stringify } from 'yaml';
import type { Tree } from '../https/kube-body.js';
import { eventually } from '../stage/eventually.js';
import { NETWORK } from '../stage/example-types.js';
import { kubectlIn, type Kubectl } from '../stage/kubectl.js';
import { GUARDS, RULES, rule, vmRule, vpcRule } from './rules.js';
import { checksBegin } from './rule-checks.js';
import type { Scenario } from './scenario.js';
import type { Cloud, World } from './world.js';

/** S11: rules and guards are checked as they are written. */
export const rulesAtTheDoor: readonly Scenario[] = [
  {
    id: 'S11.1',
    title: 'kubectl apply of a broken rule prints every problem and writes nothing; mended it is written, and no edit makes it unreadable',
    needs: ['kubectl'],
    run: async (world) => {
      const cloud = await world.cloud();
      const kubectl = providerOf(world, cloud);
      await checksBegin(world, cloud);
      const ref = { resource: 'vpcs', path: '.spec.vpcRef.name' } as const;
      const broken = rule(cloud, 'broken', 'VM', [
        ref,
        ref,
        { resource: 'vpcs', path: '.spec.vpcRefs[*].name', namespacePath: '.spec.others[*].namespace' },
        { resource: 'zones', path: '.spec.zoneRef.name', namespacePath: '.spec.zoneRef.namespace' },
      ]);

      const refused = await kubectl(['apply', '-f', '-'], stringify(broken));

      equal(refused.code, 1, refused.stdout);
      match(
        refused.stderr,
        /admission webhook "admission\.dependencies\.opendefense\.cloud" denied the request: DependencyRule broken: 3 problems$/m,
      );
      match(
        refused.stderr,
        /^- \.spec\.dependencies\[1\]: says the same as \.spec\.dependencies\[0\] and counts once: remove it or correct it$/m,
      );
      match(refused.stderr, /^- \.spec\.dependencies\[2\]\.fieldRef\.namespacePath: gives one name several namespaces/m);
      match(
        refused.stderr,
        /^- \.spec\.dependencies\[3\]\.fieldRef\.namespacePath: remove this field, as zones\.network\.example\.com are cluster-scoped/m,
      );
      (await world.kcp.admin.get(`${cloud.compute.workspace.at}${RULES}/broken`)).expect(404);

      const mended = await kubectl(['apply', '-f', '-'], stringify(vmRule(cloud)));
      equal(mended.code, 0, mended.stderr);
      const { spec } = rule(cloud, 'vm-dependencies', 'VM', [{ resource: 'vpcs', path: '.spec.a[*].b', namespacePath: '.spec.c[*].d' }]);
      const edited = await kubectl(['patch', 'dependencyrule', 'vm-dependencies', '--type', 'merge', '-p', JSON.stringify({ spec })]);
      equal(edited.code, 1, edited.stdout);
      match(edited.stderr, /gives one name several namespaces/);
    },
  },
  {
    id: 'S11.2',
    title: 'kubectl apply of a doubtful rule or guard writes it and prints a warning for each doubt, with the YAML of a printer column',
    needs: ['kubectl'],
    run: async (world) => {
      const cloud = await world.cloud();
      const kubectl = providerOf(world, cloud);
      await checksBegin(world, cloud);
      (await world.kcp.admin.post(cloud.network.workspace.at + RULES, vpcRule(cloud))).expect(201);
      const doubtful = rule(cloud, 'doubtful', 'VM', [
        { resource: 'vpcs', path: '.spec.vpcRef.name' },
        { resource: 'vpcs', path: '.spec.vpcRef.nam' },
        { resource: 'zones', path: '.spec.zoneRef.name' },
      ]);

      const written = await eventually('every doubt is told', async () => {
        await kubectl(['delete', 'dependencyrule', 'doubtful', '--ignore-not-found']);
        const said = await kubectl(['apply', '-f', '-'], stringify(withTarget(doubtful, 'root:nowhere-at-all')));
        equal(said.code, 0, said.stderr);
        doesNotMatch(said.stderr, /not everything in this rule was checked/);
        equal(said.stderr.match(/^Warning: /gm)?.length, 4, said.stderr);
        return said;
      });

      match(
        written.stderr,
        /^Warning: \.spec\.dependencies\[0\]: vms\.compute\.example\.com and vpcs\.network\.example\.com refer to each other in a circle/m,
      );
      match(written.stderr, /^Warning: \.spec\.dependencies\[3\]\.apiExportRef\.path: no workspace at root:nowhere-at-all binds dep-ctrl/m);
      match(
        written.stderr,
        /^Warning: \.spec\.dependencies\[1\]\.fieldRef\.path: vms\.compute\.example\.com v1 has no field \.spec\.vpcRef\.nam: \.spec\.vpcRef has name/m,
      );
      match(
        written.stderr,
        /^Warning: \.spec\.dependencies\[2\]\.fieldRef\.path: without a printer column .*: \{name: "zoneRef-name", type: string, jsonPath: "\.spec\.zoneRef\.name"\}$/m,
      );
      const guard = {
        apiVersion: 'dependencies.opendefense.cloud/v1alpha1',
        kind: 'DependencyGuard',
        metadata: { name: 'dependency-controller' },
        spec: { allowRulesFrom: [cloud.compute.workspace.path, 'root:nowhere-at-all'] },
      };
      const admitted = await kubectl(['apply', '-f', '-'], stringify(guard));
      equal(admitted.code, 0, admitted.stderr);
      deepEqual(admitted.stderr.match(/^Warning: \.spec.*$/gm), [
        'Warning: .spec.allowRulesFrom: no workspace at root:nowhere-at-all binds dep-ctrl, so nobody is admitted by it: correct the path, or have its owner bind dep-ctrl',
      ]);
      const { body } = (await world.kcp.admin.get(`${cloud.compute.workspace.at}${GUARDS}/dependency-controller`)).expect(200);
      deepEqual(body.spec, guard.spec);
    },
  },
  {
    id: 'S11.3',
    title: 'a workspace that does not bind dep-ctrl and one that does not exist read the same to the author of a rule',
    needs: ['kubectl'],
    run: async (world) => {
      const cloud = await world.cloud();
      const kubectl = providerOf(world, cloud);
      await checksBegin(world, cloud);
      const unbound = await world.kcp.workspace();
      const paths = [unbound.path, `${unbound.path}-not`];

      const said: string[] = [];
      for (const path of paths) {
        const target = stringify(withTarget(rule(cloud, 'target', 'VM', []), path));
        const stderr = await eventually('all of the rule is checked', async () => {
          const written = await kubectl(['apply', '--dry-run=server', '-f', '-'], target);
          doesNotMatch(written.stderr, /not everything in this rule was checked/);
          return written.stderr;
        });
        said.push(stderr.replaceAll(path, 'PATH'));
      }

      match(said[0] ?? '', /no workspace at PATH binds dep-ctrl/);
      equal(said[0], said[1]);
    },
  },
  {
    id: 'S11.4',
    title: 'the 101st rule of a workspace is refused, and so is one that names a 257th workspace; those that are there can be edited',
    slow: true,
    run: async (world) => {
      const cloud = await world.cloud();
      await checksBegin(world, cloud);
      const collection = cloud.compute.workspace.at + RULES;
      const numbered = (n: number): Tree => rule(cloud, `rule-${n}`, 'VM', [{ resource: 'vpcs', path: '.spec.vpcRef.name' }]);
      for (let n = 1; n <= 100; n += 1) (await world.kcp.admin.post(collection, numbered(n))).expect(201);

      await eventually('one more is refused', async () => {
        const { status, text } = await world.kcp.admin.post(`${collection}?dryRun=All`, numbered(101));
        equal(status, 422, text);
        match(text, /this workspace has 100 rules, and at most 100 of them are in force/);
      });
      (await world.kcp.admin.patch('merge', `${collection}/rule-7`, { spec: { enforcement: 'Warn' } })).expect(200);

      // With the provider's own, 256 workspaces.
      for (const [at, count] of [64, 64, 64, 63].entries()) {
        (await world.kcp.admin.patch('merge', `${collection}/rule-${at + 1}`, namingMany(cloud, at * 64, count))).expect(200);
      }
      await eventually('one that names more is refused', async () => {
        const { status, text } = await world.kcp.admin.patch('merge', `${collection}/rule-8?dryRun=All`, namingMany(cloud, 255, 1));
        equal(status, 422, text);
        match(text, /name 257 workspaces together, and at most 256 may be named/);
      });
      (await world.kcp.admin.patch('merge', `${collection}/rule-8`, namingMany(cloud, 0, 64))).expect(200);
    },
  },
];

/** kubectl as the provider that writes rules. */
function providerOf(world: World, cloud: Cloud): Kubectl {
  return kubectlIn(world.kcp, { workspace: cloud.compute.workspace, namespace: 'default' });
}

/** The rule with another target: VPCs of the workspace at this path. */
function withTarget(given: Tree, path: string): Tree {
  const { spec } = given as { readonly spec: { readonly dependencies: readonly Tree[] } };
  const target = {
    apiExportRef: { path, name: 'network.example.com' },
    group: 'network.example.com',
    version: 'v1',
    resource: 'vpcs',
    fieldRef: { path: '.spec.vpcRef.name' },
  };
  return { ...given, spec: { ...spec, dependencies: [...spec.dependencies, target] } };
}

/** The spec of a rule that names workspaces that nobody has. */
function namingMany(cloud: Cloud, from: number, count: number): Tree {
  const reference = {
    apiExportRef: { name: NETWORK },
    group: NETWORK,
    version: 'v1',
    resource: 'vpcs',
    fieldRef: { path: '.spec.vpcRef.name' },
  };
  const of = (at: number): string => `${cloud.network.workspace.path}:none-${String(from + at)}`;
  const dependencies = Array.from({ length: count }, (_, at) => ({
    ...reference,
    apiExportRef: { ...reference.apiExportRef, path: of(at) },
  }));
  return { spec: { dependencies } };
}
