/*
 * Keeps the configuration that makes kcp send rules and guards to the webhook, while this process leads. It is written once the webhook answers, and
 * repaired if it was changed or deleted. It is read every two seconds by name, because the rights allow no watch.
 */
import { every, isKcpError, pause, type Clock, type ObjectClient, type Logger, type Runnable } from '@dep-ctrl/kcp-client';
import { clusterOf, type KubeObject, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import {
  encodeCaBundle,
  planChange,
  WEBHOOK_CONFIGURATIONS,
  type CaBundleSource,
  type ConfigurationPlan,
  type DesiredConfiguration,
} from '@dep-ctrl/webhook-installer';
import { installedBundles } from '@dep-ctrl/admission-server';
import { API_EXPORT_ENDPOINT_SLICES, getIfExists } from '@dep-ctrl/kcp-objects';
import { ADMISSION_CONFIGURATION } from '../../own-objects/admission-configuration.js';
import { OWNER_LABEL } from '../../own-objects/configuration-labels.js';
import { desiredAdmission } from './desired-admission.js';

/** What an `AdmissionKeeper` needs. */
export interface AdmissionKeeperDependencies {
  /** The workspace of dep-ctrl; only a leader's writes pass. */
  readonly home: Pick<ObjectClient, 'get' | 'create' | 'replace'>;
  readonly exportName: string;
  /** `https://host:port/validate`, without a slash at the end. */
  readonly webhookUrl: string;
  readonly caBundle: CaBundleSource;
  /** The token of the moment. Absent: the installed URL carries none. */
  readonly urlToken?: (() => string) | undefined;
  /** Whether the webhook of this process answers yet. Absent: it runs elsewhere. */
  readonly isServing?: () => boolean;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Shorter than the time for which `uninstall` waits whether a controller writes the configuration again. */
const LOOK_EVERY_MS = 2_000;
/** Until the webhook of this process answers: that asks nobody, and rules that are written meanwhile are not checked. */
const SERVING_SOON_MS = 50;

/** The keeper of that configuration. */
export class AdmissionKeeper implements Runnable {
  readonly #dependencies: AdmissionKeeperDependencies;
  #hasRemembered = false;
  #told: string | undefined;

  constructor(dependencies: AdmissionKeeperDependencies) {
    this.#dependencies = dependencies;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, isServing = () => true } = this.#dependencies;
    while (!signal.aborted && !isServing()) await pause(SERVING_SOON_MS, { clock, signal });
    const look = () =>
      this.#look(signal).catch((error: unknown) => {
        if (signal.aborted) return;
        // Another writer was faster: the next look sees the result.
        if (!isKcpError(error)) throw error;
        if (error.code !== 'conflict' && error.code !== 'already-exists') this.#complain(error.message);
      });
    await every(LOOK_EVERY_MS, look, { clock, signal });
  }

  async #look(signal: AbortSignal): Promise<void> {
    const { home, isServing = () => true } = this.#dependencies;
    if (!isServing()) return;
    const observed = await getIfExists(home, WEBHOOK_CONFIGURATIONS, { name: ADMISSION_CONFIGURATION }, { signal });
    this.#remember(observed);
    const desired = this.#desired();
    if (desired === undefined) return;
    // The workspace may have been deleted and made anew since the last look: the owner is the one of now.
    const owner = observed === undefined ? await this.#readOwner(signal) : ownerIn(observed);
    const ownership = { label: OWNER_LABEL, value: owner, adopt: () => false };
    await this.#carryOut(planChange({ name: ADMISSION_CONFIGURATION, ownership, desired, observed }), signal);
  }

  /** Undefined while the CA bundle is not known. */
  #desired(): DesiredConfiguration | undefined {
    const { webhookUrl, caBundle, urlToken } = this.#dependencies;
    const trusted = caBundle.current(ADMISSION_CONFIGURATION);
    if (trusted.kind === 'unread') {
      this.#complain(`waiting for the CA bundle: ${trusted.problem}`);
      return undefined;
    }
    return desiredAdmission({
      webhookUrl,
      ...(urlToken !== undefined && { urlToken: urlToken() }),
      ...(trusted.kind === 'pem' && { caBundle: encodeCaBundle(trusted.pem) }),
    });
  }

  async #carryOut(plan: ConfigurationPlan, signal: AbortSignal): Promise<void> {
    if (plan.kind === 'conflict') {
      const problem = `is not of this installation (label ${OWNER_LABEL}): delete it, and it is made anew`;
      this.#complain(`ValidatingWebhookConfiguration ${ADMISSION_CONFIGURATION} ${problem}`);
      return;
    }
    if (plan.kind === 'none' || plan.kind === 'remove') {
      this.#told = undefined;
      return;
    }
    const verb = plan.kind === 'create' ? 'create' : 'replace';
    await this.#dependencies.home[verb](WEBHOOK_CONFIGURATIONS, plan.object, { signal });
    this.#tell(`${verb}d`);
  }

  /** kcp makes the slice beside the export, and both roles may read it. */
  async #readOwner(signal: AbortSignal): Promise<LogicalClusterName> {
    const { home, exportName } = this.#dependencies;
    return ownerIn(await home.get(API_EXPORT_ENDPOINT_SLICES, { name: exportName }, { signal }));
  }

  /** A CA that was rotated while no controller ran fades like one that is rotated now: replicas may still serve its certificate. */
  #remember(observed: KubeObject | undefined): void {
    if (this.#hasRemembered || observed === undefined) return;
    this.#hasRemembered = true;
    for (const pem of installedBundles([observed])) this.#dependencies.caBundle.remember(pem, ADMISSION_CONFIGURATION);
  }

  #tell(change: 'created' | 'replaced'): void {
    this.#told = undefined;
    // Without the path: the token is in it.
    const webhookUrl = new URL(this.#dependencies.webhookUrl).origin;
    this.#dependencies.logger.info(`admission configuration ${change}`, { webhookUrl });
  }

  #complain(problem: string): void {
    if (problem !== this.#told) this.#dependencies.logger.warn('rules and guards are not checked as they are written', { problem });
    this.#told = problem;
  }
}

/** The logical cluster that an object of the workspace of dep-ctrl is in, as kcp says it. */
function ownerIn(object: KubeObject): LogicalClusterName {
  const owner = clusterOf(object);
  if (!owner.ok) throw new Error(owner.problem);
  return owner.value;
}
