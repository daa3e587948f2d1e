import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { Authority } from '../backends/pki.js';
import { writePair } from '../backends/work-dir.js';
import { at, type Tree } from '../https/kube-body.js';
import { eventually } from '../stage/eventually.js';
import { WEBHOOK_CONFIGURATIONS } from '../stage/exports.js';
import { checksBegin } from './rule-checks.js';
import { GUARDS, RULES, vmRule } from './rules.js';
import { takesProduct, type Scenario } from './scenario.js';
import { servedCertificate } from './served-certificate.js';

const ADMISSION = '/dependency-admission';
const FINALIZER = 'example.com/held';

/** S11, continued: who checks rules is away, or changes. */
export const doorInChange: readonly Scenario[] = [
  {
    id: 'S11.5',
    title: 'with the webhook dead no spec is written, and labels, finalizers, statuses, unbinding and uninstall wait for nobody',
    slow: true,
    exclusive: takesProduct,
    run: async (world) => {
      const own = await world.second();
      try {
        const cloud = await own.cloud();
        await own.addRule(cloud, vmRule(cloud));
        await checksBegin(own, cloud);
        const { admin } = own.kcp;
        const ruleAt = `${cloud.compute.workspace.at}${RULES}/vm-dependencies`;
        const guardAt = `${cloud.network.workspace.at}${GUARDS}/dependency-controller`;
        await eventually('the guard is made', async () => void (await admin.get(guardAt)).expect(200));
        (await admin.patch('merge', guardAt, { spec: { allowRulesFrom: [cloud.compute.workspace.path] } })).expect(200);
        await own.product.webhook.kill();

        const edited = await admin.patch('merge', ruleAt, { spec: { enforcement: 'Warn' } });
        equal(edited.status, 500, edited.text);
        match(edited.text, /failed calling webhook/);
        equal((await admin.patch('merge', guardAt, { spec: { allowRulesFrom: [] } })).status, 500);
        (await admin.patch('merge', ruleAt, { metadata: { labels: { a: 'b' }, finalizers: [FINALIZER] } })).expect(200);
        // Ours stays on: it is what keeps the binding until the configuration is gone.
        const { finalizers = [] } = (await admin.get(guardAt)).expect(200).body.metadata;
        const added = { labels: { a: 'b' }, finalizers: [...finalizers, FINALIZER] };
        (await admin.patch('merge', guardAt, { metadata: added })).expect(200);
        (await admin.patch('merge', guardAt, { metadata: { finalizers } })).expect(200);
        (await admin.patch('merge', `${guardAt}/status`, { status: { conditions: [] } })).expect(200);
        (await admin.patch('merge', `${ruleAt}/status`, { status: { targetsInstalled: '9/9' } })).expect(200);
        (await admin.delete(ruleAt)).expect(200);
        (await admin.patch('merge', ruleAt, { metadata: { finalizers: null } })).expect(200);
        await eventually('the rule is gone', async () => void (await admin.get(ruleAt)).expect(404));
        const binding = `${cloud.network.workspace.at}/apis/apis.kcp.io/v1alpha2/apibindings/dep-ctrl`;
        (await admin.delete(binding)).expect(200);
        await eventually('the provider has unbound', async () => void (await admin.get(binding)).expect(404));
        deepEqual(await own.configurations(cloud.network.workspace), [], 'its configuration is left');

        await own.product.controller.kill();
        const home = `/clusters/${await own.homeCluster()}${WEBHOOK_CONFIGURATIONS}${ADMISSION}`;
        (await admin.get(home)).expect(200);
        const uninstalled = await own.product.command('uninstall', '--workspace', own.product.path, '--yes');
        equal(uninstalled.code, 0, uninstalled.stdout + uninstalled.stderr);
        match(uninstalled.stdout.split('\n')[0] ?? '', /: admission configuration removed$/);
        (await admin.get(home)).expect(404);
        await eventually(
          'rules are written without a check',
          async () => void (await admin.post(cloud.compute.workspace.at + RULES, vmRule(cloud))).expect(201),
        );
      } finally {
        await own.product.stop();
      }
    },
  },
  {
    id: 'S11.6',
    title: 'CA, certificate and token are rotated while rules are written, and the configuration is deleted by hand: no write fails',
    slow: true,
    exclusive: takesProduct,
    run: async (world) => {
      const own = await world.second();
      try {
        const cloud = await own.cloud();
        await own.addRule(cloud, vmRule(cloud));
        await checksBegin(own, cloud);
        const { admin } = own.kcp;
        const home = `/clusters/${await own.homeCluster()}${WEBHOOK_CONFIGURATIONS}${ADMISSION}`;
        const read = async (): Promise<{ readonly url: unknown; readonly caBundle: unknown }> => {
          const { body } = (await admin.get(home)).expect(200);
          const entries = (body as unknown as { readonly webhooks: readonly Tree[] }).webhooks;
          return { url: at(entries[0], 'clientConfig', 'url'), caBundle: at(entries[0], 'clientConfig', 'caBundle') };
        };
        const before = await read();
        const served = await servedCertificate(own.product.webhookPort);
        const ruleAt = `${cloud.compute.workspace.at}${RULES}/vm-dependencies`;
        const failures: string[] = [];
        let writes = 0;
        const stop = new AbortController();
        const writing = (async () => {
          while (!stop.signal.aborted) {
            writes += 1;
            const enforcement = writes % 2 === 0 ? 'Warn' : 'Deny';
            const { status, text } = await admin.patch('merge', ruleAt, { spec: { enforcement } });
            if (status !== 200) failures.push(text);
          }
        })();

        const next = await Authority.create('dep-ctrl-e2e-webhook, next');
        writePair(own.product.tlsDir, 'tls', await next.server());
        writeFileSync(own.product.caFile, next.pair.cert);
        await eventually('the new CA is installed', async () => ok((await read()).caBundle !== before.caBundle));
        await eventually('the new certificate is served', async () => notEqual(await servedCertificate(own.product.webhookPort), served));
        const rotated = await own.product.rotateUrlToken();
        equal(rotated.code, 0, rotated.stdout + rotated.stderr);
        ok((await read()).url !== before.url);
        (await admin.delete(home)).expect(200);
        await eventually('it is made again', read);
        await checksBegin(own, cloud);
        stop.abort();
        await writing;

        deepEqual(failures, []);
        ok(writes > 20, `${writes} writes`);
      } finally {
        await own.product.stop();
      }
    },
  },
];
