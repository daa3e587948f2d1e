import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path/posix';

/** These files, and those of the same repository that they import, directly or not. Paths are relative to its root. */
export function importClosure(root: string, files: readonly string[]): readonly string[] {
  const found = new Set<string>();
  const waiting = [...files];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    waiting.push(...importsOf(root, file));
  }
  return [...found].sort();
}

function importsOf(root: string, file: string): readonly string[] {
  const source = readFileSync(join(root, file), 'utf8');
  const relative = [...source.matchAll(/\b(?:from|import) '(\.{1,2}\/[^']+)\.js'/g)].map(([, path = '']) => join(file, '..', `${path}.ts`));
  return relative.filter((path) => existsSync(join(root, path)));
}
