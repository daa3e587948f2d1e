import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { silentLogger, systemClock } from '@dep-ctrl/kcp-client';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { EXPORT_NAME, GUARDS, RULES } from '@dep-ctrl/rule-registry';
import { encodeCaBundle, FollowedCaBundle, StaticCaBundle, WEBHOOK_CONFIGURATIONS } from '@dep-ctrl/webhook-installer';
import { hurriedClock, ManualClock } from '@dep-ctrl/kcp-client/testing';
import { getIfExists, removeWorkspace } from '@dep-ctrl/kcp-objects';
import { bootstrapCommand } from '../../commands/bootstrap-command.js';
import { DEV_PATHS } from '../../dev/dev-paths.js';
import { onEmbeddedKcp } from '../../testing/embedded-world.js';
import { runCli } from '../../testing/run-cli.js';
import { ADMISSION_CONFIGURATION } from '../../own-objects/admission-configuration.js';
import { OWNER_LABEL } from '../../own-objects/configuration-labels.js';
import { ControllerStage } from '../testing/controller-stage.js';
import { eventually, eventuallyIs } from '../testing/observations.js';
import { AdmissionKeeper, type AdmissionKeeperDependencies } from './admission-keeper.js';

jest.setTimeout(120_000);
const { signal } = new AbortController();
const ref = { name: ADMISSION_CONFIGURATION };

describe(AdmissionKeeper, () => {
  let stage: ControllerStage;

  beforeAll(async () => {
    stage = await ControllerStage.start();
  });

  afterAll(() => stage.stop());

  const seen = () => getIfExists(stage.depCtrl, WEBHOOK_CONFIGURATIONS, ref, { signal });
  const entryOf = (object: KubeObject | undefined) =>
    (object?.['webhooks'] as readonly { clientConfig: { url: string; caBundle?: string }; failurePolicy: string }[] | undefined)?.[0];
  const urlSeen = async () => entryOf(await seen())?.clientConfig.url;

  /** Runs a keeper while a spec works; nothing is installed before and after. */
  async function keeping(change: Partial<AdmissionKeeperDependencies>, work: (told: readonly string[]) => Promise<void>): Promise<void> {
    const told: string[] = [];
    const keeper = new AdmissionKeeper({
      home: stage.depCtrl,
      exportName: stage.depCtrlExport.name,
      webhookUrl: 'https://127.0.0.1:1/validate',
      caBundle: new StaticCaBundle(undefined),
      clock: hurriedClock(40),
      logger: {
        ...silentLogger,
        info: (message) => void told.push(message),
        warn: (_, fields) => void told.push(String(fields?.['problem'])),
      },
      ...change,
    });
    const stop = new AbortController();
    const running = keeper.run(stop.signal);
    try {
      await work(told);
    } finally {
      stop.abort();
      await running;
      await stage.depCtrl.delete(WEBHOOK_CONFIGURATIONS, ref, { signal }).catch(() => undefined);
    }
  }

  it('given nothing there, then it is written with the label of the installation, once, and once more when it is deleted', () =>
    keeping({ urlToken: () => 'token' }, async (told) => {
      await eventuallyIs(urlSeen, 'https://127.0.0.1:1/admit/token');
      const { labels, annotations } = (await seen())?.metadata ?? {};
      expect(labels?.[OWNER_LABEL]).toBe(annotations?.['kcp.io/cluster']);

      await stage.depCtrl.delete(WEBHOOK_CONFIGURATIONS, ref, { signal });

      await eventuallyIs(urlSeen, 'https://127.0.0.1:1/admit/token');
      expect(told).toEqual(['admission configuration created', 'admission configuration created']);
    }));

  it('given somebody who edits it, then it is repaired, and what is not ours stays', () =>
    keeping({}, async () => {
      const written = await eventually(seen, (object) => object !== undefined);
      const metadata = { ...written!.metadata, labels: { ...written!.metadata.labels, 'example.com/theirs': 'x' } };
      const webhooks = [{ ...entryOf(written), failurePolicy: 'Ignore' }];
      await stage.depCtrl.replace(WEBHOOK_CONFIGURATIONS, { ...written!, metadata, webhooks }, { signal });

      const repaired = await eventually(seen, (object) => entryOf(object)?.failurePolicy === 'Fail');

      expect(repaired?.metadata.labels?.['example.com/theirs']).toBe('x');
    }));

  it('given another token, then that is written', async () => {
    let token = 'first';
    await keeping({ urlToken: () => token }, async () => {
      await eventuallyIs(urlSeen, 'https://127.0.0.1:1/admit/first');

      token = 'second';

      await eventuallyIs(urlSeen, 'https://127.0.0.1:1/admit/second');
    });
  });

  it('given a webhook that does not answer yet, and a CA that was not read yet, then nothing is written before both are there', async () => {
    let isServing = false;
    const unread = {
      current: () => ({ kind: 'unread', problem: 'no file' }) as const,
      subscribe: () => () => undefined,
      remember: () => undefined,
    };
    let caBundle: AdmissionKeeperDependencies['caBundle'] = unread;
    const late = { current: () => caBundle.current(), subscribe: () => () => undefined, remember: () => undefined };
    let looks = 0;
    await keeping({ isServing: () => (looks++, isServing), caBundle: late }, async (told) => {
      await eventually(
        () => looks,
        (count) => count > 2,
      );
      isServing = true;
      await eventually(
        () => told.length,
        (count) => count === 1,
      );
      expect([await seen(), told]).toEqual([undefined, ['waiting for the CA bundle: no file']]);

      caBundle = new StaticCaBundle('pem');

      await eventually(seen, (object) => entryOf(object)?.clientConfig.caBundle === encodeCaBundle('pem'));
    });
  });

  it('given a webhook that begins to answer, then it is written 50 ms later, and not at the next look', async () => {
    const clock = new ManualClock();
    let isServing = false;
    await keeping({ clock, isServing: () => isServing }, async () => {
      await clock.advance(100);
      expect(await seen()).toBeUndefined();
      isServing = true;

      await clock.advance(50);

      await eventually(seen, (object) => object !== undefined);
    });
  });

  it('given a CA that was rotated while nobody looked, then the old one stays trusted beside the new for a while', async () => {
    const [old, young] = ['T0xE', 'TkVX'].map((body) => `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`) as [
      string,
      string,
    ];
    await keeping({ caBundle: new StaticCaBundle(old) }, async () => {
      const before = await eventually(seen, (object) => object !== undefined);
      const followed = new FollowedCaBundle({ read: () => Promise.resolve(young), clock: systemClock });
      const stop = new AbortController();
      const following = followed.run(stop.signal);
      await eventually(
        () => followed.current().kind,
        (kind) => kind === 'pem',
      );

      await keeping({ caBundle: followed }, async () => {
        const bundle = await eventually(
          async () => Buffer.from(entryOf(await seen())?.clientConfig.caBundle ?? '', 'base64').toString(),
          (pem) => pem.includes('TkVX'),
        );
        expect(bundle).toContain('T0xE');
      });

      stop.abort();
      await following;
      expect(before).toBeDefined();
    });
  });

  it('given one of that name of somebody else, then it is left as it is, and said once', async () => {
    const theirs = {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { ...ref, labels: { [OWNER_LABEL]: 'somebody' } },
      webhooks: [],
    };
    const made = await stage.depCtrl.create(WEBHOOK_CONFIGURATIONS, theirs, { signal });
    let looks = 0;
    await keeping({ isServing: () => (looks++, true) }, async (told) => {
      await eventually(
        () => looks,
        (count) => count > 3,
      );

      expect((await seen())?.metadata.resourceVersion).toBe(made.metadata.resourceVersion);
      expect(told).toEqual([expect.stringMatching(/is not of this installation .*: delete it, and it is made anew$/)]);
    });
  });

  it('given nobody who answers, then the controller does all its work, and authors may do all but write a spec', async () => {
    const [compute, network] = [await stage.provider(), await stage.provider()];
    await stage.rule(compute, network);
    const patched = (body: object, dryRun = false): Promise<string> =>
      compute.client.patch(RULES, { name: 'vms' }, { kind: 'merge', body }, { signal, dryRun }).then(
        () => 'written',
        (error: unknown) => String(error),
      );
    await keeping({}, async () => {
      await eventually(
        () => patched({ spec: { enforcement: 'Audit' } }, true),
        (answer) => answer.includes('failed calling webhook'),
      );

      const controller = stage.run();

      await eventuallyIs(() => stage.ruleState(compute), 'True Installed 1/1');
      const guard = await stage.guard(network);
      expect(guard?.metadata.finalizers).toHaveLength(1);
      await network.client.delete(GUARDS, { name: 'dependency-controller' }, { signal });
      await eventually(
        () => stage.guard(network),
        (again) => again !== undefined && again.metadata.uid !== guard?.metadata.uid,
      );
      expect(await patched({ metadata: { labels: { a: 'b' }, finalizers: ['example.com/held'] } })).toBe('written');
      await stage.removeRule(compute);
      expect(await patched({ metadata: { finalizers: null } })).toBe('written');
      await stage.unbind(network);
      await eventuallyIs(() => stage.isUnbound(network), true);
      await controller.stop();
    });
  });
});

describe('a keeper whose workspace is deleted and made anew', () => {
  it('given one that runs on, then what it writes there is labelled with the new installation', () =>
    onEmbeddedKcp(async ({ admin, adminKubeconfig }) => {
      const make = async () => {
        const { code, stderr } = await runCli(bootstrapCommand, ['--kubeconfig', adminKubeconfig]);
        expect([code, stderr]).toEqual([0, '']);
      };
      const options = { signal, clock: systemClock };
      const home = admin.cluster(DEV_PATHS.depCtrl);
      const seen = async () => (await getIfExists(home, WEBHOOK_CONFIGURATIONS, ref, { signal }).catch(() => undefined))?.metadata;
      const isLabelled = (metadata: Awaited<ReturnType<typeof seen>>) =>
        metadata !== undefined && metadata.labels?.[OWNER_LABEL] === metadata.annotations?.['kcp.io/cluster'];
      await make();
      const stop = new AbortController();
      const keeper = new AdmissionKeeper({
        home,
        exportName: EXPORT_NAME,
        webhookUrl: 'https://127.0.0.1:1/validate',
        caBundle: new StaticCaBundle(undefined),
        clock: hurriedClock(40),
        logger: silentLogger,
      });
      const running = keeper.run(stop.signal);
      const before = await eventually(seen, isLabelled);

      await removeWorkspace(admin, DEV_PATHS.depCtrl, options);
      await make();

      const after = await eventually(seen, (metadata) => metadata !== undefined && metadata.uid !== before?.uid);
      stop.abort();
      await running;
      expect(isLabelled(after)).toBe(true);
    }));
});
