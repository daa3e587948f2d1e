// What the container keys by where a part has no class of its own: a class that holds the part. Wrong wiring then does not compile.
import type { Clock, Connection, Logger } from '@dep-ctrl/kcp-client';
import type { RegistryReader, RegistryWriter } from '@dep-ctrl/rule-registry';
import type { CaBundleSource } from '@dep-ctrl/webhook-installer';
import type { Home } from '../command-line/connect.js';
import type { UrlSecretsSource } from '../url-tokens/url-secrets-source.js';
import type { Decisions } from '../webhook/decision/decisions.js';
import type { ReadServingPair } from '../certificate/serving-pair.js';

class Holds<T> {
  readonly value: T;

  constructor(value: T) {
    this.value = value;
  }
}

/** What every part stands on. */
export class Ground extends Holds<{
  readonly connection: Connection;
  readonly home: Home;
  readonly clock: Clock;
  readonly logger: Logger;
}> {}

/** The one registry of rules, from both its sides. */
export class Rules extends Holds<{ readonly reader: RegistryReader; readonly writer: RegistryWriter }> {}

/** The secrets behind the URL tokens of this process; undefined when URLs carry none. */
export class UrlSecretsInForce extends Holds<UrlSecretsSource | undefined> {}

/** What the controller role is told, with the webhook's address known. */
export interface ControllerOptions {
  readonly webhookUrl: string;
  readonly leaderElect: boolean;
  readonly caBundle: CaBundleSource;
  /** Whether the webhook of this process answers yet; always true where it runs elsewhere. */
  readonly isWebhookServing: () => boolean;
}

/** What the webhook role is told. */
export interface WebhookOptions {
  readonly port: number;
  readonly host?: string;
  readonly maxRuleAgeMs: number;
  readonly readServingPair: ReadServingPair;
  readonly decisions: Decisions;
}
