/*
 * Brings one ValidatingWebhookConfiguration per workspace to what the caller desires, through the virtual workspace of an APIExport that
 * claims the type. Read, decide (plan-change.ts), write; a conflict starts over on fresh state. Writes are PUTs with a resourceVersion:
 * apply through a virtual workspace never prunes. Nothing is remembered between calls.
 */
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { collect, isKcpError, silentLogger, type ClusterClient, type Logger, type ParsePage } from '@dep-ctrl/kcp-client';
import { binds, readClaim, type BoundExport } from './claim.js';
import { failedInstall, refusedInstall, type FailedInstall, type InstallOutcome } from './install-outcome.js';
import { planChange, type ConfigurationPlan } from './plan-change.js';
import { WEBHOOK_CONFIGURATIONS, type DesiredConfiguration, type Ownership } from './webhook-configuration.js';

/** What a `WebhookInstaller` needs. */
export interface WebhookInstallerDependencies {
  /** The name of the configuration in every workspace. */
  readonly name: string;
  readonly ownership: Ownership;
  /** The export through which it is written: says why kcp refuses. */
  readonly boundExport: BoundExport;
  readonly logger?: Logger;
  /** Parses large pages of APIBindings: see `collect` of kcp-client. */
  readonly parseLarge?: ParsePage;
}

/** How to call. */
export interface InstallOptions {
  readonly signal: AbortSignal;
}

/** How to bring a configuration to what is desired. */
export interface EnsureOptions extends InstallOptions {
  /**
   * The configuration as a watch showed it. A change that follows from it is written at once, and the configuration is read only after a conflict. That
   * nothing is to be done is never believed of it. Default: the configuration is read first.
   */
  readonly seen?: KubeObject | 'absent';
}

const APIBINDINGS = { group: 'apis.kcp.io', version: 'v1alpha2', resource: 'apibindings' };
/** Verbs that this class uses, and so needs of the claim. */
const NEEDED_VERBS = ['get', 'create', 'update', 'delete'];
/** Another writer that writes as often as we read would keep us here for ever. The caller's queue tries again. */
const ATTEMPTS = 5;

/** Installs, repairs, adopts and removes configurations. The client is that of one workspace in the virtual workspace. */
export class WebhookInstaller {
  readonly #dependencies: WebhookInstallerDependencies;
  readonly #logger: Logger;

  constructor(dependencies: WebhookInstallerDependencies) {
    this.#dependencies = dependencies;
    this.#logger = dependencies.logger ?? silentLogger;
  }

  /** Makes the configuration what is desired; without entries it is removed. One read where nothing is to be done. */
  async ensure(client: ClusterClient, desired: DesiredConfiguration, { signal, seen }: EnsureOptions): Promise<InstallOutcome> {
    try {
      let unseen = 0;
      for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
        const known = attempt === 1 ? this.#planBy(seen, desired) : undefined;
        const plan = known ?? this.#plan(await this.#read(client, signal), desired);
        const outcome = await this.#carryOut(client, plan, signal);
        if (outcome !== 'outdated' && outcome !== 'exists') return outcome;
        if (outcome === 'exists') unseen += 1;
        this.#logger.debug('configuration changed while it was written', { attempt });
      }
      return unseen === ATTEMPTS ? UNSEEN : FOUGHT_ABOUT;
    } catch (error) {
      return isKcpError(error, 'forbidden') ? this.#explain(client, error, signal) : failedInstall(error);
    }
  }

  /** Removes the configuration, if it is ours, and makes sure that it is gone. */
  async remove(client: ClusterClient, options: InstallOptions): Promise<InstallOutcome> {
    return this.ensure(client, { labels: {}, webhooks: [] }, options);
  }

  #plan(observed: KubeObject | undefined, desired: DesiredConfiguration): ConfigurationPlan {
    const { name, ownership } = this.#dependencies;
    return planChange({ name, ownership, desired, observed });
  }

  /** What was seen says what to write: kcp refuses that where it is not so any more. */
  #planBy(seen: EnsureOptions['seen'], desired: DesiredConfiguration): ConfigurationPlan | undefined {
    if (seen === undefined) return undefined;
    const plan = this.#plan(seen === 'absent' ? undefined : seen, desired);
    return plan.kind === 'create' || plan.kind === 'replace' ? plan : undefined;
  }

  async #carryOut(client: ClusterClient, plan: ConfigurationPlan, signal: AbortSignal): Promise<InstallOutcome | Outdated> {
    switch (plan.kind) {
      case 'none':
        return { state: plan.because === 'same' ? 'unchanged' : 'absent' };
      case 'conflict':
        return { state: 'conflict', owner: plan.owner };
      case 'create':
        return this.#write(() => client.create(WEBHOOK_CONFIGURATIONS, plan.object, { signal }), 'created');
      case 'replace':
        return this.#write(() => client.replace(WEBHOOK_CONFIGURATIONS, plan.object, { signal }), 'replaced');
      case 'adopt':
        return this.#write(() => client.replace(WEBHOOK_CONFIGURATIONS, plan.object, { signal }), 'adopted');
      case 'remove':
        return this.#remove(client, plan.object, signal);
      default:
        return plan satisfies never;
    }
  }

  async #write(write: () => Promise<unknown>, change: 'created' | 'replaced' | 'adopted'): Promise<InstallOutcome | Outdated> {
    try {
      await write();
      return { state: 'installed', change };
    } catch (error) {
      return outdatedOr(error);
    }
  }

  async #remove(client: ClusterClient, { metadata }: KubeObject, signal: AbortSignal): Promise<InstallOutcome | Outdated> {
    const { uid, resourceVersion } = metadata;
    const preconditions = { ...(uid !== undefined && { uid }), ...(resourceVersion !== undefined && { resourceVersion }) };
    try {
      await client.delete(WEBHOOK_CONFIGURATIONS, { name: this.#dependencies.name }, { preconditions, signal });
    } catch (error) {
      return outdatedOr(error);
    }
    const left = await this.#read(client, signal);
    if (left?.metadata.uid !== uid || left === undefined) return { state: 'removed' };
    const finalizers = left.metadata.finalizers?.join(', ') ?? 'none';
    return { state: 'pending', problem: `the configuration is being deleted; its finalizers: ${finalizers}`, retryable: true };
  }

  async #read(client: ClusterClient, signal: AbortSignal): Promise<KubeObject | undefined> {
    try {
      return await client.get(WEBHOOK_CONFIGURATIONS, { name: this.#dependencies.name }, { signal });
    } catch (error) {
      if (isKcpError(error, 'not-found')) return undefined;
      throw error;
    }
  }

  /** A 403 has one text for many causes: the bindings of the workspace tell them apart, unless they are refused too. */
  async #explain(client: ClusterClient, refusal: Parameters<typeof refusedInstall>[1], signal: AbortSignal): Promise<FailedInstall> {
    try {
      const { boundExport, parseLarge } = this.#dependencies;
      const take = (each: KubeObject) => (binds(each, boundExport) ? each : undefined);
      const own = await collect(client, APIBINDINGS, { take, parseLarge, signal });
      const claim = readClaim(own, boundExport, WEBHOOK_CONFIGURATIONS, NEEDED_VERBS);
      return refusedInstall(claim, refusal);
    } catch (error) {
      if (!isKcpError(error, 'forbidden')) return failedInstall(error);
      // Neither is a proof: a kcp that starts refuses both of a workspace that is bound.
      return { state: 'not-bound', problem: `the workspace does not bind the export, or: ${refusal.message}`, retryable: true };
    }
  }
}

const FOUGHT_ABOUT: FailedInstall = { state: 'pending', problem: 'somebody else keeps changing the configuration', retryable: true };
const UNSEEN: FailedInstall = {
  state: 'unseen',
  problem: 'an object of this name is there, and the export does not see it',
  retryable: true,
};

/** Another writer was faster: the configuration has changed since it was read. `exists`: none was found, and now there is one. */
type Outdated = 'outdated' | 'exists';

function outdatedOr(error: unknown): Outdated {
  if (isKcpError(error, 'already-exists')) return 'exists';
  if (isKcpError(error, 'conflict', 'not-found')) return 'outdated';
  throw error;
}
