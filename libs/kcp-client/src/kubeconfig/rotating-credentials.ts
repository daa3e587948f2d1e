// Credentials that follow their files: the kubeconfig itself, certificates, keys and tokens. Files are looked at (not read) at most
// once a second, or when the server refused what they said; what cannot be used, such as a file that is half written, leaves the
// last good credentials in force.
import { stat } from 'node:fs/promises';
import type { Parsed } from '@dep-ctrl/kcp-names';
import type { Clock } from '../time/clock.js';
import type { Credentials } from '../http/credentials.js';
import { silentLogger, type Logger } from '../running/logger.js';

/** Credentials and the files that they came from. */
export interface CredentialsFromFiles {
  readonly credentials: Credentials;
  readonly files: readonly string[];
}

/** What a RotatingCredentials is made of. */
export interface RotatingCredentialsOptions {
  readonly initial: CredentialsFromFiles;
  readonly reload: () => Parsed<CredentialsFromFiles>;
  readonly clock: Clock;
  readonly logger?: Logger;
}

const LOOK_EVERY_MS = 1_000;

/** The credentials of the moment. */
export class RotatingCredentials {
  readonly #reload: () => Parsed<CredentialsFromFiles>;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #current: CredentialsFromFiles;
  #seen: string | undefined;
  #problem: string | undefined;
  #lookedMs: number;
  #looking: Promise<void> | undefined;

  constructor({ initial, reload, clock, logger }: RotatingCredentialsOptions) {
    this.#current = initial;
    this.#reload = reload;
    this.#clock = clock;
    this.#logger = logger ?? silentLogger;
    this.#lookedMs = -Infinity;
  }

  /** Why the files of the moment cannot be used; undefined: they are in use. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Answers from memory unless it is time to look at the files, or `fresh`. */
  async credentials({ fresh }: { readonly fresh: boolean }): Promise<Credentials> {
    if (this.#current.files.length === 0) return this.#current.credentials;
    if (fresh || this.#clock.monotonic() - this.#lookedMs >= LOOK_EVERY_MS) {
      this.#looking ??= this.#look().finally(() => {
        this.#looking = undefined;
      });
      await this.#looking;
    }
    return this.#current.credentials;
  }

  async #look(): Promise<void> {
    this.#lookedMs = this.#clock.monotonic();
    const seen = JSON.stringify(await Promise.all(this.#current.files.map(fingerprint)));
    if (seen === this.#seen) return;
    const reloaded = this.#reload();
    if (!reloaded.ok) {
      const isNew = reloaded.problem !== this.#problem;
      this.#problem = reloaded.problem;
      if (isNew) this.#logger.warn('changed credentials cannot be used, the last good ones stay', { problem: reloaded.problem });
      return; // looked at again the next time: it may be half written
    }
    if (this.#problem !== undefined) this.#logger.info('changed credentials can be used again');
    this.#problem = undefined;
    this.#current = reloaded.value;
    this.#seen = seen;
  }
}

/** What changes when a file does. Secrets in a Pod are swapped by symbolic links: the inode tells. */
async function fingerprint(path: string): Promise<string> {
  try {
    const { ino, size, mtimeMs } = await stat(path);
    return `${String(ino)}/${String(size)}/${String(mtimeMs)}`;
  } catch {
    return 'unreadable';
  }
}
