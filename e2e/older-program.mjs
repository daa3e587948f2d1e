// A release that was never made: the same sources, but with a smaller API and a configuration of another content, so that an upgrade from it has as much
// to do as one from a real release. A clone without history and tags can build it too.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleProgram } from '../tools/start.mjs';

/** The version that it says it is. */
const OLDER_VERSION = '0.0.1';

/** What the sources were before, each by file: the text of now and that of then. */
const FORMERLY = {
  // Without the field `whileTerminating` and the column of the condition `InForce`: another schema, to which bootstrap repoints the export.
  'libs/rule-registry/src/manifests/rule-kind.ts': [
    [/^ {4}whileTerminating: choiceOf\(.*\n/m, ''],
    ["optional: ['enforcement', 'whileTerminating']", "optional: ['enforcement']"],
    [/^ {4}\{\n {6}name: 'In force',\n(?:.*\n){3} {4}\},\n/m, ''],
  ],
  // Configurations that the controller has to write again.
  'apps/dep-ctrl/src/controller/configuration/desired-webhooks.ts': [
    ["failurePolicy: 'Fail', timeoutSeconds: 10", "failurePolicy: 'Fail', timeoutSeconds: 9"],
  ],
};

const formerSources = {
  name: 'former-sources',
  setup: ({ onLoad, onEnd }) => {
    const missing = new Set(Object.keys(FORMERLY));
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const file = [...missing].find((each) => path.endsWith(join('/', each)));
      if (file === undefined) return undefined;
      missing.delete(file);
      let contents = await readFile(path, 'utf8');
      for (const [now, then] of FORMERLY[file]) {
        const former = contents.replace(now, then);
        if (former === contents) throw new Error(`e2e/older-program.mjs: ${file} has no ${String(now)} any more`);
        contents = former;
      }
      return { contents, loader: 'ts' };
    });
    onEnd(() => {
      if (missing.size > 0) throw new Error(`e2e/older-program.mjs: not in the program: ${[...missing].join(', ')}`);
    });
  },
};

/** Bundles it; answers where it is. */
export async function bundleOlder(outfile) {
  await bundleProgram(outfile, { version: OLDER_VERSION, plugins: [formerSources] });
  return outfile;
}
