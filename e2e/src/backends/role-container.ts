// A role of dep-ctrl in a container, held to what its manifests promise: no capability, no file of the image written, mounts read only.
import { createWriteStream } from 'node:fs';
import { GenericContainer, getContainerRuntimeClient, type StartedTestContainer } from 'testcontainers';
import type { ProgramStart, RunningProgram } from './guarded-process.js';

/** A container that runs the image's program with these arguments and sees the working folder as it is on the host. */
export class RoleContainer implements RunningProgram {
  readonly #starting: Promise<StartedTestContainer | undefined>;
  #isRunning = true;

  constructor(image: string, { args, cwd, logFile }: Pick<ProgramStart, 'args' | 'cwd' | 'logFile'>) {
    const log = createWriteStream(logFile, { flags: 'a' });
    const container = new ReadOnlyContainer(image)
      .withCommand([...args])
      .withNetworkMode('host')
      .withBindMounts([{ source: cwd, target: cwd, mode: 'ro' }])
      // Only the user of this process may read the files of a run.
      .withUser(`${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`)
      .withDroppedCapabilities('ALL')
      .withSecurityOpt('no-new-privileges')
      .withLogConsumer((lines) => lines.pipe(log));
    this.#starting = container.start().catch((error: unknown) => {
      log.write(`${String(error)}\n`);
      this.#isRunning = false;
      return undefined;
    });
    void this.#watch();
  }

  get running(): boolean {
    return this.#isRunning;
  }

  async stop(): Promise<void> {
    const started = await this.#starting;
    if (started === undefined) return;
    const { container } = await getContainerRuntimeClient();
    await container.getById(started.getId()).remove({ force: true });
    this.#isRunning = false;
  }

  async #watch(): Promise<void> {
    const started = await this.#starting;
    if (started === undefined) return;
    const { container } = await getContainerRuntimeClient();
    // It may have been removed already: then it has ended, too.
    await container
      .getById(started.getId())
      .wait()
      .catch(() => undefined);
    this.#isRunning = false;
  }
}

class ReadOnlyContainer extends GenericContainer {
  constructor(image: string) {
    super(image);
    this.hostConfig.ReadonlyRootfs = true;
  }
}
