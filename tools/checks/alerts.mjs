// Alert rules by Prometheus' own tool, where PROMTOOL_BIN or the PATH has it: that they are rules, and when they fire. What they ask for is held to the
// metrics of the code by a spec, everywhere.
import { spawnSync } from 'node:child_process';

const program = process.env.PROMTOOL_BIN ?? 'promtool';
const found = spawnSync(program, ['--version'], { encoding: 'utf8' });
if (found.status !== 0) {
  process.stdout.write('NOT EXERCISED: alert rules by promtool: there is none in PROMTOOL_BIN or on PATH\n');
} else {
  for (const args of [
    ['check', 'rules', 'deploy/dashboards/alerts.yaml'],
    ['test', 'rules', 'deploy/dashboards/alerts.test.yaml'],
  ]) {
    if (spawnSync(program, args, { stdio: 'inherit' }).status !== 0) process.exitCode = 1;
  }
}
