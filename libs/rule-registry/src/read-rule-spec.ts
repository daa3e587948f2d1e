import { canPair, parseFieldPath, type FieldPath } from '@dep-ctrl/fieldpath';
import { parseWorkspacePath, printGroupResource, type ExportRef } from '@dep-ctrl/kcp-names';
import type { Enforcement, WhileTerminating } from './api-objects.js';
import { isBuiltInType } from './built-in-types.js';
import { EXPORT_NAME_GRAMMAR, GROUP_GRAMMAR, KIND_GRAMMAR, PATH_GRAMMAR, RESOURCE_GRAMMAR, VERSION_GRAMMAR } from './name-grammar.js';
import { INVALID, type ObjectReader } from './object-reader.js';
import type { DependentType, NonEmpty, RuleDependency, RuleManifest } from './rule.js';

/**
 * Why a rule is refused. `Invalid`: the schema refuses it too. The others are what a schema cannot say:
 * `BuiltInType` no export serves the type; `DuplicateTarget` two entries say the same; `UnpairedPaths` a name would have several
 * namespaces; `ImpossiblePath` no workspace can have the path.
 */
export type RuleProblemReason = typeof INVALID | 'BuiltInType' | 'DuplicateTarget' | 'UnpairedPaths' | 'ImpossiblePath';

type Reader = ObjectReader<RuleProblemReason>;

/** Values of `.spec.enforcement`, the default first. */
export const ENFORCEMENTS = ['Deny', 'Warn', 'Audit'] as const satisfies readonly Enforcement[];

/** Values of `.spec.whileTerminating`, the default first. */
export const WHILE_TERMINATING = ['Block', 'Ignore'] as const satisfies readonly WhileTerminating[];

/** Reads the spec of a rule, or reports why it cannot. */
export function readRuleSpec(spec: Reader): Omit<RuleManifest, 'name'> | undefined {
  const dependentReader = spec.object('dependent');
  const dependent = dependentReader && readDependent(dependentReader);
  const dependencies = readDependencies(spec);
  const enforcement = spec.raw('enforcement') === undefined ? ENFORCEMENTS[0] : spec.oneOf('enforcement', ENFORCEMENTS);
  const whileTerminating =
    spec.raw('whileTerminating') === undefined ? WHILE_TERMINATING[0] : spec.oneOf('whileTerminating', WHILE_TERMINATING);
  if (dependent === undefined || dependencies === undefined) return undefined;
  if (enforcement === undefined || whileTerminating === undefined) return undefined;
  return { dependent, dependencies, enforcement, whileTerminating };
}

function readDependent(dependent: Reader): DependentType | undefined {
  const exportName = dependent.name('apiExportName', EXPORT_NAME_GRAMMAR);
  const group = dependent.name('group', GROUP_GRAMMAR);
  const version = dependent.name('version', VERSION_GRAMMAR);
  const kind = dependent.name('kind', KIND_GRAMMAR);
  const resource = dependent.name('resource', RESOURCE_GRAMMAR);
  if (exportName === undefined || group === undefined || version === undefined) return undefined;
  if (kind === undefined || resource === undefined) return undefined;
  reportBuiltIn(dependent, { group, resource });
  return { exportName, group, version, kind, resource };
}

function readDependencies(spec: Reader): NonEmpty<RuleDependency> | undefined {
  const readers = spec.objects('dependencies');
  const firstIndexOf = new Map<string, number>();
  const dependencies = readers.flatMap((reader, index) => {
    const dependency = reader && readDependency(reader, index);
    if (reader === undefined || dependency === undefined) return [];
    const key = targetKey(dependency);
    const first = firstIndexOf.get(key);
    if (first === undefined) firstIndexOf.set(key, index);
    else reader.report('', `says the same as .spec.dependencies[${first}]: remove one of them`, 'DuplicateTarget');
    return [dependency];
  });
  const [first, ...others] = dependencies;
  return first === undefined || dependencies.length < readers.length ? undefined : [first, ...others];
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
  reportBuiltIn(dependency, { group, resource });
  return { index, export: exportRef, group, version, resource, ...fields };
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

function reportBuiltIn(reader: Reader, type: { readonly group: string; readonly resource: string }): void {
  if (!isBuiltInType(type)) return;
  reader.report(
    '',
    `${printGroupResource(type)} is built into kcp: only types that an APIExport serves can be guarded or refer`,
    'BuiltInType',
  );
}

// A line break can be in none of the parts.
function targetKey({ export: { path, name }, group, version, resource, fieldPath, namespacePath }: RuleDependency): string {
  return `${path}\n${name}\n${group}\n${version}\n${resource}\n${fieldPath.text}\n${namespacePath?.text ?? ''}`;
}
