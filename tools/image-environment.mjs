// What the image sets for the allocator, for those that start dep-ctrl to measure or to try it: it runs as it is installed.
import { readFileSync } from 'node:fs';

const dockerfile = readFileSync(new URL('../deploy/image/Dockerfile', import.meta.url), 'utf8');

/** Variables and their values. */
export const imageEnvironment = Object.fromEntries(
  [...dockerfile.matchAll(/\b(MALLOC_\w+)=(\d+)/g)].map(([, name, value]) => [name, value]),
);
