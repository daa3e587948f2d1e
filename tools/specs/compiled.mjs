// Keeps the JavaScript of each TypeScript source between runs, by the source's path and text: what changed is compiled again.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform, version } from 'esbuild';

const folder = fileURLToPath(new URL('../../node_modules/.cache/specs/', import.meta.url));
const options = /** @type {const} */ ({ loader: 'ts', format: 'esm', target: 'node20', sourcemap: 'external', sourcesContent: false });
mkdirSync(folder, { recursive: true });

/** The JavaScript of a TypeScript file. @param {string} file */
export async function compiled(file) {
  const source = readFileSync(file, 'utf8');
  const kept = keptAs(file, source);
  try {
    return readFileSync(`${kept}.js`, 'utf8');
  } catch {
    const { code, map } = await transform(source, { ...options, sourcefile: file });
    keep(`${kept}.map`, map);
    keep(`${kept}.js`, code);
    return code;
  }
}

/** Where the source map of a compiled file is. @param {string} file */
export function mapOf(file) {
  return `${keptAs(file, readFileSync(file, 'utf8'))}.map`;
}

/** @param {string} file @param {string} source */
function keptAs(file, source) {
  const key = [version, JSON.stringify(options), file, source].join('\0');
  return join(folder, createHash('sha256').update(key).digest('hex').slice(0, 32));
}

// Two workers may compile the same file at once: each renames a whole one.
function keep(file, text) {
  const next = `${file}.${process.pid}`;
  writeFileSync(next, text);
  renameSync(next, file);
}
