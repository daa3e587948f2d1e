// The findings of lint: one problem at one place.
import type { AdmissionProblem } from '../webhook/rule-admission/decide-admission.js';
import type { RuleDoubt } from '../webhook/rule-admission/rule-warnings.js';
import type { Region } from '../manifest-files/yaml-place.js';

/** `error`: kcp would refuse the object, or it could not be in force as written. `warning`: it could be in force, and is doubtful. */
export type Level = 'error' | 'warning';

/** The kind of the problem, for programs. */
export type FindingReason =
  | AdmissionProblem['reason']
  | RuleDoubt['kind']
  | 'InvalidYaml'
  | 'NotAnObject'
  | 'UnknownKind'
  | 'UnknownField'
  | 'SchemaNotFound'
  | 'NotVerified'
  | 'WorkspaceNotBound'
  | 'AuthorNotBound'
  | 'NothingToCheck';

/** One thing that lint found. */
export interface Finding extends Region {
  readonly file: string;
  readonly level: Level;
  readonly reason: FindingReason;
  /** The object that it is about: `DependencyRule vm-dependencies`. */
  readonly object?: string;
  /** Where in the object: `.spec.dependencies[0].fieldRef.path`; empty where it is about all of it. */
  readonly path: string;
  /** A phrase that reads on from the path. */
  readonly message: string;
}

/** The result of lint. */
export interface LintReport {
  readonly files: number;
  readonly rules: number;
  readonly guards: number;
  /** Sorted by file and place. */
  readonly findings: readonly Finding[];
  /** Objects that lint does not know, by what they are. */
  readonly passedOver: readonly PassedOver[];
}

/** Objects of one type that lint does not know. */
export interface PassedOver {
  readonly apiVersion: string;
  readonly kind: string;
  readonly count: number;
}

/** What each reason means, in one sentence. */
export const FINDING_REASONS: Readonly<Record<FindingReason, string>> = {
  InvalidYaml: 'The file is no YAML.',
  NotAnObject: 'The document is no Kubernetes object.',
  UnknownKind: 'The API group of dep-ctrl has no such kind.',
  UnknownField: 'The schema has no such field, and kcp would drop it.',
  Invalid: 'A field is missing, or its value is not what the schema admits.',
  OverBound: 'A list is longer than it may be.',
  BuiltInType: 'The type is built into kcp, and no APIExport serves it.',
  UnpairedPaths: 'One name would have several namespaces.',
  ImpossiblePath: 'No workspace can have this path.',
  DuplicateDependency: 'A rule names the same dependency twice.',
  MeaninglessNamespace: 'A namespace is named for a type that is in none.',
  OverQuota: 'The rules of the workspace are as many, or name as many workspaces, as can be in force.',
  ExportNotFound: 'The workspace has no such APIExport.',
  ResourceNotExported: 'The APIExport does not serve this resource.',
  VersionNotServed: 'The type is not served in this version.',
  KindNotServed: 'The kind of the resource is another one.',
  FieldNotFound: 'The schema of the type has no such field.',
  FieldNotAString: 'The path leads to something that is no string.',
  TypeCycle: 'Types refer to each other in a circle.',
  TargetNotBound: 'The workspace that should be guarded does not bind dep-ctrl.',
  NoPrinterColumn: 'No printer column shows the path, so every delete reads whole objects.',
  SchemaNotFound: 'There is no schema of the type, so its fields were not checked.',
  NotVerified: 'Something could not be read, so it was not checked.',
  WorkspaceNotBound: 'The workspace of the rules does not bind dep-ctrl.',
  AuthorNotBound: 'The workspace that a guard admits does not bind dep-ctrl, so it can have no rules.',
  NothingToCheck: 'There is no rule and no guard in these files.',
};

/** How many findings are of a level. */
export function countOf({ findings }: Pick<LintReport, 'findings'>, level: Level): number {
  return findings.filter((finding) => finding.level === level).length;
}
