import { type Logger, Readiness } from '@dep-ctrl/kcp-client';
import { ContainerModule } from 'inversify';
import type { ListenAddress } from '@dep-ctrl/command-settings';
import { HealthServer } from '../health/health-server.js';
import { ProcessMetrics } from '../telemetry/process-metrics.js';

/** The addresses of health and metrics. */
export interface TelemetryOptions {
  readonly healthAddress: ListenAddress;
  readonly metricsAddress: ListenAddress;
  readonly logger: Logger;
}

/** The parts that run before the roles start and after they end. */
export function telemetryModule({ healthAddress, metricsAddress, logger }: TelemetryOptions): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(Readiness).toResolvedValue(() => new Readiness());
    bind(ProcessMetrics).toResolvedValue(() => new ProcessMetrics());
    bind(HealthServer).toResolvedValue(
      (readiness, metrics) =>
        new HealthServer({
          health: { flag: '--health-probe-bind-address', address: healthAddress },
          metrics: { flag: '--metrics-bind-address', address: metricsAddress },
          readiness,
          renderMetrics: () => metrics.render(),
          logger,
        }),
      [Readiness, ProcessMetrics],
    );
  });
}
