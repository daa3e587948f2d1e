import { runFuzz } from './fuzz.js';

try {
  await runFuzz(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`fuzz: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
