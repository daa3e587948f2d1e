import { canPair, parseFieldPath, type FieldPath } from '@dep-ctrl/fieldpath';
import { parseWorkspacePath, printGroupResource, type ExportRef, type GroupResource } from '@dep-ctrl/kcp-names';
import { MOST_DEPENDENCIES } from '../rules/bounds.js';
import type { Enforcement, WhileTerminating } from '../rules/api-objects.js';
import { isBuiltInType } from '../rules/built-in-types.js';
import {
  EXPORT_NAME_GRAMMAR,
  GROUP_GRAMMAR,
  KIND_GRAMMAR,
  PATH_GRAMMAR,
  RESOURCE_GRAMMAR,
  VERSION_GRAMMAR,
  type NameGrammar,
} from './name-grammar.js';
import { INVALID, ownValue, type ObjectReader } from './object-reader.js';
import type { DependentType, RuleDependency, RuleManifest, RuleRemark, UnreadableTarget } from '../rules/rule.js';

/**
 * Why a rule is refused. `Invalid`: the schema refuses it too. `OverBound`: so it does since it has bounds; what counts is read up to them.
 * The others are what a schema cannot say: `BuiltInType` no export serves the type; `UnpairedPaths` a name would have several namespaces; `ImpossiblePath` no workspace can have
 * the path.
 */
export type RuleProblemReason = typeof INVALID | 'OverBound' | 'BuiltInType' | 'UnpairedPaths' | 'ImpossiblePath';

type Reader = ObjectReader<RuleProblemReason>;

/** Values of `.spec.enforcement`, the default first. */
export const ENFORCEMENTS = ['Deny', 'Warn', 'Audit'] as const satisfies readonly Enforcement[];

/** Values of `.spec.whileTerminating`, the default first. */
export const WHILE_TERMINATING = ['Block', 'Ignore'] as const satisfies readonly WhileTerminating[];

/** What can be read of a spec: all of it, where nothing was reported. */
export interface SpecReading {
  /** Undefined where the dependent or every target is unreadable. */
  readonly manifest: Omit<RuleManifest, 'name'> | undefined;
  readonly unreadable: readonly UnreadableTarget[];
}

/** Reads as much of the spec of a rule as can be, and reports the rest. What cannot be read of how strict it is counts as the strictest. */
export function readRuleSpec(spec: Reader): SpecReading {
  const dependentReader = spec.object('dependent');
  const dependent = dependentReader && readDependent(dependentReader);
  const { dependencies, unreadable, remarks } = readDependencies(spec);
  const enforcement = readChoice(spec, 'enforcement', ENFORCEMENTS);
  const whileTerminating = readChoice(spec, 'whileTerminating', WHILE_TERMINATING);
  const [first, ...others] = dependencies;
  if (dependent === undefined || first === undefined) return { manifest: undefined, unreadable };
  return { manifest: { dependent, dependencies: [first, ...others], enforcement, whileTerminating, remarks }, unreadable };
}

/** The first choice is the default, and the strictest. */
function readChoice<T extends string>(spec: Reader, key: string, choices: readonly [T, ...T[]]): T {
  return spec.raw(key) === undefined ? choices[0] : (spec.oneOf(key, choices) ?? choices[0]);
}

function readDependent(dependent: Reader): DependentType | undefined {
  const exportName = dependent.name('apiExportName', EXPORT_NAME_GRAMMAR);
  const group = dependent.name('group', GROUP_GRAMMAR);
  const version = dependent.name('version', VERSION_GRAMMAR);
  const kind = dependent.name('kind', KIND_GRAMMAR);
  const resource = dependent.name('resource', RESOURCE_GRAMMAR);
  if (exportName === undefined || group === undefined || version === undefined) return undefined;
  if (kind === undefined || resource === undefined) return undefined;
  return isReportedBuiltIn(dependent, { group, resource }) ? undefined : { exportName, group, version, kind, resource };
}

interface DependenciesReading {
  readonly dependencies: readonly RuleDependency[];
  readonly unreadable: readonly UnreadableTarget[];
  readonly remarks: readonly RuleRemark[];
}

function readDependencies(spec: Reader): DependenciesReading {
  const dependencies = new Map<string, RuleDependency>();
  const unreadable: UnreadableTarget[] = [];
  const remarks: RuleRemark[] = [];
  reportExcess(spec);
  spec.objects('dependencies', MOST_DEPENDENCIES).forEach((reader, index) => {
    const dependency = reader && readDependency(reader, index);
    if (dependency === undefined) {
      unreadable.push(readRemains(reader, index));
      return;
    }
    const key = targetKey(dependency);
    const first = dependencies.get(key);
    if (first === undefined) dependencies.set(key, dependency);
    else remarks.push({ path: placeOf(index), message: `says the same as ${placeOf(first.index)} and counts once` });
  });
  return { dependencies: [...dependencies.values()], unreadable, remarks };
}

/** What comes after the bound was stored before there was one, and is not in force. */
function reportExcess(spec: Reader): void {
  const all = spec.raw('dependencies');
  if (!Array.isArray(all) || all.length <= MOST_DEPENDENCIES) return;
  const message = `has ${all.length} entries: the first ${MOST_DEPENDENCIES} count, put the others into further rules`;
  spec.report('.dependencies', message, 'OverBound');
}

function readDependency(dependency: Reader, index: number): RuleDependency | undefined {
  const exportReader = dependency.object('apiExportRef');
  const exportRef = exportReader && readExportRef(exportReader);
  const group = dependency.name('group', GROUP_GRAMMAR);
  const version = dependency.name('version', VERSION_GRAMMAR);
  const resource = dependency.name('resource', RESOURCE_GRAMMAR);
  const fieldReader = dependency.object('fieldRef');
  const fields = fieldReader && readFieldRef(fieldReader);
  if (exportRef === undefined || group === undefined || version === undefined) return undefined;
  if (resource === undefined || fields === undefined) return undefined;
  if (isReportedBuiltIn(dependency, { group, resource })) return undefined;
  return { index, export: exportRef, group, version, resource, ...fields };
}

/** What a target that cannot be read still says, without reporting anything twice. */
function readRemains(dependency: Reader | undefined, index: number): UnreadableTarget {
  const group = shortText(dependency?.raw('group'), GROUP_GRAMMAR);
  const resource = shortText(dependency?.raw('resource'), RESOURCE_GRAMMAR);
  const text = ownValue(dependency?.raw('apiExportRef'), 'path');
  const pathText = typeof text === 'string' ? text.slice(0, PATH_GRAMMAR.maxLength) : '';
  const path = parseWorkspacePath(pathText);
  return {
    index,
    place: placeOf(index),
    pathText,
    ...(group !== undefined && resource !== undefined && { type: { group, resource } }),
    ...(path.ok && { path: path.value }),
  };
}

/** A text that a status has room for. */
function shortText(value: unknown, { maxLength }: NameGrammar): string | undefined {
  return typeof value === 'string' && value.length <= maxLength ? value : undefined;
}

function placeOf(index: number): string {
  return `.spec.dependencies[${index}]`;
}

function readExportRef(reader: Reader): ExportRef | undefined {
  const text = reader.name('path', PATH_GRAMMAR);
  const name = reader.name('name', EXPORT_NAME_GRAMMAR);
  if (text === undefined || name === undefined) return undefined;
  const path = parseWorkspacePath(text);
  if (path.ok) return { path: path.value, name };
  reader.report('.path', path.problem, 'ImpossiblePath');
  return undefined;
}

function readFieldRef(reader: Reader): Pick<RuleDependency, 'fieldPath' | 'namespacePath'> | undefined {
  const fieldPath = readFieldPath(reader, 'path');
  if (reader.raw('namespacePath') === undefined) return fieldPath && { fieldPath };
  const namespacePath = readFieldPath(reader, 'namespacePath');
  if (fieldPath === undefined || namespacePath === undefined) return undefined;
  if (canPair(fieldPath, namespacePath)) return { fieldPath, namespacePath };
  reader.report(
    '.namespacePath',
    `gives one name several namespaces: its [*] must be those of ${fieldPath.text}, with the same fields before them`,
    'UnpairedPaths',
  );
  return undefined;
}

function readFieldPath(reader: Reader, key: string): FieldPath | undefined {
  const text = reader.text(key, 'a field path, such as ".spec.vpcRef.name"');
  if (text === undefined) return undefined;
  const path = parseFieldPath(text);
  if (path.ok) return path.value;
  reader.report(`.${key}`, path.problem.message, INVALID);
  return undefined;
}

function isReportedBuiltIn(reader: Reader, type: GroupResource): boolean {
  if (!isBuiltInType(type)) return false;
  reader.report(
    '',
    `${printGroupResource(type)} is built into kcp: only types that an APIExport serves can be guarded or refer`,
    'BuiltInType',
  );
  return true;
}

// A line break can be in none of the parts.
function targetKey({ export: { path, name }, group, version, resource, fieldPath, namespacePath }: RuleDependency): string {
  return `${path}\n${name}\n${group}\n${version}\n${resource}\n${fieldPath.text}\n${namespacePath?.text ?? ''}`;
}
