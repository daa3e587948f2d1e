// Which runs the page has to show: each test on each kcp on which it makes sense. Without this list a record that is lost would not be missed. Pure.
import { STANDS_FOR } from '../backends/embedded.js';
import { isAtLeast } from '../backends/programs.js';
import { isSuite, type KnownTest, type Suite } from './known-tests.js';
import type { Tried } from './run-record.js';

/** A kcp that is supported. */
export type Place = Pick<Tried, 'backend' | 'kcp'>;

const places = (...backends: readonly string[]): readonly Place[] => backends.map((backend) => ({ backend, kcp: STANDS_FOR }));

/** The kcps that README.md and SECURITY.md name. */
export const SUPPORTED: readonly Place[] = [
  ...places('embedded', 'embedded-2', 'kcp', 'kcp-2'),
  { backend: 'kcp', kcp: '0.31.6' },
  { backend: 'kcp', kcp: '0.30.3' },
];

const SUITES: Readonly<Record<Suite, readonly Place[]>> = {
  conformance: SUPPORTED,
  libraries: places('embedded', 'embedded-2', 'kcp'),
  model: places('embedded', 'kcp', 'kcp-2'),
  soak: places('kcp'),
  against: places('kcp'),
  sabotage: places('embedded', 'cluster'),
};

/** Where a test has to have run. */
export function placesFor(test: string, { needs = [], since }: Pick<KnownTest, 'needs' | 'since'>): readonly Place[] {
  if (isSuite(test)) return SUITES[test];
  if (needs.includes('cluster')) return places('cluster');
  return SUPPORTED.filter(({ backend, kcp }) => {
    const isTwo = backend.endsWith('-2');
    if (since !== undefined && !isAtLeast(kcp, since)) return false;
    return isTwo ? !needs.includes('one-shard') : !needs.includes('two-shards') && !needs.includes('cache');
  });
}
