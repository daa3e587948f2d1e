import { describe, expect, it } from '@jest/globals';
import type { Backend } from '../backends/backend.js';
import type { Case } from './case.js';
import type { BackendResult } from './outcome.js';
import { runOnBackend } from './run-on-backend.js';

describe(runOnBackend, () => {
  it('tells of each case as it ends, not when all have ended', async () => {
    const told: BackendResult[] = [];
    const whenSecondRuns: number[] = [];
    const cases: readonly Case<undefined>[] = [
      { id: 'A1', title: 'the first', run: () => Promise.resolve() },
      { id: 'A2', title: 'the second', run: () => Promise.resolve(void whenSecondRuns.push(told.length)) },
      { id: 'A3', title: 'not here', since: '9.0.0', run: () => Promise.reject(new Error('runs')) },
    ];

    await runOnBackend(cases, {
      name: 'embedded',
      start: () => Promise.resolve(backend),
      open: () => Promise.resolve({ context: undefined, close: () => Promise.resolve() }),
      workers: 1,
      keep: false,
      ended: (result) => void told.push(result),
      say: () => undefined,
    });

    const outcomes = told.flatMap(({ outcomes }) => [...outcomes].map(([id, { state }]) => `${id} ${state}`));
    expect(outcomes.toSorted()).toEqual(['A1 passed', 'A2 passed', 'A3 skipped']);
    expect(whenSecondRuns[0]).toBeGreaterThan(0);
    expect(told).toEqual(told.map((each) => ({ ...each, backend: 'embedded', version: '0.32.3' })));
  });
});

const root = {
  ...{ name: 'root', url: 'https://127.0.0.1:1', adminKubeconfig: 'admin' },
  stop: () => Promise.resolve(),
  start: () => Promise.resolve(),
};

/** One that nobody talks to. */
const backend: Backend = {
  name: 'embedded',
  version: '0.32.3',
  shards: [root],
  proxyUrl: undefined,
  adminKubeconfig: 'admin',
  ca: '',
  clients: undefined,
  restartable: false,
  cache: undefined,
  forgetHistory: undefined,
  clientCertificate: () => Promise.reject(new Error('nobody asks')),
  token: () => '',
  stop: () => Promise.resolve(),
  workDir: 'nowhere',
};
