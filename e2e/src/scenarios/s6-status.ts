import { deepEqual, equal, ok } from 'node:assert/strict';
import { eventually } from '../stage/eventually.js';
import { takesProduct, type Scenario } from './scenario.js';

interface Seen {
  readonly id: string;
  readonly where: string;
  readonly says: string;
}

/** S6: what operators see of a whole installation. */
export const seenByOperators: readonly Scenario[] = [
  {
    id: 'S6.7',
    title: 'status and doctor say that all is well with a whole installation on every shard, and name the webhook when it is away',
    exclusive: takesProduct,
    run: async (world) => {
      const own = await world.second();
      try {
        await own.guardedPair();
        const flags = ['--workspace', own.product.path, '-o', 'json'];
        const shards = world.kcp.backend.shards.flatMap(({ adminKubeconfig }) => ['--shard-kubeconfig', adminKubeconfig]);

        // The configuration about written rules comes a moment after the first rule is in force.
        await eventually('all is well', async () => {
          const { code, stdout, stderr } = await own.product.command('status', ...flags);
          equal(code, 0, stdout + stderr);
        });
        const doctor = await own.product.command('doctor', ...flags, ...shards, '--kubeconfig-dir', own.product.dir);
        await own.product.stop();
        const away = await own.product.command('status', ...flags);
        const doctorAway = await own.product.command('doctor', ...flags, ...shards);

        const { preconditions, broken } = JSON.parse(doctor.stdout) as {
          readonly preconditions: readonly { readonly id: string; readonly state: string; readonly met: number }[];
          readonly broken: readonly Seen[];
        };
        // Other scenarios leave installations behind.
        deepEqual(
          broken.filter(({ id }) => id !== 'no-orphaned-rights'),
          [],
        );
        for (const id of [
          'shard-rights',
          'webhook-enters',
          'webhook-reads-dependents',
          'identity-known',
          'identity-reads',
          'delete-asks-webhook',
        ]) {
          equal(preconditions.find((each) => each.id === id)?.state, 'met', `${id}: ${doctor.stdout}`);
        }
        const asked = preconditions.find(({ id }) => id === 'shard-rights')?.met;
        equal(asked, world.kcp.backend.shards.length, 'not every shard was asked');
        equal(away.code, 1, away.stdout);
        const { problems } = JSON.parse(away.stdout) as { readonly problems: readonly Seen[] };
        ok(
          problems.some(({ id }) => id === 'webhook-answers'),
          away.stdout,
        );
        equal(doctorAway.code, 1, doctorAway.stdout);
        const found = JSON.parse(doctorAway.stdout) as { readonly broken: readonly Seen[] };
        ok(
          found.broken.some(({ id }) => id === 'webhook-answers'),
          doctorAway.stdout,
        );
      } finally {
        await own.product.stop();
        await world.product.bootstrap();
      }
    },
  },
];
