// `npm run release -- --dry-run`: everything that a release is made of, in dist/release. Without --dry-run the versions and CHANGELOG.md are
// written too; a person commits, tags, signs and publishes.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { planRelease } from './plan-release.js';
import { provenanceOf } from './provenance.js';
import { CHECKSUMS, PROVENANCE, artefactsOf, checksumLines, problemsOf, sha256Of, subjectsIn } from './release-folder.js';

const OUT = 'dist/release';
const BUILT = 'apps/dep-ctrl/dist';

async function main(args: readonly string[]): Promise<number> {
  const unknown = args.filter((arg) => arg !== '--dry-run');
  if (unknown.length > 0) {
    process.stderr.write(`release: unknown argument ${unknown.join(' ')}: expected nothing or --dry-run\n`);
    return 2;
  }
  const isDry = args.includes('--dry-run');
  const startedOn = new Date().toISOString();
  const isDirty = output('git', 'status', '--porcelain') !== '';
  if (isDirty && !isDry) {
    process.stderr.write('release: files differ from the last commit: commit or remove them first, or give --dry-run\n');
    return 1;
  }
  if (originOf() === undefined && !isDry) {
    process.stderr.write(
      'release: package.json names no "repository": packages say where they come from, and npm holds their provenance to it\n',
    );
    return 1;
  }
  const isShown = answers('node', 'tools/checks/guarantees.mjs', '--release');
  if (!isShown && !isDry) {
    process.stderr.write('release: docs/guarantees.md shows runs that are stale or failed: npm run records -- stale\n');
    return 1;
  }
  if (!isShown) say('a release would be refused now: docs/guarantees.md shows runs that are stale or failed (npm run records -- stale)');
  const commit = output('git', 'rev-parse', 'HEAD');
  const plan = await planRelease({ isDry, isFirst: output('git', 'tag', '--list', 'v*') === '' });
  const version = plan.current;
  if (!isDry) writeChartVersion(version);
  say(`version: ${plan.next}${plan.next === version ? '' : `; this dry run builds what is there, which says ${version}`}`);

  rmSync(OUT, { recursive: true, force: true });
  mkdirSync(OUT, { recursive: true });
  writeFileSync(join(OUT, 'CHANGELOG.md'), `${plan.changelog.trim()}\n`);
  const libs = makePackages();
  const platform = makeExecutable(version);
  makeSboms(version, platform);
  const without = [...makeChart(version), ...makeImage(version)];
  writeFileSync(
    join(OUT, PROVENANCE),
    `${JSON.stringify(
      provenanceOf(subjectsIn(OUT), {
        repository: originOf() ?? 'file:.',
        commit,
        isDirty,
        node: process.versions.node,
        npm: output('npm', '--version'),
        platform,
        command: ['npm', 'run', 'release', ...args],
        startedOn,
        finishedOn: new Date().toISOString(),
      }),
      undefined,
      2,
    )}\n`,
  );
  const provenance = { name: PROVENANCE, sha256: sha256Of(join(OUT, PROVENANCE)) };
  writeFileSync(join(OUT, CHECKSUMS), checksumLines([...subjectsIn(OUT), provenance]));

  const problems = [...problemsOf(OUT, artefactsOf(version, { libs, platform }), without), ...runProblems(version, platform)];
  for (const problem of problems) process.stderr.write(`release: ${problem}\n`);
  if (problems.length > 0) return 1;
  for (const lack of without) say(`not made, as this machine lacks ${lack}: the ${lack === 'helm' ? 'chart' : 'image'}`);
  say(`${String(subjectsIn(OUT).length)} artefacts, ${CHECKSUMS} and ${PROVENANCE} in ${OUT}`);
  if (isDry) return 0;
  if (without.length > 0) {
    process.stderr.write(`release: not complete: this machine lacks ${without.join(' and ')}\n`);
    return 1;
  }
  say(`next: commit, git tag v${version}, sign ${OUT}/${CHECKSUMS}, publish`);
  return 0;
}

/** nx knows manifests of npm only. */
function writeChartVersion(version: string): void {
  const file = 'deploy/chart/Chart.yaml';
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/^(version|appVersion): .*$/gm, `$1: ${version}`));
}

/** Packs the libs and the program; answers the names of the libs. */
function makePackages(): readonly string[] {
  run('npx', '--no-install', 'tsc', '--build', '--noCheck', 'tsconfig.libs.json');
  run('node', 'tools/start.mjs', '--bundle-only');
  const packed = JSON.parse(output('node', 'tools/pack.mjs', '--release', OUT)) as readonly string[];
  return packed.filter((name) => name !== 'dep-ctrl');
}

/** For the platform of this machine: its Node goes into the file. */
function makeExecutable(version: string): string {
  const platform = `${process.platform}-${process.arch}`;
  run('node', 'tools/executable.mjs');
  copyFileSync(join(BUILT, 'dep-ctrl'), join(OUT, `dep-ctrl-${version}-${platform}`));
  return platform;
}

function makeSboms(version: string, platform: string): void {
  run('node', 'tools/sbom.mjs');
  copyFileSync(join(BUILT, 'dep-ctrl.cdx.json'), join(OUT, `dep-ctrl-${version}-${platform}.cdx.json`));
  copyFileSync(join(BUILT, 'dep-ctrl.cjs.cdx.json'), join(OUT, `dep-ctrl-${version}.cjs.cdx.json`));
}

/** Answers what this machine lacks for it. */
function makeChart(version: string): readonly 'helm'[] {
  const helm = process.env['HELM_BIN'] ?? 'helm';
  if (!answers(helm, 'version', '--short')) return ['helm'];
  // Helm calls it as npm calls the package of the program.
  const apart = join(BUILT, 'chart');
  run(helm, 'package', 'deploy/chart', '--version', version, '--app-version', version, '--destination', apart);
  renameSync(join(apart, `dep-ctrl-${version}.tgz`), join(OUT, `dep-ctrl-chart-${version}.tgz`));
  return [];
}

/** Answers what this machine lacks for it. */
function makeImage(version: string): readonly 'a container engine'[] {
  if (!answers('docker', 'info')) return ['a container engine'];
  const base = process.env['BASE'];
  const arg = base === undefined ? [] : ['--build-arg', `BASE=${base}`];
  run('docker', 'build', '-q', '-f', 'deploy/image/Dockerfile', ...arg, '-t', `dep-ctrl:${version}`, BUILT);
  run('docker', 'save', `dep-ctrl:${version}`, '--output', join(OUT, `dep-ctrl-image-${version}.tar`));
  return [];
}

/** Whether what can be run is what it is called; the executable alone, without Node and without this repository. */
function runProblems(version: string, platform: string): readonly string[] {
  const file = join(process.cwd(), OUT, `dep-ctrl-${version}-${platform}`);
  const printed = execFileSync(file, ['--version'], { cwd: '/', env: {}, encoding: 'utf8' }).trim();
  const packed = output('npm', 'exec', '--offline', '--yes', `--package=./${OUT}/dep-ctrl-${version}.tgz`, '--', 'dep-ctrl', '--version');
  return [
    ...(printed === version ? [] : [`the executable says that it is ${printed}`]),
    ...(packed === version ? [] : [`the package of the program says that it is ${packed}`]),
  ];
}

function originOf(): string | undefined {
  const { repository } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly repository?: { readonly url?: string } };
  return repository?.url;
}

function answers(program: string, ...args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function output(program: string, ...args: readonly string[]): string {
  return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 2 ** 26 }).trim();
}

function run(program: string, ...args: readonly string[]): void {
  execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

process.exitCode = await main(process.argv.slice(2));
