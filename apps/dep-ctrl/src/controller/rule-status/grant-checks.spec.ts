// The questions that the controller asks kcp about the webhook's rights, on an embedded kcp with bootstrap's own rights.
import { describe, expect, it } from '@jest/globals';
import { systemClock, type Clock, type Logger } from '@dep-ctrl/kcp-client';
import type { GroupResource, LogicalClusterName } from '@dep-ctrl/kcp-names';
import { ensureWorkspace } from '@dep-ctrl/kcp-objects';
import { bootstrapCommand } from '../../commands/bootstrap-command.js';
import { connectShard } from '../../command-line/connect.js';
import { DEV_PATHS } from '../../dev/dev-paths.js';
import { pathOf } from '../../testing/path-of.js';
import { changeReaderRole } from '../../read-access/reader-role.js';
import { connectTo, onEmbeddedKcp, type EmbeddedWorld } from '../../testing/embedded-world.js';
import { runCli } from '../../testing/run-cli.js';
import { GrantChecks, KEEP_MISSING_MS, KEEP_MS } from './grant-checks.js';

const options = () => ({ signal: AbortSignal.timeout(20_000), clock: systemClock });
const VMS = { group: 'compute.example.com', resource: 'vms' };
const REVIEW = { method: 'POST', path: /\/subjectaccessreviews$/, listener: 'proxy' };

describe(GrantChecks, () => {
  it.each([
    { given: 'the ServiceAccounts that bootstrap makes', flags: [], asked: 2 },
    { given: 'a user', flags: ['--controller-user', 'ctl', '--webhook-user', 'hook'], asked: 1 },
  ])('given $given as the webhook, then a right is missing until it is granted, and each identity is asked about', ({ flags, asked }) =>
    onStage(flags, async (stage) => {
      const before = await stage.check();
      const reviews = stage.kcp.requests.count(REVIEW);
      await stage.grant([VMS]);
      const soon = await stage.check();
      stage.pass(KEEP_MISSING_MS);
      const later = await stage.check();

      expect([before, soon, later]).toEqual([
        { grant: 'missing', freshForMs: KEEP_MISSING_MS },
        { grant: 'missing', freshForMs: KEEP_MISSING_MS },
        { grant: 'granted', freshForMs: KEEP_MS },
      ]);
      expect(reviews).toBe(asked);
    }),
  );

  it('given the same question over and over, at once and later, then it is asked once in that time', () =>
    onStage(USERS, async (stage) => {
      await Promise.all(Array.from({ length: 50 }, () => stage.check()));
      stage.pass(KEEP_MISSING_MS - 1);
      const last = await stage.check();

      expect(last).toEqual({ grant: 'missing', freshForMs: 1 });
      expect(stage.kcp.requests.count(REVIEW)).toBe(1);
    }));

  it('given a right that stays missing, then it is asked about less and less often, and once a minute at the least', () =>
    onStage(USERS, async (stage) => {
      const pauses: number[] = [];
      for (let turn = 0; turn < 6; turn += 1) {
        const { freshForMs } = await stage.check();
        pauses.push(freshForMs);
        stage.pass(freshForMs);
      }

      expect(pauses).toEqual([5_000, 10_000, 20_000, 40_000, KEEP_MS, KEEP_MS]);
    }));

  it('given a right that is missing, then the identities of the webhook are read again before the next question', () =>
    onStage(USERS, async (stage) => {
      const read = { method: 'GET', path: /\/clusterrolebindings\//, listener: 'proxy' };
      await stage.check();
      const before = stage.kcp.requests.count(read);
      stage.pass(KEEP_MISSING_MS);
      await stage.check();

      expect(stage.kcp.requests.count(read)).toBe(before + 1);
    }));

  it('given an author with more types than can be in force, then no more is asked for it, and another author is answered', () =>
    onStage(USERS, async (stage) => {
      const types = Array.from({ length: MOST.ofOneAuthor + 10 }, (_, index) => ({ ...VMS, resource: `r${index}` }));
      for (const type of types) await stage.check(type);
      const reviews = stage.kcp.requests.count(REVIEW);
      const tooMany = await stage.check({ ...VMS, resource: 'another' });
      const other = await stage.check(VMS, stage.other);
      stage.pass(KEEP_MS);
      const later = await stage.check({ ...VMS, resource: 'another' });

      expect(reviews).toBe(MOST.ofOneAuthor);
      expect([tooMany.grant, other.grant, later.grant]).toEqual(['unknown', 'missing', 'missing']);
    }));

  it('given more authors than answers are kept for, then the next one is not asked about until the first answers are old', () =>
    onStage(USERS, async (stage) => {
      const authors = Array.from({ length: MOST.ofAll }, (_, index) => `author${index}` as LogicalClusterName);
      for (const author of authors) await stage.check(VMS, author);
      const reviews = stage.kcp.requests.count(REVIEW);
      const tooMany = await stage.check();
      stage.pass(KEEP_MS);
      const later = await stage.check();

      expect(reviews).toBe(MOST.ofAll);
      expect([tooMany.grant, later.grant]).toEqual(['unknown', 'missing']);
    }));

  it.each([
    { given: 'kcp does not answer', fault: { kind: 'answer', status: 503 } },
    { given: 'the connection breaks', fault: { kind: 'drop' } },
    { given: 'the right to ask is missing', fault: { kind: 'answer', status: 403 } },
  ] as const)('given that $given, then the last answer counts for one more turn, then nothing is said', ({ fault }) =>
    onStage(USERS, async (stage) => {
      const before = await stage.check();
      stage.kcp.faults.onRequest(REVIEW, fault);
      stage.pass(KEEP_MS);
      const meanwhile = await stage.check();
      stage.pass(KEEP_MS);
      const later = await stage.check();

      expect([before.grant, meanwhile.grant, later.grant]).toEqual(['missing', 'missing', 'unknown']);
    }),
  );

  it('given a controller that may not ask, then nothing is known of any type, and that is told once', () =>
    onStage(USERS, async (stage) => {
      stage.kcp.faults.onRequest(REVIEW, { kind: 'answer', status: 403 });

      const grants = [await stage.check(), await stage.check({ ...VMS, resource: 'disks' })].map(({ grant }) => grant);

      expect(grants).toEqual(['unknown', 'unknown']);
      expect(stage.told).toEqual(['rule statuses cannot show whether the webhook may read the dependents']);
    }));

  it('given an installation whose webhook has no ClusterRoleBinding, then nothing is known, asked or told', () =>
    onStage(
      USERS,
      async (stage) => {
        expect((await stage.check()).grant).toBe('unknown');
        expect(stage.told).toEqual([]);
        expect(stage.kcp.requests.count(REVIEW)).toBe(0);
      },
      { home: 'root:elsewhere' },
    ));
});

// Far below the usual bounds, so that they are reached at once.
const MOST = { ofOneAuthor: 5, ofAll: 20 };
const USERS = ['--controller-user', 'ctl', '--webhook-user', 'hook'];

interface Stage extends EmbeddedWorld {
  readonly other: LogicalClusterName;
  readonly told: readonly string[];
  check(type?: GroupResource, author?: LogicalClusterName): ReturnType<GrantChecks['check']>;
  grant(types: readonly GroupResource[]): Promise<void>;
  /** Lets time pass. */
  pass(ms: number): void;
}

function onStage(flags: readonly string[], work: (stage: Stage) => Promise<void>, { home = 'root:dep-ctrl' } = {}): Promise<void> {
  return onEmbeddedKcp(async (world) => {
    const { admin, adminKubeconfig, kcp } = world;
    const { stderr, code } = await runCli(bootstrapCommand, [
      ...['--kubeconfig', adminKubeconfig, '--shard-kubeconfig', adminKubeconfig],
      ...flags,
    ]);
    if (code !== 0) throw new Error(stderr);
    await ensureWorkspace(admin, pathOf('root:elsewhere'), options());
    const { cluster: author } = await ensureWorkspace(admin, pathOf('root:author'), options());
    const { cluster: other } = await ensureWorkspace(admin, pathOf('root:other'), options());
    const { cluster: installation } = await ensureWorkspace(admin, DEV_PATHS.depCtrl, options());
    const connection = flags.length === 0 ? admin : connectTo(kcp.kubeconfig({ user: 'ctl' }));
    const shard = connectShard(adminKubeconfig);
    let ms = 0;
    const clock: Clock = { ...systemClock, monotonic: () => ms };
    const told: string[] = [];
    const tell = (message: string): void => void told.push(message);
    const logger: Logger = { debug: tell, info: tell, warn: tell, error: tell };
    const homeClient = (home === 'root:elsewhere' ? admin : connection).cluster(pathOf(home));
    const checks = new GrantChecks({ connection, home: homeClient, clock, logger, most: MOST });
    try {
      await work({
        ...world,
        other,
        told,
        check: (type = VMS, of = author) => checks.check(of, type, options()),
        grant: async (types) => {
          const name = `dep-ctrl:read-dependents:${installation}`;
          await changeReaderRole(shard.systemAdmin, name, () => ({ kind: 'listed', types }), { ...options(), labels: {} });
        },
        pass: (by) => void (ms += by),
      });
    } finally {
      await shard.connection.close();
      if (connection !== admin) await connection.close();
    }
  });
}
