// The test environment: the process itself. After each spec file it takes back what jest and the spec changed in it.
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

// So many tell where something went wrong.
const STACK_FRAMES = 20;

export default class SpecEnvironment {
  #before = { console: globalThis.console, exit: process.exit, exitCode: process.exitCode };

  /** @param {{ projectConfig: import('@jest/types').Config.ProjectConfig }} config */
  constructor({ projectConfig }) {
    this.global = globalThis;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.moduleMocker = new ModuleMocker(globalThis);
  }

  // jest asks every environment for one; runtime.mjs does without.
  getVmContext() {
    return null;
  }

  async setup() {
    // jest sets 100, and every error of the product would be traced so far.
    Error.stackTraceLimit = STACK_FRAMES;
  }

  async teardown() {
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
    globalThis.console = this.#before.console;
    process.exit = this.#before.exit;
    process.exitCode = this.#before.exitCode;
    // Where jest-circus keeps jest.setTimeout() and who listens to its events.
    for (const key of ['TEST_TIMEOUT_SYMBOL', 'EVENT_HANDLERS']) delete globalThis[Symbol.for(key)];
  }
}
