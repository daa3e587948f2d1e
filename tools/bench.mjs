// `npm run bench -- NAME...`: runs tools/src/bench/NAME.bench.ts, one after the other, each in a process of its own. A bench prints its
// ratios and writes them to tools/bench/results/NAME.json, which is committed on purpose.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { imageEnvironment } from './image-environment.mjs';

const folder = fileURLToPath(new URL('./src/bench/', import.meta.url));
const runTs = fileURLToPath(new URL('./run-ts.mjs', import.meta.url));
const known = readdirSync(folder).flatMap((file) => (file.endsWith('.bench.ts') ? [file.slice(0, -'.bench.ts'.length)] : []));

// Whatever follows the names is the benches' own.
const args = process.argv.slice(2);
const options = args.findIndex((arg) => arg.startsWith('-'));
const names = options === -1 ? args : args.slice(0, options);
const rest = options === -1 ? [] : args.slice(options);
const unknown = names.filter((name) => !known.includes(name));
if (names.length === 0 || unknown.length > 0) {
  const wrong = unknown.length > 0 ? `no bench is called ${unknown.join(', ')}` : 'name at least one bench';
  process.stderr.write(`bench: ${wrong}; there are: ${known.join(', ')}\n`);
  process.exit(2);
}

for (const name of names) {
  process.stdout.write(`\n== ${name}\n`);
  const { status } = spawnSync(process.execPath, ['--expose-gc', runTs, `${folder}${name}.bench.ts`, ...rest], {
    stdio: 'inherit',
    env: { ...process.env, ...imageEnvironment },
  });
  if (status !== 0) process.exitCode = 1;
}
