import { expect, it } from '@jest/globals';
import { createController } from '@dep-ctrl/kcp-controller';
import { FedStores } from '@dep-ctrl/kcp-controller/testing';
import { parsed, type KubeObject } from '@dep-ctrl/kcp-names';
import { Registry } from 'prom-client';
import { ControllerMetrics } from './prometheus.js';

const VPCS = { group: 'network.example.com', version: 'v1', resource: 'vpcs' };

it('given a controller that fails for one object, then the metrics say so', async () => {
  const registry = new Registry();
  const metrics = new ControllerMetrics(registry);
  const fed = new FedStores();
  const store = fed.store({ type: VPCS, parse: (object: KubeObject) => parsed(object) });
  const reconcile = (): Promise<void> => Promise.reject(new Error('out of order'));
  const stop = new AbortController();
  const failed = new Promise<void>((resolve) => {
    const observe: typeof metrics.observe = (run) => {
      metrics.observe(run);
      resolve();
    };
    const controller = createController({ name: 'vpcs', store, reconcile, observe });
    metrics.follow('vpcs', controller);
    fed.begin().apply(VPCS, { metadata: { name: 'a' } });
    void controller.run(stop.signal);
  });

  await failed;
  const text = await registry.metrics();
  stop.abort();

  expect(text).toContain('reconcile_seconds_count{controller="vpcs",outcome="failed"} 1');
  expect(text).toContain('controller_objects{controller="vpcs",state="failing"} 1');
});
