// Plans the list of one dependent type for one deletion: version, namespace, and whether printer columns show all references.
import { cellsOf, versionToRead, type BoundSchema, type PrinterColumn } from '@dep-ctrl/exported-types';
import type { Subject } from '../decision/admission-review.js';
import type { LookupFailure } from '../decision/lookup.js';
import { staysInNamespace } from './refers-to.js';
import type { TypeQuestion } from './type-question.js';

/** The list to read. Without `namespace`: all namespaces, or a cluster-scoped type. */
export interface ListPlan {
  readonly version: string;
  readonly namespace?: string;
  /** Whether a name identifies one object of the list. */
  readonly isNameEnough: boolean;
  /** The cells of a Table that show the references; absent: only whole objects show them. */
  readonly table?: { readonly columns: readonly PrinterColumn[]; readonly cells: readonly number[] };
}

/** The plan, or why there is none. `schema` is undefined where it could not be read. */
export type PlannedList = { readonly ok: true; readonly plan: ListPlan } | { readonly ok: false; readonly failure: LookupFailure };

/** Plans the list of a type. */
export function planList({ type, queries }: TypeQuestion, schema: BoundSchema | undefined, subject: Subject): PlannedList {
  // Whole objects of all namespaces are right for every type.
  if (schema === undefined) return { ok: true, plan: { version: type.version, isNameEnough: false } };
  const paths = queries.map(({ fieldPath }) => fieldPath);
  const namespacePaths = queries.flatMap(({ namespacePath }) => namespacePath ?? []);
  const version = versionToRead(schema, type.version, [...paths, ...namespacePaths]);
  if (version === undefined) return { ok: false, failure: { code: 'version-not-served', lasting: true, version: type.version } };
  const isInNamespace = staysInNamespace(schema.isNamespaced, queries, subject);
  const cells = cellsOf(version, paths);
  return {
    ok: true,
    plan: {
      version: version.name,
      isNameEnough: isInNamespace || !schema.isNamespaced,
      ...(isInNamespace && subject.namespace !== undefined ? { namespace: subject.namespace } : {}),
      ...(cells === undefined ? {} : { table: { columns: version.columns, cells } }),
    },
  };
}
