import { connect, type Socket } from 'node:net';
import { deepEqual, ok } from 'node:assert/strict';
import { Callers } from '../faults/review-wave.js';
import { at } from '../https/kube-body.js';
import { NotHere } from '../running/not-here.js';
import { sampleOf } from '../soak/sample.js';
import { calledBy } from './called-by.js';
import { reviewOf } from './s8-load.js';
import { takesMachine, type Scenario } from './scenario.js';

const CONNECTIONS = 10_000;
/** What this process and the kcp in it need besides. */
const OTHER_FILES = 2_000;
const AT_A_TIME = 250;
/** Fewer show nothing. */
const LEAST = 1_000;
const MOST_GROWTH_MB = 250;

/** S8: who opens connections and says nothing. */
export const connections: readonly Scenario[] = [
  {
    id: 'S8.3',
    title: '10 000 connections that say nothing, or as many as this machine lets a process open, keep no delete from its answer',
    exclusive: takesMachine,
    run: async (world) => {
      const own = await world.second();
      const opened: Socket[] = [];
      try {
        const { cloud, tenant, vpc } = await own.guardedPair();
        const { url, ca } = await calledBy(own, cloud.network.workspace.at);
        const subject = (await own.kcp.admin.get(vpc)).expect(200).body;
        const before = await sampleOf(own.product.webhook);
        const count = Math.min(CONNECTIONS, mostOpenFiles() - OTHER_FILES);
        world.tell('S8.3', `${count} connections of ${CONNECTIONS}; a process here may have ${mostOpenFiles()} files open`);

        if (count < LEAST) throw new NotHere(`this process may open no more than ${mostOpenFiles()} files`);

        for (let batch = 1; opened.length < count; batch += 1) {
          const { hostname, port } = new URL(url);
          const more = Math.min(count - opened.length, AT_A_TIME);
          opened.push(...(await Promise.all(Array.from({ length: more }, () => open(hostname, Number(port))))));
          if (batch % 10 !== 1) continue;
          (await own.kcp.admin.delete(vpc)).expect(403);
          // kcp keeps the connections that it has: one that starts now has none.
          const newcomer = new Callers({ url, ca, bodies: [JSON.stringify(reviewOf(subject, batch))] });
          const { answers, unanswered } = await newcomer.wave();
          await newcomer.close();
          deepEqual(
            [unanswered, answers.map((answer) => at(answer, 'response', 'allowed'))],
            [[], [false]],
            'who connects now is answered',
          );
        }

        (await own.kcp.admin.delete(vpc)).expect(403);
        const free = await own.pair(tenant);
        (await own.kcp.admin.delete(free.vm)).expect(200);
        await own.allows(free.vpc);
        const grownMb = (await sampleOf(own.product.webhook)).residentMb - before.residentMb;
        ok(grownMb < MOST_GROWTH_MB, `it took ${grownMb.toFixed(0)} MB more`);
      } finally {
        for (const socket of opened) socket.destroy();
        await own.product.stop();
      }
    },
  },
];

/** A connection that was made; its other side may close it whenever it likes. */
function open(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port });
    socket.on('error', reject); // once it is made, nobody hears that
    socket.once('connect', () => resolve(socket));
  });
}

function mostOpenFiles(): number {
  const { userLimits } = process.report.getReport() as {
    readonly userLimits: { readonly open_files: { readonly soft: number | 'unlimited' } };
  };
  const { soft } = userLimits.open_files;
  return soft === 'unlimited' ? Number.MAX_SAFE_INTEGER : soft;
}
