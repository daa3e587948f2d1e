// Metrics of controllers with prom-client: `createController({ observe: metrics.observe, ... })`, then `metrics.follow('vpcs', controller)`.
import type { Controller, ObservedRun } from '@dep-ctrl/kcp-controller';
import { Gauge, Histogram, type Registry } from 'prom-client';

export class ControllerMetrics {
  readonly #controllers = new Map<string, Controller>();
  readonly #runs: Histogram<'controller' | 'outcome'>;

  constructor(registry: Registry) {
    const registers = [registry];
    const labelNames = ['controller', 'outcome'] as const;
    this.#runs = new Histogram({ name: 'reconcile_seconds', help: 'How long runs of one object took', labelNames, registers });
    const objects = new Gauge({
      name: 'controller_objects',
      help: 'Objects that wait, fail or hang',
      labelNames: ['controller', 'state'] as const,
      registers,
      collect: () => {
        for (const [controller, each] of this.#controllers) {
          const { isWorking: _, ...counts } = each.state();
          for (const [state, count] of Object.entries(counts)) objects.set({ controller, state }, count);
        }
      },
    });
  }

  readonly observe = ({ controller, outcome, ms }: ObservedRun): void => {
    this.#runs.observe({ controller, outcome }, ms / 1_000);
  };

  follow(name: string, controller: Controller): void {
    this.#controllers.set(name, controller);
  }
}
