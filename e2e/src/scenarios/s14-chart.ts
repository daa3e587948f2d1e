import { deepEqual, equal, notEqual, rejects } from 'node:assert/strict';
import { Authority } from '../backends/pki.js';
import { writePair, writePrivate } from '../backends/work-dir.js';
import { always, eventually } from '../stage/eventually.js';
import { ChartRelease } from './chart-release.js';
import { calledBy } from './called-by.js';
import { deletesUnderLoad } from './deletes-under-load.js';
import type { Scenario } from './scenario.js';
import { servedCertificate } from './served-certificate.js';
import { trustedMeanwhile } from './trusted-connections.js';

// Longer than kcp takes to believe a new configuration.
const AFTERWARDS_MS = 3_000;

/** S14: dep-ctrl on Kubernetes, with its chart. */
export const chart: readonly Scenario[] = [
  {
    id: 'S14.1',
    title: 'the chart, installed as docs/kubernetes.md says: every Pod is ready, and what is referenced is refused through its Service',
    needs: ['cluster'],
    run: async (world) => {
      await using release = await ChartRelease.install(world);

      const { vpc, vm } = await release.own.guardedPair();

      equal((await release.pods('controller')).length, 2);
      equal((await release.pods('webhook')).length, 2);
      (await world.kcp.admin.delete(vm)).expect(200);
      await release.own.allows(vpc);
    },
  },
  {
    id: 'S14.2',
    title: 'the chart with mode "all": both processes make a certificate of their own, and what is referenced is refused',
    needs: ['cluster'],
    run: async (world) => {
      const { nodeAddress = '' } = world.kcp.backend.cluster ?? {};
      await using release = await ChartRelease.install(world, { values: { mode: 'all' } });

      const { cloud, vpc, vm } = await release.own.guardedPair();

      equal((await release.pods('all')).length, 2);
      // Each connection leads to one of the two.
      const served = new Set<string>();
      await eventually('both serve what kcp trusts', async () => {
        const { ca } = await calledBy(release.own, cloud.network.workspace.at);
        served.add(await servedCertificate(release.port, nodeAddress, ca));
        equal(served.size, 2);
      });
      (await world.kcp.admin.delete(vm)).expect(200);
      await release.own.allows(vpc);
    },
  },
  {
    id: 'S14.3',
    title: 'helm upgrade that replaces every Pod, under 20 deletes and 10 new connections a second, fails none of them',
    needs: ['cluster'],
    slow: true,
    run: async (world) => {
      const { nodeAddress = '' } = world.kcp.backend.cluster ?? {};
      await using release = await ChartRelease.install(world);
      const before = await release.pods();
      const upgrade = async (): Promise<void> => {
        await release.upgrade({ 'log.level': 'debug' });
        await eventually('every Pod of before is gone', async () => {
          const pods = await release.pods();
          deepEqual(
            pods.filter((pod) => before.includes(pod)),
            [],
          );
        });
      };

      const server = { port: release.port, host: nodeAddress };
      await deletesUnderLoad(release.own, (cloud) => trustedMeanwhile(release.own, cloud, server, upgrade));

      equal((await release.pods()).length, before.length);
    },
  },
  {
    id: 'S14.4',
    title:
      'a node that is drained, with no other to take its place, keeps a webhook and a controller: under 20 deletes a second none fails',
    needs: ['cluster'],
    slow: true,
    exclusive: () => 'everything', // nothing else may be placed meanwhile
    run: async (world) => {
      await using release = await ChartRelease.install(world);

      await deletesUnderLoad(release.own, async () => {
        const drain = ['drain', 'node', '--ignore-daemonsets', '--pod-selector=app.kubernetes.io/name=dep-ctrl', '--timeout=40s'];
        await rejects(release.kubectl(...drain), /disruption budget/, 'all of them may be taken at once');
        equal((await readyPods(release, 'webhook')).length, 1);
        equal((await readyPods(release, 'controller')).length, 1);
        await release.kubectl('uncordon', 'node');
      });

      await eventually('every Pod is back', async () => {
        equal((await readyPods(release, 'webhook')).length, 2);
        equal((await readyPods(release, 'controller')).length, 2);
      });
    },
  },
  {
    id: 'S14.5',
    title: 'CA and certificate that change in their Secret, under 20 deletes a second, are served without a restart and fail none of them',
    needs: ['cluster'],
    slow: true,
    run: async (world) => {
      const { nodeAddress = '' } = world.kcp.backend.cluster ?? {};
      const hosts = { addresses: [nodeAddress] };
      const [first, next] = await Promise.all(['first', 'next'].map((name) => Authority.create(`dep-ctrl-e2e-chart, ${name}`)));
      if (first === undefined || next === undefined) throw new Error('two were made');
      const { workDir } = world.kcp.backend;
      const files = writePair(workDir, 'chart-tls', await first.server(hosts));
      const caFile = writePrivate(workDir, 'chart-ca.crt', first.pair.cert);
      await using release = await ChartRelease.install(world, {
        values: { 'webhook.tls.existingSecret': 'tls' },
        secrets: { tls: { 'tls.crt': files.cert, 'tls.key': files.key, 'ca.crt': caFile } },
      });
      const before = await release.pods();
      const served = (): Promise<string> => servedCertificate(release.port, nodeAddress);
      const old = await served();
      const pair = await next.server(hosts);

      const replace = async (): Promise<void> => {
        await release.replaceSecret('tls', { 'tls.crt': pair.cert, 'tls.key': pair.key, 'ca.crt': next.pair.cert });
        const isNew = async (): Promise<void> => {
          for (let connection = 0; connection < 8; connection += 1) notEqual(await served(), old);
        };
        await eventually('the new certificate is served', isNew);
        await always('it stays', isNew, AFTERWARDS_MS);
      };

      const server = { port: release.port, host: nodeAddress };
      await deletesUnderLoad(release.own, (cloud) => trustedMeanwhile(release.own, cloud, server, replace));

      deepEqual(await release.pods(), before);
      equal(await release.restarts(), 0);
    },
  },
  {
    id: 'S14.6',
    title: 'a chart that is uninstalled in the order of docs/kubernetes.md leaves no configuration, and deletes are free',
    needs: ['cluster'],
    run: async (world) => {
      await using release = await ChartRelease.install(world);
      const { own } = release;
      const { cloud, vpc } = await own.guardedPair();

      await release.kubectl('scale', 'deployment', '--replicas=0', '-l', 'app.kubernetes.io/component=controller');
      await eventually('no controller is left', async () => {
        deepEqual(await release.pods('controller'), []);
      });
      const gone = await own.product.command('uninstall', '--yes', '--workspace', own.product.path);
      await release.uninstall();

      equal(gone.code, 0, gone.stdout + gone.stderr);
      deepEqual(await own.configurations(cloud.network.workspace), [], 'a configuration is left');
      await own.allows(vpc);
      await eventually('nothing is left in the cluster', async () => equal(await release.kubectl('get', 'deployments,services,pods'), ''));
    },
  },
];

async function readyPods(release: ChartRelease, role: 'controller' | 'webhook'): Promise<readonly string[]> {
  const ready = '{range .items[*]}{.metadata.name}={.status.conditions[?(@.type=="Ready")].status}{"\\n"}{end}';
  const lines = await release.kubectl('get', 'pods', '-l', `app.kubernetes.io/component=${role}`, '-o', `jsonpath=${ready}`);
  return lines.split('\n').filter((line) => line.endsWith('=True'));
}
