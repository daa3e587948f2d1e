// `npm run chart`: what Helm makes of deploy/chart in each set of values is what is kept in its tests (--write keeps it), and what is kept is valid,
// restricted, and fits together. Needs no Helm for the latter, and says so where there is none.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { valueProblems, WRONG_VALUES } from './chart-values.js';
import { findHelm, type Helm } from './helm.js';
import { keptObjects, keptText, objectsIn, valueSets, type ValueSet } from './kept-renderings.js';
import { schemaProblems } from './kubernetes-schemas.js';
import { misfitsIn } from './misfits.js';
import { upgradeProblems } from './upgrades.js';

const DASHBOARD = 'deploy/dashboards/dep-ctrl.json';

async function main(args: readonly string[]): Promise<number> {
  if (args.some((arg) => arg !== '--write')) {
    process.stderr.write(`chart: unknown argument ${args.join(' ')}: expected nothing or --write\n`);
    return 2;
  }
  const sets = valueSets();
  const helm = findHelm(process.env);
  if (helm === undefined)
    process.stdout.write('NOT EXERCISED: Helm: there is none in HELM_BIN or on PATH; what it rendered before is checked\n');
  const problems = [
    ...valueProblems(sets),
    ...(helm === undefined
      ? []
      : [
          ...refusalProblems(helm),
          ...(await upgradeProblems(helm)),
          ...sets.flatMap((set) => renderingProblems(helm, set, args.includes('--write'))),
        ]),
    ...sets.flatMap(keptProblems),
  ];
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length > 0) return 1;
  const how = helm === undefined ? '' : `, as Helm ${helm.version} renders them`;
  process.stdout.write(`${String(sets.length)} sets of values are valid and fit together${how}\n`);
  return 0;
}

/** Helm refuses wrong values, and says which. */
function refusalProblems(helm: Helm): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'dep-ctrl-chart-'));
  const file = join(folder, 'wrong.yaml');
  try {
    return [[{}, 'kubeconfig.secretName'] as const, ...WRONG_VALUES].flatMap(([values, named]) => {
      writeFileSync(file, JSON.stringify(values));
      const { ok, text } = helm.render(file);
      return !ok && text.includes(named) ? [] : [`Helm takes ${JSON.stringify(values)}, or refuses it without naming ${named}`];
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function renderingProblems(helm: Helm, set: ValueSet, isToBeKept: boolean): readonly string[] {
  const lint = helm.lint(set.valueFile);
  const rendered = helm.render(set.valueFile);
  const refused = [lint, rendered].filter(({ ok }) => !ok).map(({ text }) => `${set.valueFile}: ${text}`);
  if (!rendered.ok) return refused;
  const kept = keptText(rendered.text, set);
  if (isToBeKept) writeFileSync(set.keptFile, kept);
  const isSame = existsSync(set.keptFile) && readFileSync(set.keptFile, 'utf8') === kept;
  return [
    ...refused,
    ...(isSame ? [] : [`${set.keptFile} is not what Helm renders: npm run chart -- --write`]),
    ...dashboardProblems(set, rendered.text),
  ];
}

/** The dashboard is not kept a second time, so it is looked at here. */
function dashboardProblems({ valueFile }: ValueSet, rendered: string): readonly string[] {
  const dashboard = readFileSync(DASHBOARD, 'utf8').trim();
  const maps = objectsIn(rendered).filter(({ kind }) => kind === 'ConfigMap');
  return maps
    .filter(({ data }) => data?.['dep-ctrl.json']?.trim() !== dashboard)
    .map(() => `${valueFile}: the ConfigMap does not hold ${DASHBOARD}`);
}

function keptProblems(set: ValueSet): readonly string[] {
  const objects = keptObjects(set);
  if (objects === undefined) return [`${set.keptFile} is of another state of the chart: HELM_BIN=... npm run chart -- --write`];
  return [...objects.flatMap(schemaProblems), ...misfitsIn(objects)].map((problem) => `${set.keptFile}: ${problem}`);
}

process.exitCode = await main(process.argv.slice(2));
