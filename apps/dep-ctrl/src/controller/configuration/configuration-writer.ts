/*
 * Writes configurations through the virtual workspace: one webhook entry for each kind of enforcement, with the current URL and CA bundle. A write waits
 * where the workspace may be being deleted, and where another writer replaces the configuration again and again. One log line per object that changed.
 */
import type { KubeObject, LogicalClusterName, WorkspacePath } from '@dep-ctrl/kcp-names';
import {
  Brake,
  isKcpError,
  type BrakeSettings,
  type Clock,
  type ClusterClient,
  type LogFields,
  type Logger,
  type Stoppable,
} from '@dep-ctrl/kcp-client';
import { GUARD_NAME, type GuardRuleEntry, type RegistryReader } from '@dep-ctrl/rule-registry';
import {
  encodeCaBundle,
  WEBHOOK_CONFIGURATIONS,
  WebhookInstaller,
  type CaBundleSource,
  type DesiredConfiguration,
  type InstallOutcome,
} from '@dep-ctrl/webhook-installer';
import { installedBundles } from '@dep-ctrl/admission-server';
import type { Reinstalls } from '@dep-ctrl/workspace-resolver';
import { API_BINDINGS } from '@dep-ctrl/kcp-objects';
import { pagesOf } from '../../rules/kept-objects.js';
import { desiredWebhooks, type GuardedResource } from './desired-webhooks.js';
import { FOUGHT_ABOUT, installationOf, type Installation } from './installation.js';
import { ownershipOf } from './ownership.js';
import type { UrlTokens } from '../../url-tokens/url-tokens.js';

/** What a `ConfigurationWriter` needs. */
export interface ConfigurationWriterDependencies {
  readonly registry: RegistryReader;
  readonly exportName: string;
  /** The path of dep-ctrl's own workspace, where it is known. */
  readonly home: WorkspacePath | undefined;
  /** `https://host:port/validate`, without a slash at the end. */
  readonly webhookUrl: string;
  readonly caBundle: CaBundleSource;
  /** Absent: the installed URLs carry no token. */
  readonly urlTokens?: UrlTokens | undefined;
  readonly reinstalls: Reinstalls;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A guarded workspace to write to. `client`: of the virtual workspace; `owner`: the logical cluster of the export. */
export interface Site {
  readonly cluster: LogicalClusterName;
  readonly client: ClusterClient;
  readonly owner: LogicalClusterName;
}

/** The configuration of one guarded workspace, as it should be and as it was seen. */
export interface Wanted {
  readonly desired: DesiredConfiguration;
  /** As the watch showed it; undefined: the watch shows none. */
  readonly seen: KubeObject | undefined;
  /** The guard says that a configuration was installed. */
  readonly wasInstalled: boolean;
  /** The entries that the configuration stands for, and those that found no room in it too. */
  readonly entries: readonly GuardRuleEntry[];
  readonly wanted: readonly GuardRuleEntry[];
}

/** The result of a write. `again`: whether the caller tries again, and when. */
export interface WriteResult {
  readonly installation: Installation;
  readonly again: 'when-told' | 'soon' | 'later';
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
  readonly #repairs: Brake<LogicalClusterName, DesiredConfiguration>;
  readonly #remembered = new Set<LogicalClusterName>();

  constructor(dependencies: ConfigurationWriterDependencies) {
    this.#dependencies = dependencies;
    this.#repairs = new Brake(dependencies.clock, REPAIRS);
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

  /** Installs, repairs or adopts. `isNew`: kcp has to take in what was just written. */
  async install(site: Site, want: Wanted, { signal }: Stoppable): Promise<WriteResult & { readonly isNew: boolean }> {
    const { desired, seen = 'absent' } = want;
    const held = (await this.#hasVanished(site, want, signal))
      ? await this.#dependencies.reinstalls.whyNotNow(site.cluster, { signal })
      : undefined;
    if (held !== undefined) return { installation: { state: 'pending', message: held }, again: 'soon', isNew: false };
    if (this.#repairs.waitMs(site.cluster, desired) > 0) return { installation: FOUGHT_ABOUT, again: 'soon', isNew: false };
    const outcome = await this.#installer(site).ensure(site.client, desired, { signal, seen });
    const isNew = outcome.state === 'installed';
    if (isNew) this.#noteWrite(site, outcome.change, desired);
    return { ...this.#result(site, outcome, want), isNew };
  }

  /** Removes what is ours. `gone`: nothing of ours is there. */
  async remove(site: Site, { signal }: Stoppable): Promise<'gone' | (WriteResult & { readonly problem: string })> {
    const outcome = await this.#installer(site).remove(site.client, { signal });
    if (outcome.state === 'removed') this.#log(site, 'configuration removed');
    if (outcome.state === 'removed' || outcome.state === 'absent') return 'gone';
    const problem = 'problem' in outcome ? outcome.problem : outcome.state;
    return { ...this.#result(site, outcome, { entries: [], wanted: [] }), problem };
  }

  /** No configuration is wanted any more: workspaces come and go, and what is remembered of them must not pile up. */
  forget(cluster: LogicalClusterName): void {
    this.#dependencies.reinstalls.forget(cluster);
    this.#repairs.forget(cluster);
    this.#remembered.delete(cluster);
  }

  /** Whether the configuration was there and is gone. Asked of kcp itself: watches may lag behind our own writes. */
  async #hasVanished(site: Site, { seen, wasInstalled }: Wanted, signal: AbortSignal): Promise<boolean> {
    const { reinstalls } = this.#dependencies;
    if (seen !== undefined) {
      reinstalls.seen(site.cluster);
      return false;
    }
    return (reinstalls.isMissing(site.cluster) || wasInstalled) && !(await this.#exists(site, signal));
  }

  /** Whether a configuration of our name exists, whatever its owner. False if that cannot be read: the write that follows fails with the reason. */
  async #exists({ client }: Site, signal: AbortSignal): Promise<boolean> {
    try {
      await client.get(WEBHOOK_CONFIGURATIONS, { name: GUARD_NAME }, { signal });
      return true;
    } catch (error) {
      if (isKcpError(error) && error.code !== 'aborted') return false;
      throw error;
    }
  }

  #noteWrite(site: Site, change: string, desired: DesiredConfiguration): void {
    const { cluster } = site;
    const { webhookUrl, registry, logger } = this.#dependencies;
    // Without the path: the token in it lets its reader ask what refers to what.
    this.#log(site, `configuration ${change}`, { webhookUrl: new URL(webhookUrl).origin });
    if (change === 'replaced' && this.#repairs.did(cluster, desired)) {
      logger.warn(FOUGHT_ABOUT.message, { cluster, path: registry.paths.pathOf(cluster), name: GUARD_NAME });
    }
  }

  #result({ cluster }: Site, outcome: InstallOutcome, { entries, wanted }: Pick<Wanted, 'entries' | 'wanted'>): WriteResult {
    const { registry, exportName, home } = this.#dependencies;
    const path = registry.paths.pathOf(cluster) ?? registry.guarded(cluster).matches[0]?.dependency.export.path;
    return { installation: installationOf(outcome, { cluster, path, exportName, home, entries, wanted }), again: whenAgain(outcome) };
  }

  #installer({ owner }: Site): WebhookInstaller {
    const { exportName, logger } = this.#dependencies;
    const boundExport = { cluster: owner, name: exportName };
    return new WebhookInstaller({
      name: GUARD_NAME,
      ownership: ownershipOf(owner),
      boundExport,
      logger,
      parseLarge: pagesOf(API_BINDINGS),
    });
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

function whenAgain(outcome: InstallOutcome): WriteResult['again'] {
  if (!('retryable' in outcome)) return 'when-told';
  return outcome.retryable ? 'soon' : 'later';
}
