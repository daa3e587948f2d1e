import { deepEqual, equal } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { connect } from 'node:tls';
import { once } from 'node:events';
import { Authority } from '../backends/pki.js';
import { writePair } from '../backends/work-dir.js';
import { steadyLoad } from '../faults/steady-load.js';
import { eventually } from '../stage/eventually.js';
import { network } from './cloud-types.js';
import type { Scenario } from './scenario.js';
import type { World } from './world.js';

const PER_SECOND = 20;
// Longer than a new pair is looked for, and than kcp takes to believe a new configuration.
const AFTERWARDS_MS = 3_000;

/** S7, promise 4: rotating certificates costs no delete. */
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
        const next = await Authority.create('dep-ctrl-e2e-webhook, next');
        writePair(own.product.tlsDir, 'tls', await next.server());
        await sleep(AFTERWARDS_MS);
        writeFileSync(own.product.caFile, next.pair.cert);
      }),
  },
];

/** Rotates under load; half of the deletes are to be refused, half to be allowed, and all of them must be. */
async function rotated(world: World, rotate: (own: World) => Promise<void>): Promise<void> {
  const own = await world.second();
  try {
    const { tenant, vpc } = await own.guardedPair();
    const before = await servedBy(own.product.webhookPort);
    const act = async (number: number): Promise<string> => {
      if (number % 2 === 0) {
        const { status, text } = await own.kcp.admin.delete(`${vpc}?dryRun=All`);
        return status === 403 && text.includes('still referenced by') ? 'refused' : text;
      }
      const name = `free-${number}`;
      (await own.kcp.admin.post(tenant.vpcs, network('VPC', name))).expect(201);
      const { status, text } = await own.kcp.admin.delete(`${tenant.vpcs}/${name}`);
      return status === 200 ? 'deleted' : text;
    };

    const { answers, failures } = await steadyLoad({ perSecond: PER_SECOND, act }, async () => {
      await rotate(own);
      await eventually('the new certificate is served', async () => {
        equal((await servedBy(own.product.webhookPort)) === before, false);
      });
      await sleep(AFTERWARDS_MS);
    });

    deepEqual(failures, []);
    deepEqual(
      answers.filter((answer) => answer !== 'refused' && answer !== 'deleted'),
      [],
    );
    deepEqual([...new Set(answers)].toSorted(), ['deleted', 'refused']);
  } finally {
    await own.product.stop();
  }
}

/** The fingerprint of the certificate that is served there. */
async function servedBy(port: number): Promise<string> {
  // Only looked at, never trusted.
  const socket: TLSSocket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
  try {
    await once(socket, 'secureConnect');
    return socket.getPeerCertificate().fingerprint256;
  } finally {
    socket.destroy();
  }
}
