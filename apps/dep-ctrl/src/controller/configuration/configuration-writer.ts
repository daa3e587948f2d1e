/*
 * Writes configurations through the virtual workspace: one webhook entry for each kind of enforcement, with the current URL and CA bundle. One log line
 * per object that changed.
 */
import type { KubeObject, LogicalClusterName } from '@dep-ctrl/kcp-names';
import { isKcpError, type BrakeSettings, type ClusterClient, type LogFields, type Logger, type Stoppable } from '@dep-ctrl/kcp-client';
import { GUARD_NAME } from '@dep-ctrl/rule-registry';
import {
  encodeCaBundle,
  WEBHOOK_CONFIGURATIONS,
  WebhookInstaller,
  type CaBundleSource,
  type DesiredConfiguration,
  type EnsureOptions,
  type InstallOutcome,
} from '@dep-ctrl/webhook-installer';
import { installedBundles } from '@dep-ctrl/admission-server';
import { desiredWebhooks, type GuardedResource } from './desired-webhooks.js';
import { ownershipOf } from './ownership.js';
import type { UrlTokens } from '../../url-tokens/url-tokens.js';

/** What a `ConfigurationWriter` needs. */
export interface ConfigurationWriterDependencies {
  readonly exportName: string;
  /** `https://host:port/validate`, without a slash at the end. */
  readonly webhookUrl: string;
  readonly caBundle: CaBundleSource;
  /** Absent: the installed URLs carry no token. */
  readonly urlTokens?: UrlTokens | undefined;
  readonly logger: Logger;
}

/** A guarded workspace to write to. `client`: of the virtual workspace; `owner`: the logical cluster of the export. */
export interface Site {
  readonly cluster: LogicalClusterName;
  readonly client: ClusterClient;
  readonly owner: LogicalClusterName;
}

/**
 * A change by another writer is repaired at once, the first times. A writer that changes the object again and again is most likely a second controller, of
 * another version or with another URL or CA, and without leader election: neither would ever stop, and each write is one to kcp's store and to every shard.
 * The longest pause is short enough that an edit which weakens the protection does not last.
 */
export const REPAIRS: BrakeSettings = { atOnce: 3, backoff: { firstMs: 1_000, factor: 2, capMs: 15_000 }, forgetMs: 5 * 60_000 };

/** The writer of all configurations. */
export class ConfigurationWriter {
  readonly #dependencies: ConfigurationWriterDependencies;
  readonly #remembered = new Set<LogicalClusterName>();

  constructor(dependencies: ConfigurationWriterDependencies) {
    this.#dependencies = dependencies;
  }

  /** The configuration that guards these resources, or what it waits for. */
  desired(
    cluster: LogicalClusterName,
    guarded: readonly GuardedResource[],
    observed: KubeObject | undefined,
  ): DesiredConfiguration | string {
    const { caBundle, webhookUrl, urlTokens } = this.#dependencies;
    this.#remember(cluster, observed);
    const current = caBundle.current(cluster);
    if (current.kind === 'unread') return `waiting for the CA bundle: ${current.problem}`;
    return desiredWebhooks(guarded, {
      guardedCluster: cluster,
      webhookUrl,
      ...(urlTokens !== undefined && { urlToken: urlTokens.of(cluster) }),
      ...(current.kind === 'pem' && { caBundle: encodeCaBundle(current.pem) }),
    });
  }

  /** Installs, repairs or adopts. */
  async ensure(site: Site, desired: DesiredConfiguration, options: EnsureOptions): Promise<InstallOutcome> {
    const outcome = await this.#installer(site).ensure(site.client, desired, options);
    if (outcome.state === 'installed') {
      // Without the path: the token in it lets its reader ask what refers to what.
      const webhookUrl = new URL(this.#dependencies.webhookUrl).origin;
      this.#log(site, `configuration ${outcome.change}`, { webhookUrl });
    }
    return outcome;
  }

  /** Whether a configuration of our name exists, whatever its owner. False if that cannot be read: the write that follows fails with the reason. */
  async exists({ client }: Site, { signal }: Stoppable): Promise<boolean> {
    try {
      await client.get(WEBHOOK_CONFIGURATIONS, { name: GUARD_NAME }, { signal });
      return true;
    } catch (error) {
      if (isKcpError(error) && error.code !== 'aborted') return false;
      throw error;
    }
  }

  /** Removes what is ours. */
  async remove(site: Site, { signal }: Stoppable): Promise<InstallOutcome> {
    const outcome = await this.#installer(site).remove(site.client, { signal });
    if (outcome.state === 'removed') this.#log(site, 'configuration removed');
    return outcome;
  }

  /** No configuration is wanted any more. */
  forget(cluster: LogicalClusterName): void {
    this.#remembered.delete(cluster);
  }

  #installer({ owner }: Site): WebhookInstaller {
    const { exportName, logger } = this.#dependencies;
    const boundExport = { cluster: owner, name: exportName };
    return new WebhookInstaller({ name: GUARD_NAME, ownership: ownershipOf(owner), boundExport, logger });
  }

  /** A CA that was rotated while no controller ran fades like one that is rotated now: replicas may still serve its certificate. */
  #remember(cluster: LogicalClusterName, observed: KubeObject | undefined): void {
    if (this.#remembered.has(cluster) || observed === undefined) return;
    this.#remembered.add(cluster);
    for (const pem of installedBundles([observed])) this.#dependencies.caBundle.remember(pem, cluster);
  }

  #log({ cluster }: Site, message: string, fields: LogFields = {}): void {
    this.#dependencies.logger.info(message, { cluster, ...fields });
  }
}
