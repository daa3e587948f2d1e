// How benches measure and report. Absolute times are of one machine on one day; ratios within one run are what is compared.

import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';

/** One line of a report. `goal` is an upper or lower bound on the value; without one the line is for information. */
export interface Measured {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly goal?: { readonly atMost: number } | { readonly atLeast: number };
}

/**
 * The time of one call in microseconds: the fastest of many short rounds, each long enough for the clock. What else runs on the
 * machine can only add to it.
 */
export function microsecondsOf(run: () => unknown, { rounds = 60, roundMs = 8 } = {}): number {
  const callsPerRound = Math.max(1, Math.round(roundMs / timeOf(run, warmUp(run))));
  return Math.min(...Array.from({ length: rounds }, () => timeOf(run, callsPerRound))) * 1000;
}

/** The CPU milliseconds of one long call, garbage collection included: the least of several calls. Waiting for a busy machine is not in it. */
export function cpuMillisecondsOf(run: () => unknown, { calls = 30 } = {}): number {
  const times = Array.from({ length: calls }, () => {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}

/** Bytes of heap that a value holds, after collecting everything else. Needs --expose-gc. */
export function heapOf(make: () => unknown): { readonly bytes: number; readonly kept: unknown } {
  const before = heapUsed();
  const kept = make();
  return { bytes: heapUsed() - before, kept };
}

/** Prints a report, writes it to tools/bench/results, and sets the exit code when a goal is missed. */
export function report(name: string, lines: readonly Measured[]): void {
  for (const line of lines) print(line);
  keep(name, lines);
}

/** Prints one line: a bench that takes many minutes tells what it has. */
export function print(line: Measured): void {
  const verdict = line.goal === undefined ? '' : meets(line) ? `  ok, ${describeGoal(line)}` : `  MISSED: ${describeGoal(line)}`;
  process.stdout.write(`${line.what.padEnd(72)} ${format(line.value).padStart(10)} ${line.unit.padEnd(8)}${verdict}\n`);
}

/** Writes a report to tools/bench/results with the command that makes it again, and sets the exit code when a goal is missed. */
export function keep(name: string, lines: readonly Measured[], command = `npm run bench -- ${name}`): void {
  const folder = join(process.cwd(), 'tools/bench/results');
  mkdirSync(folder, { recursive: true });
  const machine = { node: process.version, cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length };
  const results = lines.map((line) => ({ ...line, value: Number(format(line.value)), ...(line.goal && { met: meets(line) }) }));
  const content = { command, at: new Date().toISOString(), ...machine, results };
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(content, null, 2)}\n`);
  if (lines.some((line) => !meets(line))) process.exitCode = 1;
}

function warmUp(run: () => unknown): number {
  const until = performance.now() + 100;
  let calls = 0;
  while (performance.now() < until) {
    run();
    calls++;
  }
  return Math.max(1, Math.floor(calls / 4));
}

/** Milliseconds of one call, over many. */
function timeOf(run: () => unknown, calls: number): number {
  const start = performance.now();
  for (let call = 0; call < calls; call++) run();
  return (performance.now() - start) / calls;
}

function heapUsed(): number {
  if (globalThis.gc === undefined) throw new Error('run benches with --expose-gc, as npm run bench does');
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

function meets({ value, goal }: Measured): boolean {
  if (goal === undefined) return true;
  return 'atMost' in goal ? value <= goal.atMost : value >= goal.atLeast;
}

function describeGoal({ goal, unit }: Measured): string {
  if (goal === undefined) return '';
  return 'atMost' in goal ? `at most ${String(goal.atMost)} ${unit}` : `at least ${String(goal.atLeast)} ${unit}`;
}

function format(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
