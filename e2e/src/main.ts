import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parseBackends, startBackend } from './backends/catalogue.js';
import { hold, reachHeld } from './backends/held.js';
import type { BackendName } from './backends/backend.js';
import { ALL_CASES } from './conformance/all-cases.js';
import { runConformance } from './conformance/run-conformance.js';
import type { BackendResult } from './running/outcome.js';
import { details, isGood, summary, table } from './running/report.js';

const USAGE = `usage: node e2e/run.mjs conformance|hold [options]
  --backend NAMES   embedded, embedded-2, kcp, kcp-2 (default: all that this machine can run)
  --filter TEXT     only cases whose id or title contains it (several: separated by commas)
  --workers N       cases at a time (default 6)
  --failures FILE   also write the failures there, as Markdown
  --keep            leave work dirs and logs behind
  --held            use backends that "hold" keeps running in another terminal`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    backend: { type: 'string' },
    filter: { type: 'string' },
    workers: { type: 'string', default: '6' },
    failures: { type: 'string' },
    keep: { type: 'boolean', default: false },
    held: { type: 'boolean', default: false },
  },
});
const say = (text: string): void => void process.stdout.write(`${text}\n`);

// `D24` and `D24.1` are ids and match from their beginning; anything longer is looked for in titles.
function matches({ id, title }: { readonly id: string; readonly title: string }, text: string): boolean {
  return /^[a-z]\d*(\.\d+)?$/.test(text)
    ? `${id.toLowerCase()}.`.startsWith(text.includes('.') ? `${text}.` : text)
    : title.toLowerCase().includes(text);
}

async function conformance(backends: readonly BackendName[]): Promise<void> {
  const wanted = (values.filter ?? '').toLowerCase().split(',');
  const cases = ALL_CASES.filter((one) => wanted.some((text) => matches(one, text)));
  const results: BackendResult[] = [];
  for (const name of backends) {
    results.push(
      await runConformance(cases, {
        name,
        start: () => (values.held ? reachHeld(name) : startBackend(name, process.env)),
        workers: Number(values.workers),
        keep: values.keep,
        say,
      }),
    );
  }
  say(`\n${table(cases, results)}\n\n${details(cases, results)}\n\n${summary(results)}`);
  if (values.failures !== undefined) writeFileSync(values.failures, `${details(cases, results)}\n\n${summary(results)}\n`);
  process.exitCode = isGood(results) ? 0 : 1;
}

try {
  const backends = parseBackends(values.backend);
  if (positionals[0] === 'conformance') await conformance(backends);
  else if (positionals[0] === 'hold') await hold(backends, (name) => startBackend(name, process.env), say);
  else {
    process.stderr.write(`${USAGE}\n`);
    process.exitCode = 2;
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
