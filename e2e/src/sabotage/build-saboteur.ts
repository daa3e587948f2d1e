import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { builtProgram } from '../scenarios/product.js';
import { CHART } from '../scenarios/world.js';
import { changed, type Change, type Saboteur } from './saboteur.js';

/** What a saboteur installs: a program and a chart, of which at least one is not as it should be. */
export interface Sabotaged {
  readonly program: string;
  readonly chart: string;
}

/** Builds the program and the chart with the changes of a saboteur; answers where they are. */
export async function buildSaboteur({ name, changes }: Saboteur, folder: string): Promise<Sabotaged> {
  mkdirSync(folder, { recursive: true });
  const [ofChart, ofProgram] = [changes.filter(isOfChart), changes.filter((change) => !isOfChart(change))];
  return {
    program: ofProgram.length === 0 ? builtProgram('DEP_CTRL_PROGRAM') : await changedProgram(name, ofProgram, folder),
    chart: ofChart.length === 0 ? CHART : changedChart(ofChart, join(folder, `${name}-chart`)),
  };
}

function isOfChart({ file }: Change): boolean {
  return file.startsWith(CHART);
}

async function changedProgram(name: string, changes: readonly Change[], folder: string): Promise<string> {
  const script = process.env['DEP_CTRL_CHANGED_PROGRAM'];
  if (script === undefined) throw new Error('DEP_CTRL_CHANGED_PROGRAM is not set: run e2e/run.mjs');
  const program = join(folder, `${name}.cjs`);
  const build = spawn(process.execPath, [script, program], { stdio: ['pipe', 'ignore', 'pipe'] });
  build.stdin.end(JSON.stringify(changes));
  const [said, [code]] = await Promise.all([text(build.stderr), once(build, 'close') as Promise<[number]>]);
  if (code !== 0) throw new Error(`saboteur ${name} cannot be built: ${said}`);
  return program;
}

function changedChart(changes: readonly Change[], folder: string): string {
  cpSync(CHART, folder, { recursive: true });
  for (const change of changes) {
    const copy = join(folder, change.file.slice(CHART.length));
    writeFileSync(copy, changed(readFileSync(copy, 'utf8'), change));
  }
  return folder;
}
