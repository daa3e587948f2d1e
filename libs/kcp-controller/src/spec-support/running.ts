import { ManualClock, settled } from '@dep-ctrl/kcp-client/testing';
import { createController, type Controller } from '../controller/create-controller.js';
import type { ControllerOptions, ObservedRun } from '../controller/controller-options.js';
import type { ExportStore } from '../store/export-store.js';
import type { Stored } from '../store/stored.js';
import { FedStores } from '../testing/index.js';
import { keepingLogger, parseWidget, WIDGETS, type Widget } from './widgets.js';

/** A controller of widgets on stores that a spec feeds, on a clock that it moves. */
export class Running {
  readonly clock = new ManualClock();
  readonly logger = keepingLogger();
  readonly fed = new FedStores({ clock: this.clock, logger: this.logger });
  readonly widgets: ExportStore<Widget> = this.fed.store({ type: WIDGETS, parse: parseWidget });
  /** What was reconciled, in order: name and color, or what went. */
  readonly ran: string[] = [];
  readonly observed: ObservedRun[] = [];
  readonly #stop = new AbortController();
  #controller: Controller | undefined;
  #ended: Promise<void> | undefined;

  get controller(): Controller {
    if (this.#controller === undefined) throw new Error('nothing was started');
    return this.#controller;
  }

  /** Starts the controller; its reconcile notes what it saw, then does what the spec says. */
  async start({ reconcile, gone, ...options }: Partial<ControllerOptions<Widget>> = {}): Promise<void> {
    this.#controller = createController<Widget>({
      name: 'widgets',
      store: this.widgets,
      clock: this.clock,
      random: () => 0,
      logger: this.logger,
      observe: (run) => this.observed.push(run),
      reconcile: (stored, context) => {
        this.ran.push(wordsOf(stored));
        return reconcile?.(stored, context) ?? Promise.resolve();
      },
      gone: (last, context) => {
        this.ran.push(`gone ${wordsOf(last)} ${context.because}`);
        return gone?.(last, context) ?? Promise.resolve();
      },
      ...options,
    });
    this.#ended = this.#controller.run(this.#stop.signal);
    await this.pass();
  }

  /** Lets so much time pass. */
  async pass(ms = 20): Promise<void> {
    await this.clock.advance(ms);
    await settled();
  }

  /** What was reconciled since the last time this was asked. */
  news(): readonly string[] {
    return this.ran.splice(0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.clock.advance(10_000);
    await this.#ended;
  }
}

function wordsOf({ metadata: { name }, value: { color } }: Stored<Widget>): string {
  return `${String(name)} ${color}`;
}
