import { equal, notEqual } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Authority } from '../backends/pki.js';
import { writePair } from '../backends/work-dir.js';
import { always, eventually } from '../stage/eventually.js';
import { Caller } from '../https/caller.js';
import { calledBy } from './called-by.js';
import { deletesUnderLoad } from './deletes-under-load.js';
import { checksBegin } from './rule-checks.js';
import type { Scenario } from './scenario.js';
import { servedCertificate } from './served-certificate.js';
import { trustedMeanwhile } from './trusted-connections.js';
import type { Cloud, World } from './world.js';

// Longer than a new pair is looked for, and than kcp takes to believe a new configuration.
const AFTERWARDS_MS = 3_000;
// Every process has read by then that the old secret is gone.
const READ_AGAIN_MS = 11_000;

/** S7, promise 4: rotating certificates and tokens costs no delete. */
export const certificates: readonly Scenario[] = [
  {
    id: 'S7.10',
    title: 'promise 4: a serving certificate that is rotated under 20 deletes a second fails none of them',
    slow: true,
    run: (world) =>
      rotated(world, async (own) => {
        writePair(own.product.tlsDir, 'tls', await own.product.authority.server());
      }),
  },
  {
    id: 'S7.11',
    title: 'promise 4: CA and certificate rotated at once, as cert-manager does, under 20 deletes a second fail none of them',
    slow: true,
    run: (world) =>
      rotated(world, async (own) => {
        const next = await Authority.create('dep-ctrl-e2e-webhook, next');
        writePair(own.product.tlsDir, 'tls', await next.server());
        writeFileSync(own.product.caFile, next.pair.cert);
      }),
  },
  {
    id: 'S7.12',
    title: 'promise 4: the certificate first and its CA only seconds later, under 20 deletes a second, fail none of them',
    slow: true,
    run: (world) =>
      rotated(world, async (own) => {
        const before = await servedCertificate(own.product.webhookPort);
        const next = await Authority.create('dep-ctrl-e2e-webhook, next');
        writePair(own.product.tlsDir, 'tls', await next.server());
        await sleep(AFTERWARDS_MS);
        // The deletes alone would not tell: kcp keeps connections, and those stay with the certificate that they began with.
        equal(await servedCertificate(own.product.webhookPort), before, 'it is served before kcp has its CA');
        writeFileSync(own.product.caFile, next.pair.cert);
      }),
  },
  {
    id: 'S7.21',
    title: 'promise 4: rotate-token under 20 deletes a second fails none of them, and leaves no URL of before',
    slow: true,
    run: (world) =>
      underDeletes(world, async (own, cloud) => {
        const { workspace } = cloud.network;
        // The configuration about written rules comes a moment after the first rule is in force, and has the URL token too.
        await checksBegin(own, cloud);
        const { url: before, ca } = await calledBy(own, workspace.at);
        const done = await own.product.rotateUrlToken();
        equal(done.code, 0, done.stdout + done.stderr);
        notEqual((await calledBy(own, workspace.at)).url, before, 'a URL of before is left');
        await sleep(READ_AGAIN_MS);
        const { origin, pathname } = new URL(before);
        equal((await new Caller(origin, ca, {}).post(pathname, {})).status, 404, 'the URL of before is answered');
      }),
  },
];

/** Rotates a certificate under load. */
function rotated(world: World, rotate: (own: World) => Promise<void>): Promise<void> {
  return underDeletes(world, (own, cloud) => {
    const port = own.product.webhookPort;
    return trustedMeanwhile(own, cloud, { port, host: '127.0.0.1' }, async () => {
      const before = await servedCertificate(port);
      await rotate(own);
      const isNew = async (): Promise<void> => notEqual(await servedCertificate(port), before);
      await eventually('the new certificate is served', isNew);
      await always('it stays', isNew, AFTERWARDS_MS);
    });
  });
}

/** Works on an installation of its own under load. */
async function underDeletes(world: World, work: (own: World, cloud: Cloud) => Promise<void>): Promise<void> {
  const own = await world.second();
  try {
    await deletesUnderLoad(own, (cloud) => work(own, cloud));
  } finally {
    await own.product.stop();
  }
}
