import { fileURLToPath } from 'node:url';
import { chosenGroup } from './groups.mjs';

const { name, mutate } = chosenGroup();
const scratch = '.dep-ctrl/mutation';

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  mutate: [...mutate],
  plugins: [fileURLToPath(new URL('spec-runner.mjs', import.meta.url))],
  testRunner: 'specs',
  coverageAnalysis: 'perTest',
  concurrency: 1,
  // Beyond what the specs took at first. Long, as a machine that is busy otherwise must not pass for a mutant without end.
  timeoutMS: 60_000,
  disableTypeChecks: false,
  reporters: ['json', 'progress-append-only'],
  jsonReporter: { fileName: `${scratch}/${name}.json` },
  tempDirName: `${scratch}/sandbox`,
  ignorePatterns: ['.dep-ctrl', '**/dist', '**/bundle', '**/out-tsc', 'packs', 'docs', 'deploy', 'tools/bench'],
};
