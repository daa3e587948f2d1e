import { deepEqual, equal, match } from 'node:assert/strict';
import { stringify } from 'yaml';
import { eventually } from '../stage/eventually.js';
import { kubectlIn } from '../stage/kubectl.js';
import { compute, network, refersTo } from './cloud-types.js';
import { vmRule } from './rules.js';
import type { Scenario } from './scenario.js';
import { tenantOf } from './world.js';
import { SKIP_ANNOTATION } from './skip-protection.js';

const SKIP = `${SKIP_ANNOTATION}=true`;

/** S1, continued: the same by kubectl, which is what people read refusals in. */
export const byKubectl: readonly Scenario[] = [
  {
    id: 'S1.12',
    title: 'kubectl delete prints who still refers, a dry run the same; once that is gone it deletes',
    needs: ['kubectl'],
    run: async (world) => {
      const tenant = await world.sharedTenant();
      const kubectl = kubectlIn(world.kcp, tenant);
      const manifests = [
        network('VPC', 'a'),
        network('VPC', 'free'),
        compute('VM', 'one', refersTo('a')),
        compute('VM', 'two', refersTo('a')),
      ];
      equal((await kubectl(['apply', '-f', '-'], manifests.map((manifest) => stringify(manifest)).join('---\n'))).code, 0);

      const refused = await kubectl(['delete', 'vpc', 'a']);
      const dry = await kubectl(['delete', 'vpc', 'a', '--dry-run=server']);

      equal(refused.code, 1, refused.stdout);
      match(refused.stderr, /cannot delete vpcs\/a: still referenced by VM\/one, VM\/two/);
      equal(dry.stderr, refused.stderr);
      const several = await kubectl(['delete', 'vpc', 'a', 'free']);
      equal(several.code, 1, several.stdout);
      match(several.stdout, /"free" deleted/);
      equal((await kubectl(['delete', 'vm', 'one', 'two'])).code, 0);
      const gone = await kubectl(['delete', 'vpc', 'a']);
      equal(gone.code, 0, gone.stderr);
    },
  },
  {
    id: 'S1.13',
    title: 'kubectl annotate is the way out, and kubectl prints the warning of the delete that follows',
    needs: ['kubectl'],
    run: async (world) => {
      const tenant = await world.sharedTenant();
      const kubectl = kubectlIn(world.kcp, tenant);
      await world.pair(tenant, 'a');
      equal((await kubectl(['delete', 'vpc', 'a'])).code, 1);

      equal((await kubectl(['annotate', 'vpc', 'a', SKIP])).code, 0);
      const gone = await kubectl(['delete', 'vpc', 'a']);

      equal(gone.code, 0, gone.stderr);
      match(gone.stderr, /^Warning: .*protection/m);
    },
  },
  {
    id: 'S1.14',
    title: 'a rule that kubectl applies shows its targets and its state in kubectl get, and guards',
    needs: ['kubectl'],
    slow: true,
    run: async (world) => {
      const cloud = await world.cloud();
      const provider = kubectlIn(world.kcp, { workspace: cloud.compute.workspace, namespace: 'default' });
      const applied = await provider(['apply', '-f', '-'], stringify(vmRule(cloud)));
      equal(applied.code, 0, applied.stderr);

      await eventually('kubectl get shows that it is Ready', async () => {
        const { stdout } = await provider(['get', 'dependencyrules', '--no-headers']);
        match(stdout, /^vm-dependencies +VM +Deny +1\/1 +True +True +Installed /, stdout);
      });
      const guarded = kubectlIn(world.kcp, { workspace: cloud.network.workspace, namespace: 'default' });
      await eventually('kubectl get shows that its guard is', async () => {
        const { stdout } = await guarded(['get', 'guards', '--no-headers']);
        match(stdout, /^dependency-controller +1 +1 Deny +everyone +True +Written /, stdout);
      });
      const tenant = tenantOf(await world.consumer(cloud), 'default');
      await world.guarded(tenant);
      const deleted = await provider(['delete', 'dependencyrule', 'vm-dependencies']);
      equal(deleted.code, 0, deleted.stderr);
      const { vpc } = await world.pair(tenant);
      await world.allows(vpc);
      await eventually('nothing is left', async () => deepEqual(await world.configurations(cloud.network.workspace), []));
    },
  },
];
