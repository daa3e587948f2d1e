// What the container keys by where a part has no class of its own: a class that holds the part. Wrong wiring then does not compile.
import type { Clock, Connection, Logger, ReadinessCheck, Runnable } from '@dep-ctrl/kcp-client';
import type { RegistryReader } from '@dep-ctrl/rule-registry';
import type { CalledWebhook, Election, NewLeadersWork } from '../controller/controller-role.js';
import type { Home } from '../command-line/connect.js';

/** What is there before any part is built, and what all may need. */
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

/** What runs from the start to the end: each module adds its own, in the order in which they start. */
export class RunningPart extends Holds<Runnable> {}

/** Lines of `readyz?verbose`: each module adds its own, in the order in which they are shown. */
export class ReadyLines extends Holds<readonly ReadinessCheck[]> {}

export class WebhookToCall extends Holds<CalledWebhook> {}

/** Undefined: there is no other replica. */
export class CurrentElection extends Holds<Election | undefined> {}

export class LeadershipStart extends Holds<NewLeadersWork> {}
