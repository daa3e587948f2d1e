// The program, bundled from sources that are changed on their way into the bundle; the files stay as they are. As a script it is told the changes on
// stdin: `node e2e/changed-program.mjs OUTFILE < changes.json`.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundleProgram } from '../tools/start.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** @typedef {{ file: string, now: string | RegExp, instead: string }} Change A text of a source (as text: there exactly once), and the text instead. */

/** Bundles it; answers where it is. @param {string} outfile @param {{ version?: string, changes: readonly Change[] }} how */
export async function bundleChanged(outfile, { version = ownVersion(), changes }) {
  await bundleProgram(outfile, { version, plugins: [changedSources(changes)] });
  return outfile;
}

/** @param {readonly Change[]} changes */
function changedSources(changes) {
  const files = [...new Set(changes.map(({ file }) => file))];
  return {
    name: 'changed-sources',
    setup: ({ onLoad, onEnd }) => {
      const missing = new Set(files);
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const file = files.find((each) => path === join(root, each));
        if (file === undefined) return undefined;
        missing.delete(file);
        let contents = await readFile(path, 'utf8');
        for (const change of changes.filter((each) => each.file === file)) contents = changed(contents, change);
        return { contents, loader: 'ts' };
      });
      onEnd(() => {
        if (missing.size > 0) throw new Error(`not in the program: ${[...missing].join(', ')}`);
      });
    },
  };
}

/** @param {string} contents @param {Change} change */
function changed(contents, { file, now, instead }) {
  const times = typeof now === 'string' ? contents.split(now).length - 1 : contents.search(now) === -1 ? 0 : 1;
  if (times !== 1) throw new Error(`${file} has this ${times} times, and not once: ${String(now)}`);
  return contents.replace(now, () => instead);
}

function ownVersion() {
  return JSON.parse(readFileSync(join(root, 'apps/dep-ctrl/package.json'), 'utf8')).version;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await bundleChanged(process.argv[2] ?? '', { changes: JSON.parse(await text(process.stdin)) });
}
