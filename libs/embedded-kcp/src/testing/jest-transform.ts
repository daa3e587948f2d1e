// A transform for Jest's CommonJS default, which cannot load modules that are ESM only (docs/adr/0029-esm-only-libs-in-jest.md). What it is told to
// transform is loaded by Node itself instead: `require` of an ES module works there since 20.19.
import { createHash } from 'node:crypto';

/**
 * Runs in place of the entry of a package. Jest's own `createRequire` leads back into Jest; Jest's class of modules extends Node's, whose
 * `createRequire` leads to Node.
 */
const STUB = `
const nodeModule = Object.getPrototypeOf(require('node:module'));
if (typeof nodeModule.createRequire !== 'function') {
  throw new Error('@dep-ctrl/embedded-kcp/jest does not know this version of Jest: run its ESM mode, see the README of @dep-ctrl/embedded-kcp');
}
module.exports = nodeModule.createRequire(__filename)(__filename);
`;

/** What Jest runs in place of a file. */
export function process(): { readonly code: string } {
  return { code: STUB };
}

/** Jest keeps what was transformed under this key. */
export function getCacheKey(_source: string, path: string): string {
  return createHash('sha256').update(`${STUB}\0${path}`).digest('hex');
}
