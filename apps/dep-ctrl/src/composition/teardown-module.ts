import { LeadersConnection, type Logger } from '@dep-ctrl/kcp-client';
import { TeardownHandler, type TeardownObserver } from '@dep-ctrl/ordered-teardown';
import { LifecycleController } from '@dep-ctrl/workspace-lifecycle';
import { ContainerModule } from 'inversify';
import { OrderedTeardown } from '../controller/teardown/ordered-teardown.js';
import { ourOrdering } from '../controller/teardown/our-ordering.js';
import { TEARDOWN_TYPE } from '../teardown-type/teardown-type.js';
import { RunningPart, type SharedParts } from './tokens.js';

/** The options of ordered teardown. */
export interface TeardownOptions {
  /** The WorkspaceType in the dep-ctrl workspace; it may come later. */
  readonly typeName: string;
  /** How long a workspace may be held. */
  readonly timeoutMs: number;
  readonly observer: TeardownObserver;
}

/** The longest pause after a failure: a shard that is back is noticed within it. */
const BACKOFF = { firstMs: 100, factor: 2, capMs: 5_000 };

/** A call begins nothing new after 30 s. What goes on for longer takes the turn of others. */
const CALL_MS = 60_000;

/** The work of a leader in dying workspaces. */
export function teardownModule(shared: SharedParts, { typeName, timeoutMs, observer }: TeardownOptions): ContainerModule {
  const { connection, home, registry, clock, logger } = shared;
  return new ContainerModule(({ bind }) => {
    bind(OrderedTeardown).toResolvedValue(
      (leaders) => {
        const handler: TeardownHandler = new TeardownHandler({
          ...{ typeName, timeoutMs, observer, clock, logger },
          ordering: ourOrdering(registry),
          isTypeGone: () => lifecycle.state().kind === 'no-type',
        });
        const lifecycle: LifecycleController = new LifecycleController({
          connection: {
            baseUrl: connection.baseUrl,
            request: (...asked) => leaders.request(...asked),
            open: (...asked) => leaders.open(...asked),
          },
          workspace: leaders.sameWorkspace(home.workspace),
          kind: 'terminating',
          typeName,
          handle: handler.handle,
          backoff: BACKOFF,
          handleTimeoutMs: CALL_MS,
          clock,
          logger: typeName === TEARDOWN_TYPE ? mildly(logger, () => lifecycle.state().kind === 'watching') : logger,
        });
        return new OrderedTeardown({ lifecycle, handler });
      },
      [LeadersConnection],
    );
    bind(RunningPart).toResolvedValue((teardown) => new RunningPart(teardown), [OrderedTeardown]);
  });
}

/** Without the type there is nothing to warn of: most installations have none. An operator who names another type wants it. */
function mildly(logger: Logger, hasType: () => boolean): Logger {
  return {
    debug: (...line) => logger.debug(...line),
    info: (...line) => logger.info(...line),
    warn: (...line) => (hasType() ? logger.warn(...line) : logger.debug(...line)),
    error: (...line) => logger.error(...line),
  };
}
