// `dep-ctrl lint`: checks rules and guards in files as kcp would. Reads only; no server unless one is named.
import { systemClock, type Clock } from '@dep-ctrl/kcp-client';
import { printGroupResource, type WorkspacePath } from '@dep-ctrl/kcp-names';
import {
  RuleQuota,
  reportRule,
  ruleInForce,
  ruleKeyOf,
  type QuotaExcess,
  type Rule,
  type RuleKey,
  type RuleReport,
} from '@dep-ctrl/rule-registry';
import { bindCommand } from '../command-line/bind-command.js';
import { UsageError, type World } from '@dep-ctrl/command-settings';
import { connectAnswering, type ConnectionSettings } from '../command-line/connect.js';
import { withRole } from '../command-line/missing-role.js';
import type { NamedWorkspace } from '@dep-ctrl/kcp-objects';
import { readManifest, type ManifestObject } from '../manifest-files/manifest-object.js';
import { UNPLACED, placeRules, readFileRule, type FileRule, type PlacedRules } from '../manifest-files/placed-rules.js';
import { SchemaFiles, describesTypes } from '../manifest-files/schema-files.js';
import { readSources, type SourceText } from '../manifest-files/source-text.js';
import { printNear } from '@dep-ctrl/exported-types';
import { compareText } from '@dep-ctrl/kcp-names';
import {
  admittedBy,
  findingIn,
  guardFindings,
  misnamedFinding,
  ruleFindings,
  sortObjects,
  unknownAuthor,
  unreadableFinding,
  type RuleContext,
} from './check-objects.js';
import { cyclesAmong } from './closing-dependencies.js';
import { fileFacts } from './file-facts.js';
import { countOf, type Finding, type LintReport } from './finding.js';
import { readLiveWorkspace, type LiveWorkspace } from './live-workspace.js';
import { printFindings, summaryOf } from './print-findings.js';
import { factsAbout, type FactSource } from './rule-facts.js';
import { sarifLog } from './sarif.js';

/** The settings of `lint`. */
export interface LintSettings extends ConnectionSettings {
  readonly files: readonly string[];
  readonly schemas: readonly string[];
  /** The workspace that the rules are for. */
  readonly workspace: WorkspacePath | undefined;
  readonly strict: boolean;
  readonly output: 'json' | 'sarif' | undefined;
}

/** Prints every finding; fails where there is one that counts. */
export async function runLint(
  settings: LintSettings,
  world: World,
  { clock }: { readonly clock: Clock } = { clock: systemClock },
): Promise<void> {
  const report = await lint(settings, world, clock);
  switch (settings.output) {
    case 'json':
      world.stdout.write(`${JSON.stringify(withCounts(report), undefined, 2)}\n`);
      break;
    case 'sarif':
      world.stdout.write(`${JSON.stringify(sarifLog(report), undefined, 2)}\n`);
      break;
    default:
      world.stdout.write(printFindings(report));
  }
  const isBad = countOf(report, 'error') > 0 || (settings.strict && report.findings.length > 0);
  if (isBad) throw new Error(summaryOf(report));
}

function withCounts(report: LintReport): object {
  const { findings, passedOver, ...counts } = report;
  return { ...counts, problems: countOf(report, 'error'), warnings: countOf(report, 'warning'), findings, passedOver };
}

async function lint(settings: LintSettings, world: World, clock: Clock): Promise<LintReport> {
  const sources = await readSources(settings.files, 'FILE', world);
  const manifests = sources.map(readManifest);
  const given = (await readSources(settings.schemas, '--schemas', {})).map(readManifest);
  const objects = manifests.flatMap((manifest) => manifest.objects);
  const { rules, guards, misnamed, passedOver } = sortObjects(objects);
  const fileRules = rules.map((manifest) => readFileRule(manifest, UNPLACED));
  const schemas = new SchemaFiles([...given.flatMap((manifest) => manifest.objects), ...objects].filter(describesTypes));
  const named = [...fileRules.flatMap(targetsOf), ...guards.flatMap((guard) => admittedBy(guard).map(([path]) => path))];
  const check = async (live: LiveWorkspace | undefined) => [
    ...(await checkRules(fileRules, { settings, schemas, live })),
    ...(await checkAuthors(guards, live)),
  ];
  const findings = [
    ...[...manifests, ...given].flatMap(({ unreadable }) => unreadable.map(unreadableFinding)),
    ...misnamed.map(misnamedFinding),
    ...guards.flatMap(guardFindings),
    ...(await withLive(settings, world, { named, clock }, check)),
  ];
  const isEmpty = rules.length + guards.length + findings.length === 0;
  return {
    files: sources.length,
    rules: rules.length,
    guards: guards.length,
    findings: isEmpty ? sources.slice(0, 1).map(nothingToCheck) : findings.toSorted(byPlace),
    passedOver,
  };
}

/** A server is asked only where one is named: KUBECONFIG is set on many machines that only want their files checked. */
async function withLive<T>(
  settings: LintSettings,
  world: World,
  { named, clock }: { readonly named: readonly WorkspacePath[]; readonly clock: Clock },
  work: (live: LiveWorkspace | undefined) => Promise<T>,
): Promise<T> {
  if (settings.kubeconfig === undefined && settings.context === undefined) {
    if (settings.workspace !== undefined)
      world.stderr.write('note: no kcp was asked: --workspace needs --kubeconfig or --context for that\n');
    return work(undefined);
  }
  const connection = await connectAnswering(settings, world);
  try {
    const path = settings.workspace ?? connection.workspace;
    if (path === undefined) {
      throw new UsageError('--workspace is missing: the kubeconfig names no workspace, give the one that the rules are for');
    }
    const home = { path, by: settings.workspace === undefined ? 'of the kubeconfig' : '--workspace' };
    const live = await readLiveWorkspace(connection, home, named, { signal: world.signal, clock }).catch((error: unknown) => {
      throw withRole(error, { path, clusterRole: 'cluster-admin' }, connection.baseUrl);
    });
    return await work(live);
  } finally {
    await connection.close();
  }
}

function targetsOf({ report }: FileRule): readonly WorkspacePath[] {
  return ruleInForce(report)?.dependencies.map(({ export: target }) => target.path) ?? [];
}

async function checkAuthors(guards: readonly ManifestObject[], live: LiveWorkspace | undefined): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const guard of guards) {
    for (const [path, place] of admittedBy(guard)) {
      if ((await live?.facts.isBound(path)) === false) findings.push(unknownAuthor(guard, path, place));
    }
  }
  return findings;
}

interface Known {
  readonly settings: LintSettings;
  readonly schemas: SchemaFiles;
  readonly live: LiveWorkspace | undefined;
}

async function checkRules(rules: readonly FileRule[], { settings, schemas, live }: Known): Promise<readonly Finding[]> {
  const closes = cyclesOf(rules, settings, live);
  const sources: readonly FactSource[] = [fileFacts(schemas), ...(live === undefined ? [] : [live.facts])];
  // Files without a workspace may be of several.
  const isOneWorkspace = live !== undefined || settings.workspace !== undefined;
  const excessOf = isOneWorkspace ? excessOfFiles(live) : () => undefined;
  const findings = live?.isBound === false ? rules.slice(0, 1).map(({ manifest }) => notBound(manifest, live.named)) : [];
  for (const fileRule of rules) {
    const rule = ruleInForce(fileRule.report);
    const context: RuleContext = {
      excess: excessOf(fileRule),
      facts: rule === undefined ? undefined : await factsAbout(rule, sources),
      closesCycle: (index) => closes(fileRule.manifest, index),
      ...(settings.schemas.length > 0 && { withoutSchema: ({ dependent }) => withoutSchema(dependent, schemas) }),
    };
    findings.push(...ruleFindings(fileRule, context));
  }
  return findings;
}

/** Takes one rule of the files after the other, as kcp would: one that is too much is not stored. */
function excessOfFiles(live: LiveWorkspace | undefined): (fileRule: FileRule) => QuotaExcess | undefined {
  const quota = new RuleQuota();
  const stored = new Set<RuleKey>();
  const take = (report: RuleReport): void => {
    stored.add(report.key);
    quota.take(UNPLACED, report.key, report);
  };
  for (const object of live?.rules ?? []) {
    const report = reportRule(UNPLACED, object);
    take({ ...report, cluster: UNPLACED, key: ruleKeyOf(UNPLACED, report.name) });
  }
  quota.weigh(UNPLACED);
  return ({ report }) => {
    const excess = quota.excessOf(report, { isNew: !stored.has(report.key) });
    if (excess !== undefined) return excess;
    take(report);
    quota.weigh(UNPLACED);
    return undefined;
  };
}

/** Which dependencies of which rules of files close a circle, with the rules that are stored already. */
function cyclesOf(
  rules: readonly FileRule[],
  { workspace }: LintSettings,
  live: LiveWorkspace | undefined,
): (manifest: ManifestObject, index: number) => boolean {
  const placed = live === undefined ? placeRules(rules, workspace) : placedIn(rules, live);
  const named = new Set(rules.map(({ manifest }) => manifest.name));
  const others = live === undefined ? [] : storedRules(live, named);
  const { closes } = cyclesAmong([...placed.rules.map(({ rule }) => rule), ...others], placed.paths);
  const ruleOf = new Map(placed.rules.map(({ manifest, rule }) => [manifest, rule]));
  return (manifest, index) => {
    const rule = ruleOf.get(manifest);
    return rule !== undefined && closes(rule, index);
  };
}

/** The rules that are in force there and around it, but for those that the files are to take the place of. */
function storedRules({ cluster, rules = [], rulesAround }: LiveWorkspace, replaced: ReadonlySet<string>): readonly Rule[] {
  const stays = rules.filter(({ metadata: { name = '' } }) => !replaced.has(name)).map((object) => ({ cluster, object }));
  return [...stays, ...rulesAround].flatMap(({ cluster: of, object }) => ruleInForce(reportRule(of, object)) ?? []);
}

function placedIn(rules: readonly FileRule[], { cluster, paths }: LiveWorkspace): Pick<PlacedRules, 'rules' | 'paths'> {
  const inPlace = rules.flatMap(({ manifest, report }) => {
    const rule = ruleInForce(report);
    return rule === undefined ? [] : [{ manifest, rule: { ...rule, cluster, key: ruleKeyOf(cluster, rule.name) } }];
  });
  return { rules: inPlace, paths };
}

function withoutSchema(dependent: Rule['dependent'], { types }: SchemaFiles): string {
  const name = printGroupResource(dependent);
  return `its fields were not checked, as there is no schema of ${name} among the files: they have ${printNear(types, name)}`;
}

function notBound(manifest: ManifestObject, { path }: NamedWorkspace): Finding {
  const message = `workspace "${path}" does not bind dep-ctrl, so kcp knows no rules there: its owner runs ${bindCommand(path, undefined)}`;
  return findingIn(manifest, 'warning', { reason: 'WorkspaceNotBound', path: '.kind', message });
}

/** A folder that was named by mistake must not look checked. */
function nothingToCheck({ file }: SourceText): Finding {
  const message = 'there is no DependencyRule and no DependencyGuard in what was given';
  return { file, line: 1, column: 1, endLine: 1, endColumn: 1, level: 'warning', reason: 'NothingToCheck', path: '', message };
}

function byPlace(a: Finding, b: Finding): number {
  return compareText(a.file, b.file) || a.line - b.line || a.column - b.column;
}
