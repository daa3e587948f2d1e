// How workspaces go, with our terminator and without: `npm run bench -- teardown [--against KUBECONFIG] [--rounds 5] [--only small,large,held,at-once]
// [--bundle FILE]`; and whether many in a row leave something behind, which takes half an hour on a real kcp: `--only row [--row 1000]`. Both roles run
// in one process; kcp, embedded or real, in another.

import 'reflect-metadata';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { connectAdmin, KCP_ARGUMENT, onKcp, ownBundle, serveKcp } from './bench-kcp.js';
import { keep, print, type Measured } from './measure.js';
import type { KcpAdmin } from './review-kubeconfig.js';
import { RoleProcess } from './review-process.js';
import { atOnce, held, inARow, large, small, type TeardownSite } from './teardown-cases.js';
import { TeardownWorld } from './teardown-world.js';

const SELF = fileURLToPath(import.meta.url);
const USUAL = ['small', 'large', 'held', 'at-once'] as const;
const ALL = [...USUAL, 'row'] as const;

// With the pauses of a real kcp: what it leaves alone for a while is what is measured.
if (process.argv[2] === KCP_ARGUMENT) await serveKcp('real');
else await measure();

async function measure(): Promise<void> {
  const { values } = parseArgs({
    options: {
      against: { type: 'string' },
      rounds: { type: 'string', default: '5' },
      row: { type: 'string', default: '1000' },
      only: { type: 'string', default: USUAL.join(',') },
      bundle: { type: 'string' },
    },
  });
  const only = values.only.split(',');
  const plan = {
    bundle: values.bundle ?? (await ownBundle()),
    rounds: Number(values.rounds),
    row: Number(values.row),
    parts: ALL.filter((part) => only.includes(part)),
  };
  // A part is kept beside the whole.
  const [part, partAsked] = values.only === USUAL.join(',') ? ['', ''] : [`-${values.only.replaceAll(',', '-')}`, ` --only ${values.only}`];
  await onKcp({ self: SELF, against: values.against }, async (admin, isEmbedded) => {
    const [on, flag] = isEmbedded ? ['', ''] : ['-kcp', ' --against KUBECONFIG'];
    keep(`teardown${on}${part}`, await measureOn(admin, plan), `npm run bench -- teardown${flag}${partAsked}`);
  });
}

interface Plan {
  readonly bundle: string;
  readonly rounds: number;
  readonly row: number;
  readonly parts: readonly (typeof ALL)[number][];
}

async function measureOn(admin: KcpAdmin, { bundle, rounds, row, parts }: Plan): Promise<readonly Measured[]> {
  const connection = connectAdmin(admin);
  const lines: Measured[] = [];
  try {
    const world = await TeardownWorld.make(connection, admin, bundle);
    const roles = await RoleProcess.startAll([bundle], admin.kubeconfigFor(world.depCtrl));
    try {
      await world.addRule();
      const site: TeardownSite = { world, roles, rounds };
      await isServed(site);
      const measures = {
        small: () => small(site),
        large: () => large(site),
        held: () => held(site),
        'at-once': () => atOnce(site),
        row: () => inARow(site, row),
      };
      for (const part of parts) {
        const measured = await measures[part]();
        measured.forEach(print);
        lines.push(...measured);
      }
    } finally {
      await world.ends.stop();
      await roles.uninstall([bundle], world.depCtrl, '--leave-terminators');
    }
    for (const problem of await world.remove()) process.stderr.write(`${problem}\n`);
  } finally {
    await connection.close();
  }
  return lines;
}

/** The rule is in force, and the terminator is served: the first of everything takes kcp longer. */
async function isServed({ world }: TeardownSite): Promise<void> {
  for (const kind of ['plain', 'ordered'] as const) {
    const first = await world.stocked(kind, { namespaces: 1, networks: 1, machines: 1 });
    await world.isGuarded(first);
    await world.delete(first);
    await world.ends.gone(first.name);
  }
}
