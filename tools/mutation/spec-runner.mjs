// Runs specs for Stryker without leaving the process: they are bundled once and evaluated anew for every mutant, so a mutant costs
// milliseconds. For specs of pure code only: describe, it, it.each and expect are jest's, and nothing else of jest is there; what Node brings is there.
import { createRequire, isBuiltin } from 'node:module';
import { dirname } from 'node:path';
import { performance } from 'node:perf_hooks';
import { Script } from 'node:vm';
import { PluginKind, declareFactoryPlugin } from '@stryker-mutator/api/plugin';
import { DryRunStatus, TestStatus, determineHitLimitReached, toMutantRunResult } from '@stryker-mutator/api/test-runner';
import { build } from 'esbuild';
import { expect } from 'expect';
import fastCheck from 'fast-check';
import { bind } from 'jest-each';
import { globSync } from 'tinyglobby';
import { chosenGroup } from './groups.mjs';

// Of a law a mutant gets so many samples, always the same, so that a score can be repeated; its counterexample is not read.
const SAMPLES = 200;

// Stryker takes a mutant for one without end once it was hit a hundred times as often as in all specs together. Ten times is beyond doubt, too, and what
// reads large texts is hit some million times.
const SOONER = 10;

/** @implements {import('@stryker-mutator/api/test-runner').TestRunner} */
class SpecRunner {
  #context = (globalThis.__stryker__ ??= {});
  #files = [];
  #scripts = new Map();

  capabilities() {
    return { reloadEnvironment: true };
  }

  async init() {
    const folder = process.cwd(); // the copy of the project that Stryker made
    const files = globSync([...chosenGroup().specs], { cwd: folder, absolute: true });
    // Laws last: most mutants are noticed sooner by a table.
    this.#files = files.toSorted((a, b) => Number(a.includes('.property.')) - Number(b.includes('.property.')));
    for (const file of this.#files)
      this.#scripts.set(file, new Script(`(function (require) {${await bundled(file)}\n})`, { filename: file }));
  }

  async dryRun() {
    this.#context.mutantCoverage = { static: {}, perTest: {} };
    const tests = await this.#run({ isWanted: () => true, stopsEarly: false });
    return { status: DryRunStatus.Complete, tests, mutantCoverage: this.#context.mutantCoverage };
  }

  async mutantRun({ activeMutant: { id: mutant }, testFilter, disableBail, hitLimit, mutantActivation }) {
    const context = this.#context;
    context.hitLimit = hitLimit === undefined ? undefined : Math.ceil(hitLimit / SOONER);
    context.hitCount = hitLimit === undefined ? undefined : 0;
    const wanted = testFilter && new Set(testFilter);
    const isWanted = (id) => wanted?.has(id) ?? true;
    const tests = await this.#run({ isWanted, stopsEarly: !disableBail, mutant, isStatic: mutantActivation === 'static' });
    const result = determineHitLimitReached(context.hitCount, context.hitLimit) ?? { status: DryRunStatus.Complete, tests };
    return toMutantRunResult(result, disableBail);
  }

  async #run({ isWanted, stopsEarly, mutant, isStatic = false }) {
    const context = this.#context;
    const results = [];
    for (const file of this.#files) {
      let tests;
      context.activeMutant = isStatic ? mutant : undefined;
      try {
        tests = load(this.#scripts.get(file), file);
      } catch (failure) {
        return [{ ...outcome(failure), id: file, name: `${file} can be loaded`, fileName: file, timeSpentMs: 0 }];
      }
      context.activeMutant = mutant;
      for (const { id, name, run } of tests.filter((test) => isWanted(test.id))) {
        const started = performance.now();
        context.currentTestId = id;
        const failure = await run().then(
          () => undefined,
          (thrown) => thrown ?? 'thrown',
        );
        context.currentTestId = undefined;
        results.push({ ...outcome(failure), id, name, fileName: file, timeSpentMs: performance.now() - started });
        if (failure !== undefined && stopsEarly) return results;
      }
    }
    return results;
  }
}

function outcome(failure) {
  if (failure === undefined) return { status: TestStatus.Success };
  return { status: TestStatus.Failed, failureMessage: failure instanceof Error ? failure.message : String(failure) };
}

/** The tests of one file, with everything that it imports evaluated anew. */
function load(script, file) {
  const tests = [];
  const titles = [];
  const titled = (title, body) => {
    titles.push(typeof title === 'function' ? title.name : title);
    body();
    titles.pop();
  };
  const it = (title, body) => {
    const name = [...titles, title].join(' ');
    tests.push({ id: `${file}#${tests.length}`, name, run: async () => body() });
  };
  const modules = {
    '@jest/globals': { describe: Object.assign(titled, { each: bind(titled) }), it: Object.assign(it, { each: bind(it) }), expect },
    'fast-check': fewSamples,
  };
  script.runInThisContext()((name) => {
    if (isBuiltin(name)) return builtin(name);
    if (!(name in modules)) throw new Error(`${name} is not there for specs of pure code`);
    return modules[name];
  });
  return tests;
}

const builtin = createRequire(import.meta.url);

const fewSamples = {
  ...fastCheck,
  assert: (property, { numRuns = SAMPLES, ...others } = {}) =>
    fastCheck.assert(property, { ...others, seed: 1, endOnFailure: true, numRuns: Math.min(numRuns, SAMPLES) }),
};

async function bundled(file) {
  const { outputFiles } = await build({
    entryPoints: [file],
    absWorkingDir: dirname(file),
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    keepNames: true,
    conditions: ['@dep-ctrl/source'],
    external: ['@jest/globals', 'fast-check'],
    logLevel: 'error',
  });
  return outputFiles[0].text;
}

export const strykerPlugins = [declareFactoryPlugin(PluginKind.TestRunner, 'specs', () => new SpecRunner())];
