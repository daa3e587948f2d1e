import { equal, match } from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { eventually } from '../stage/eventually.js';
import { RULES, rule, vmRule } from './rules.js';
import type { Scenario } from './scenario.js';

/** S6: what operators keep in files and draw from them. */
export const files: readonly Scenario[] = [
  {
    id: 'S6.9',
    title:
      'backup saves every rule; one that is lost lets deletes go until restore writes it back, and restore of what is there changes nothing',
    slow: true,
    run: async (world) => {
      const own = await world.second();
      try {
        const { cloud, vpc } = await own.guardedPair();
        await own.refuses(vpc);
        const file = join(own.product.dir, 'saved.yaml');

        const saved = await own.product.command('backup', '--workspace', own.product.path);
        equal(saved.code, 0, saved.stderr);
        await writeFile(file, saved.stdout);
        const again = await own.product.command('restore', file);
        (await world.kcp.admin.delete(`${cloud.compute.workspace.at}${RULES}/vm-dependencies`)).expect(200);
        await eventually('the delete goes through', async () => void (await world.kcp.admin.delete(`${vpc}?dryRun=All`)).expect(200));
        const restored = await own.product.command('restore', file);

        equal(again.code, 0, again.stdout + again.stderr);
        match(again.stdout, /: DependencyRule vm-dependencies unchanged$/m);
        equal(restored.code, 0, restored.stdout + restored.stderr);
        match(restored.stdout, /: DependencyRule vm-dependencies restored$/m);
        await own.refuses(vpc);
      } finally {
        await own.product.stop();
      }
    },
  },
  {
    id: 'S6.10',
    title: 'lint finds in a file what kcp would tell of the rule, before it is applied, and graph draws the rules that are in force',
    slow: true,
    run: async (world) => {
      const own = await world.second();
      try {
        const { cloud } = await own.guardedPair();
        const workspace = ['--workspace', cloud.compute.workspace.path];
        const [right, wrong] = [join(own.product.dir, 'right.yaml'), join(own.product.dir, 'wrong.yaml')];
        await writeFile(right, stringify(vmRule(cloud)));
        await writeFile(wrong, stringify(rule(cloud, 'wrong', 'VM', [{ resource: 'vpcs', path: '.spec.vpcReff.name' }])));

        const well = await own.product.command('lint', right, ...workspace);
        const ill = await own.product.command('lint', wrong, ...workspace, '--strict');
        const graph = await own.product.command('graph', '--dep-ctrl-workspace', own.product.path, '-o', 'mermaid');

        equal(well.code, 0, well.stdout + well.stderr);
        equal(ill.code, 1, ill.stdout + ill.stderr);
        match(ill.stdout, /wrong\.yaml:\d+:\d+: .*vpcReff/);
        equal(graph.code, 0, graph.stderr);
        for (const { path } of [cloud.compute.workspace, cloud.network.workspace]) match(graph.stdout, new RegExp(`"${path}"`));
        match(graph.stdout, /-->/);
      } finally {
        await own.product.stop();
      }
    },
  },
];
