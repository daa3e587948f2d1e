// Module hooks by which Node runs this workspace from its sources: `./x.js` means x.ts, TypeScript is compiled, the libs are imported from
// their sources, and @jest/globals are the globals of the running spec.
import { fileURLToPath } from 'node:url';
import { compiled } from './compiled.mjs';

const globals = new URL('globals.mjs', import.meta.url).href;
const TYPESCRIPT = /^file:.*\.ts(?:\?|$)/;

/** @type {import('node:module').ResolveHook} */
export function resolve(specifier, context, nextResolve) {
  if (specifier === '@jest/globals') return { url: globals, shortCircuit: true };
  const isNeighbour = TYPESCRIPT.test(context.parentURL ?? '') && /^\.{1,2}\/.*\.js$/.test(specifier);
  const conditions = ['@dep-ctrl/source', ...context.conditions];
  return nextResolve(isNeighbour ? specifier.replace(/js$/, 'ts') : specifier, { ...context, conditions });
}

/** @type {import('node:module').LoadHook} */
export async function load(url, context, nextLoad) {
  if (!TYPESCRIPT.test(url)) return nextLoad(url, context);
  return { format: 'module', source: await compiled(fileURLToPath(url)), shortCircuit: true };
}
