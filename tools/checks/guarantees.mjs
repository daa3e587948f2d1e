// docs/guarantees.md against the tests that it names and the records of their runs (docs/runs.jsonl). `--write` writes it, `--release` refuses stale
// records, too. The same as `npm run records -- check`.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const args = process.argv.slice(2);
const command = args.includes('--write') ? ['page'] : ['check', ...args];

const { status } = spawnSync(process.execPath, ['tools/run-ts.mjs', 'e2e/src/records/main.ts', ...command], {
  cwd: root,
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
