/*
 * Follows the secrets behind the URL tokens, in a file or in a Secret that replicas share. Rotation without losing a review: 1. add the new secret as a
 * further line: it is accepted; 2. make it the first line: it is installed; 3. once every configuration has it, remove the old line.
 */
import { every, type Clock, type Logger, type Runnable, type Stoppable } from '@dep-ctrl/kcp-client';
import { parseUrlSecrets, type UrlSecrets } from './url-token.js';

/** Secrets that may change. */
export interface UrlSecretsSource {
  current(): UrlSecrets;
  /** Calls back after each change, until the returned function is called. */
  subscribe(listener: () => void): () => void;
}

/** What a `FollowedUrlSecrets` needs. */
export interface FollowedUrlSecretsDependencies {
  /** What was said at the start. */
  readonly initial: UrlSecrets;
  /** Reads the text of the moment. Throws when it cannot. */
  readonly read: (options: Stoppable) => Promise<string>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Ten seconds behind at most, as with the CA bundle. Files that Kubernetes mounts give no other sign. */
const POLL_MS = 10_000;

/** Secrets that follow their origin. What cannot be read, or holds no usable secret, changes nothing. */
export class FollowedUrlSecrets implements UrlSecretsSource, Runnable {
  readonly #dependencies: FollowedUrlSecretsDependencies;
  readonly #listeners = new Set<() => void>();
  #current: UrlSecrets;
  #problem: string | undefined;

  constructor(dependencies: FollowedUrlSecretsDependencies) {
    this.#dependencies = dependencies;
    this.#current = dependencies.initial;
  }

  current(): UrlSecrets {
    return this.#current;
  }

  /** Why the text of the moment cannot be used; undefined: it is in use. */
  get problem(): string | undefined {
    return this.#problem;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  run(signal: AbortSignal): Promise<void> {
    return every(POLL_MS, () => this.#look(signal), { clock: this.#dependencies.clock, signal });
  }

  async #look(signal: AbortSignal): Promise<void> {
    try {
      const secrets = parseUrlSecrets(await this.#dependencies.read({ signal }));
      if (secrets.ok) this.#take(secrets.value);
      else this.#complain(secrets.problem);
    } catch (error) {
      if (!signal.aborted) this.#complain(error instanceof Error ? error.message : String(error));
    }
  }

  #take(secrets: UrlSecrets): void {
    this.#problem = undefined;
    if (secrets.join('\n') === this.#current.join('\n')) return;
    this.#current = secrets;
    this.#dependencies.logger.info('URL token secrets changed', { accepted: secrets.length });
    for (const listener of this.#listeners) listener();
  }

  #complain(problem: string): void {
    if (problem !== this.#problem) this.#dependencies.logger.warn('URL token secrets cannot be used, the last ones stay', { problem });
    this.#problem = problem;
  }
}
