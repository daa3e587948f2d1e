// Keys of the container for parts without a class of their own: a class that holds the part. So wrong wiring does not compile.
import type { Clock, Connection, Logger, ReadinessCheck, Runnable } from '@dep-ctrl/kcp-client';
import type { RegistryReader } from '@dep-ctrl/rule-registry';
import type { CalledWebhook, Election, NewLeadersWork } from '../controller/controller-role.js';
import type { Home } from '../command-line/connect.js';

/** What exists before any part is built. Every part may use it. */
export interface SharedParts {
  readonly connection: Connection;
  readonly home: Home;
  readonly registry: RegistryReader;
  readonly clock: Clock;
  readonly logger: Logger;
}

class Holds<T> {
  readonly value: T;

  constructor(value: T) {
    this.value = value;
  }
}

/** A part that runs from start to end. Each module adds its own, in the order of starting. */
export class RunningPart extends Holds<Runnable> {}

/** Lines of `readyz?verbose`. Each module adds its own, in the order of printing. */
export class ReadyLines extends Holds<readonly ReadinessCheck[]> {}

export class WebhookToCall extends Holds<CalledWebhook> {}

/** Undefined: there is no other replica. */
export class CurrentElection extends Holds<Election | undefined> {}

export class LeadershipStart extends Holds<NewLeadersWork> {}
