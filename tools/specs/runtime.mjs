// How jest loads a spec: by Node's own import (docs/adr/0022-specs-share-a-process.md). jest's runtime would evaluate every module anew
// for every spec file, in a context whose globals are looked up through a proxy.
import { createRequire, register } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { mapOf } from './compiled.mjs';
import { setGlobals } from './globals.mjs';

register('./typescript-hooks.mjs', import.meta.url);
const require = createRequire(import.meta.url);
let loads = 0;

// jest requires this file, and asks for the default export of what says that it was a module.
export const __esModule = true;

/** As much of jest-runtime as jest-runner and jest-circus use. */
export default class SpecRuntime {
  #environment;

  constructor(_config, environment) {
    this.#environment = environment;
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  // Only the spec itself is evaluated anew, when it is run again in the same process.
  async unstable_importModule(file) {
    loads += 1;
    await import(`${pathToFileURL(file).href}?load=${loads}`);
  }

  requireModule(file) {
    return require(file);
  }

  // jest-circus: its state is that of one spec file.
  requireInternalModule(file) {
    delete require.cache[require.resolve(file)];
    return require(file);
  }

  setGlobalsForRuntime(globals) {
    setGlobals({ ...globals, jest: jestFor(this.#environment) });
  }

  getSourceMaps() {
    return new SourceMaps();
  }

  getAllCoverageInfoCopy() {}

  enterTestCode() {}

  leaveTestCode() {}

  teardown() {
    setGlobals(undefined);
  }
}

/** The source maps of all that was compiled, by the names that stack traces give. */
class SourceMaps extends Map {
  get(name) {
    const url = name.startsWith('file:') ? new URL(name) : pathToFileURL(name.replace(/\?load=\d+$/, ''));
    return url.pathname.endsWith('.ts') ? mapOf(fileURLToPath(url)) : undefined;
  }
}

/** What our specs use of jest's own object. Mocks of modules are not among it (CONTRIBUTING.md, Tests). */
function jestFor({ fakeTimersModern, moduleMocker }) {
  return {
    setTimeout: (ms) => void (globalThis[Symbol.for('TEST_TIMEOUT_SYMBOL')] = ms),
    useFakeTimers: (options) => fakeTimersModern.useFakeTimers(options),
    useRealTimers: () => fakeTimersModern.useRealTimers(),
    advanceTimersByTimeAsync: (ms) => fakeTimersModern.advanceTimersByTimeAsync(ms),
    spyOn: moduleMocker.spyOn.bind(moduleMocker),
  };
}
