// One jest set-up for every project: specs are run from the sources by Node itself (docs/adr/0022-specs-share-a-process.md).
import { fileURLToPath } from 'node:url';

const file = (name) => fileURLToPath(new URL(`tools/specs/${name}`, import.meta.url));

export const shared = {
  testEnvironment: file('environment.mjs'),
  runtime: file('runtime.mjs'),
  transform: {},
  // For jest's own search of the specs that a source matters to.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  testMatch: ['<rootDir>/src/**/*.spec.ts', '<rootDir>/examples/**/*.spec.ts'],
  // Specs that try every case of many, each with a kcp or a process of its own: `npm run test:slow` runs them.
  testPathIgnorePatterns: ['/node_modules/', ...(process.env.SLOW_SPECS === undefined ? ['\\.slow\\.spec\\.ts$'] : [])],
};
