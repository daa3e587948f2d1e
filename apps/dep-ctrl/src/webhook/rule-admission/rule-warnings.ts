// Warnings about a rule that is admitted: one line each, with what to do. Pure. A warning tells about other workspaces only what kcp would tell: a workspace
// that does not bind dep-ctrl, one that does not exist and one that may not be read give the same text.
import { columnPath, type FieldPath } from '@dep-ctrl/fieldpath';
import { elements, printGroupResource, record, type KubeObject } from '@dep-ctrl/kcp-names';
import type { Rule, RuleDependency } from '@dep-ctrl/rule-registry';
import { cellsOf, readBoundSchema, verifySchema, versionToRead, type WrongReason } from '@dep-ctrl/exported-types';
import { schemaIn, type RuleReadings } from './rule-readings.js';

// kcp hands on 4 096 characters of warnings, and cuts each to 256 where there are more.
const MOST_WARNINGS = 10;
const LONGEST_WARNING = 380;
// For each wrong path a similar field is searched in the schema: 5 ms if it has 20 000 fields.
const MOST_WRONG_PATHS = 5;

/** Something doubtful in a rule that is admitted all the same, and where. */
export interface RuleDoubt {
  readonly kind: 'TypeCycle' | 'TargetNotBound' | 'NoPrinterColumn' | WrongReason;
  /** Where in the object: `.spec.dependencies[0].fieldRef.path`. */
  readonly path: string;
  /** A phrase that reads on from the path. */
  readonly message: string;
}

/** The warnings, the most important first, and no more than kcp passes on uncut. */
export function warningsOf(rule: Rule, readings: RuleReadings): readonly string[] {
  const doubts = doubtsOf(rule, readings, { mostWrongPaths: MOST_WRONG_PATHS });
  const warnings = [...unchecked(readings), ...doubts.map(({ path, message }) => `${path}: ${message}`)].map(oneLine);
  if (warnings.length <= MOST_WARNINGS) return warnings;
  const told = warnings.slice(0, MOST_WARNINGS - 1);
  return [...told, `and ${warnings.length - told.length} more of this kind`];
}

/** Otherwise the silence would read as praise. */
function unchecked({ cutShort }: RuleReadings): readonly string[] {
  return cutShort === undefined ? [] : [`not everything in this rule was checked: ${cutShort}`];
}

/** All doubts about a rule, the most important first. `mostWrongPaths`: the search ends after so many wrong paths. */
export function doubtsOf(
  rule: Rule,
  readings: RuleReadings,
  { mostWrongPaths }: { readonly mostWrongPaths: number },
): readonly RuleDoubt[] {
  return [
    ...cycles(rule, readings),
    ...unboundTargets(rule, readings),
    ...wrongTargets(rule, readings),
    ...dependentDoubts(rule, readings, mostWrongPaths),
  ];
}

/** Of several references to one type only the first is named. */
function cycles(rule: Rule, { targets }: RuleReadings): readonly RuleDoubt[] {
  const closing = rule.dependencies.filter(({ index }) => targets.get(index)?.closesCycle === true);
  const byType = new Map(closing.toReversed().map((dependency) => [typeOf(dependency), dependency]));
  return [...byType.values()]
    .toSorted((a, b) => a.index - b.index)
    .map((dependency) => {
      const what = `${printGroupResource(rule.dependent)} and ${printGroupResource(dependency)}`;
      const message = `${what} refer to each other in a circle, directly or through other types: objects that do so refuse each other's deletion; give one of the rules enforcement Warn`;
      return { kind: 'TypeCycle', path: placeOf(dependency), message };
    });
}

function unboundTargets({ dependencies }: Rule, { targets }: RuleReadings): readonly RuleDoubt[] {
  const unbound = dependencies.filter(({ index }) => targets.get(index)?.isBound === false);
  const byPath = new Map(unbound.toReversed().map((dependency) => [dependency.export.path, dependency]));
  return [...byPath.values()]
    .toSorted((a, b) => a.index - b.index)
    .map((dependency) => {
      const { path } = dependency.export;
      const message = `no workspace at ${path} binds dep-ctrl, so nothing is guarded there: correct the path, or have its owner bind dep-ctrl`;
      return { kind: 'TargetNotBound', path: `${placeOf(dependency)}.apiExportRef.path`, message };
    });
}

/** Of several references to one type only the first is named. */
function wrongTargets({ dependencies }: Rule, { targets }: RuleReadings): readonly RuleDoubt[] {
  const doubts = dependencies.flatMap((dependency): readonly RuleDoubt[] => {
    const wrong = targets.get(dependency.index)?.wrong;
    return wrong === undefined ? [] : [{ kind: wrong.reason, path: placeOf(dependency), message: wrong.message }];
  });
  return doubts.filter(({ message }, at) => doubts.findIndex((other) => other.message === message) === at);
}

/** What the dependent's own schema says about how the rule names it, or else about its paths. */
function dependentDoubts(rule: Rule, readings: RuleReadings, mostWrongPaths: number): readonly RuleDoubt[] {
  const { dependent } = readings;
  if (dependent?.state === 'not-exported') return [{ kind: dependent.reason, path: '.spec.dependent', message: dependent.message }];
  const schema = schemaIn(readings);
  if (schema === undefined) return [];
  const own = { ...rule.dependent, isOwn: true };
  const type = verifySchema(schema, own, []);
  if (type.state === 'wrong') return [{ kind: type.reason, path: '.spec.dependent', message: type.message }];
  const wrong: RuleDoubt[] = [];
  const right: PlacedPath[] = [];
  for (const placed of pathsOf(rule)) {
    const found = verifySchema(schema, own, [placed.path]);
    if (found.state === 'wrong') wrong.push({ kind: found.reason, path: placed.place, message: found.message });
    else right.push(placed);
    if (wrong.length === mostWrongPaths) return wrong;
  }
  return [...wrong, ...columns(rule, schema, right)];
}

/** Where no column shows a path, the webhook reads whole objects. No column can show one that fans out. */
function columns(rule: Rule, schema: KubeObject, paths: readonly PlacedPath[]): readonly RuleDoubt[] {
  const bound = readBoundSchema(withoutFields(schema));
  const version = bound && versionToRead(bound, rule.dependent.version, []);
  if (version === undefined) return [];
  return paths.flatMap(({ place, path }): readonly RuleDoubt[] => {
    const jsonPath = columnPath(path);
    if (jsonPath === undefined || cellsOf(version, [path]) !== undefined) return [];
    return [{ kind: 'NoPrinterColumn', path: place, message: noColumn(rule, version.name, { path, jsonPath }) }];
  });
}

/** The schema without its fields: they are most of it, and columns do not need them. */
function withoutFields({ spec, ...rest }: KubeObject): KubeObject {
  const { versions, ...others } = record(spec) ?? {};
  return { ...rest, spec: { ...others, versions: elements(versions).map((version) => ({ ...record(version), schema: undefined })) } };
}

function noColumn(
  { dependent }: Rule,
  version: string,
  { path, jsonPath }: { readonly path: FieldPath; readonly jsonPath: string },
): string {
  const name = path.steps.slice(-2).map(String).join('-');
  const column = `{name: ${JSON.stringify(name)}, type: string, jsonPath: ${JSON.stringify(jsonPath)}}`;
  return `without a printer column every delete reads whole ${dependent.resource}: add to additionalPrinterColumns of ${version} in their next schema, without a description: ${column}`;
}

interface PlacedPath {
  readonly place: string;
  readonly path: FieldPath;
}

/** The paths of a rule, each once, with the first place where it stands. */
function pathsOf({ dependencies }: Rule): readonly PlacedPath[] {
  const paths = new Map<string, PlacedPath>();
  for (const dependency of dependencies) {
    const { fieldPath, namespacePath } = dependency;
    const place = `${placeOf(dependency)}.fieldRef`;
    const own = [{ place: `${place}.path`, path: fieldPath }];
    if (namespacePath !== undefined) own.push({ place: `${place}.namespacePath`, path: namespacePath });
    for (const each of own) if (!paths.has(each.path.text)) paths.set(each.path.text, each);
  }
  return [...paths.values()];
}

function typeOf({ export: { path }, group, resource }: RuleDependency): string {
  return `${path} ${group}/${resource}`;
}

function placeOf({ index }: RuleDependency): string {
  return `.spec.dependencies[${index}]`;
}

/** kcp drops a warning that holds a control character. */
function oneLine(warning: string): string {
  const printable = warning.replaceAll(/\p{Cc}/gu, ' ');
  return printable.length <= LONGEST_WARNING ? printable : `${printable.slice(0, LONGEST_WARNING - 1).replace(/[\uD800-\uDBFF]$/u, '')}…`;
}
