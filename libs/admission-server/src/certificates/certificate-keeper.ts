import { every, silentLogger, type Clock, type Logger, type Runnable, type Stoppable } from '@dep-ctrl/kcp-client';
import { notParsed, parsed, timestamp, type Parsed } from '@dep-ctrl/kcp-names';
import { nothingServed, stepRenewal, type RenewalState } from './certificate-renewal.js';
import type { CertificateFit } from './certificate-fit.js';
import { isVerifiedBy, type CheckedPair, type ReadServingPair, type ServingPair } from './serving-pair.js';

/** What {@link CertificateKeeper} needs. */
export interface CertificateKeeperDependencies {
  readonly readServingPair: ReadServingPair;
  /** Judges what is read; absent: it is made here, and fits. */
  readonly fit?: Pick<CertificateFit, 'judge' | 'misfitOf'> | undefined;
  /** PEM bundles of the installed configurations; asked only while a new pair is to replace another. */
  readonly installedBundles: (options: Stoppable) => readonly string[] | Promise<readonly string[]>;
  /** The hosts that the installed configurations call; absent: not known. */
  readonly calledHosts?: () => readonly string[];
  /** Serves a pair from the next handshake on. */
  readonly serve: (pair: CheckedPair) => void;
  readonly clock: Clock;
  readonly logger?: Logger;
}

// Mounted Secrets change at most once a minute; looking costs two small reads. File events are not reliable on mounts.
const LOOK_EVERY_MS = 2_000;
// A request for one configuration, and two readings of each bundle. A rotation passes in between.
const TRUST_EVERY_MS = 30_000;
const FIX_TRUST =
  'give the controller the CA that signed tls.crt by --webhook-ca-bundle-path, and see that it runs: it writes the CA into every configuration';

const FIX_UNUSABLE =
  'put a pair there that can be used: until then the one before stays in use, and when the process starts again, it serves whatever is there';

/** Keeps the server on the pair that its source holds now. */
export class CertificateKeeper implements Runnable {
  readonly #dependencies: CertificateKeeperDependencies;
  readonly #logger: Logger;
  #state: RenewalState = nothingServed;
  #distrust: string | undefined;
  #trustLookedAtMs = -Infinity;

  constructor(dependencies: CertificateKeeperDependencies) {
    this.#dependencies = dependencies;
    this.#logger = dependencies.logger ?? silentLogger;
  }

  /** Why nothing is served; undefined while something is. */
  get missing(): string | undefined {
    return this.#state.served === undefined ? (this.#state.problem ?? 'the certificate has not been read') : undefined;
  }

  /** Why kcp will not accept what is served, or what waits to be; for `readyz?verbose`. */
  get note(): string | undefined {
    const { pending, served, problem } = this.#state;
    const waits =
      pending &&
      `a new certificate is held back since ${timestamp(pending.sinceMs)}: the CA that signed it is not yet in every configuration that kcp has`;
    const unusable = served === undefined || problem === undefined ? undefined : `the one before stays in use: ${problem}`;
    const notes = [waits, unusable, this.#distrust].filter((note) => note !== undefined);
    return notes.length === 0 ? undefined : notes.join('; ');
  }

  run(signal: AbortSignal): Promise<void> {
    const look = async () => {
      await this.#look(signal);
      await this.#lookAtTrust(signal);
    };
    return every(LOOK_EVERY_MS, look, { clock: this.#dependencies.clock, signal });
  }

  async #look(signal: AbortSignal): Promise<void> {
    const { clock, serve, fit, calledHosts = () => [] } = this.#dependencies;
    const read = await this.#read(signal);
    const installedBundles = await this.#installedBundles(read, signal);
    if (signal.aborted) return;
    const misfit = read.ok ? fit?.misfitOf(read.value, { served: this.#state.served, hosts: calledHosts() }) : undefined;
    const { state, effect } = stepRenewal(this.#state, { read, misfit, installedBundles, nowMs: clock.now() });
    this.#state = state;
    // What is not taken over has been complained about.
    const judged = read.ok && state.problem === undefined ? read.value : state.served;
    if (judged !== undefined) fit?.judge(judged);
    switch (effect.kind) {
      case 'serve':
        serve(effect.pair);
        this.#logger.info('certificate served', expiry(effect.pair));
        break;
      case 'complain':
        this.#logger.warn('certificate not usable', {
          problem: effect.problem,
          ...(state.served !== undefined && { fix: FIX_UNUSABLE, served: expiry(state.served).expires }),
        });
        break;
      case 'hold-back':
        this.#logger.info('certificate held back until kcp verifies it', expiry(effect.pair));
        break;
      case 'nothing':
        break;
      default:
        effect satisfies never;
    }
  }

  /** While kcp trusts another CA than that of the certificate, it refuses each delete, and its words name only kcp. */
  async #lookAtTrust(signal: AbortSignal): Promise<void> {
    const { clock, installedBundles } = this.#dependencies;
    const { served } = this.#state;
    if (signal.aborted || served === undefined || clock.now() - this.#trustLookedAtMs < TRUST_EVERY_MS) return;
    this.#trustLookedAtMs = clock.now();
    const bundles = (await installedBundles({ signal })).filter((bundle) => bundle !== ''); // not read
    const others = bundles.filter((bundle) => !isVerifiedBy(served, bundle)).length;
    const distrust =
      others === 0
        ? undefined
        : `${others} of the ${bundles.length} CA bundles in configurations that kcp has do not verify the certificate: deletes are refused there, unless something in between ends TLS`;
    if (distrust === this.#distrust) return;
    this.#distrust = distrust;
    if (distrust === undefined) this.#logger.info('certificate is verified by every installed CA bundle again');
    else this.#logger.warn('the CA bundles that kcp trusts do not verify the certificate', { problem: distrust, fix: FIX_TRUST });
  }

  async #installedBundles(read: Parsed<ServingPair>, signal: AbortSignal): Promise<readonly string[]> {
    const { served } = this.#state;
    if (served === undefined || !read.ok || served.certificate === read.value.certificate) return [];
    return this.#dependencies.installedBundles({ signal });
  }

  async #read(signal: AbortSignal): Promise<Parsed<ServingPair>> {
    try {
      return parsed(await this.#dependencies.readServingPair({ signal }));
    } catch (error) {
      return notParsed(error instanceof Error ? error.message : String(error));
    }
  }
}

function expiry({ expiresAtMs }: CheckedPair): { readonly expires: string } {
  return { expires: new Date(expiresAtMs).toISOString() };
}
