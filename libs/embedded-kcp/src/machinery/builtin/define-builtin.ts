import { apiVersionOf } from '@dep-ctrl/kcp-names';
import { builtInSchema } from '../../built-in-schemas/built-in-schemas.js';
import {
  STORED_VERBS,
  type ResourceColumn,
  type ResourceDefinition,
  type ResourceRules,
  type Subresource,
} from '../resources/resource-definition.js';
import type { Verb } from '../../http/request-info.js';

/** A row of the built-in table; the rest of a definition follows from it. */
export interface BuiltinRow {
  readonly group: string;
  readonly version?: string;
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly columns?: readonly ResourceColumn[];
  readonly hasStatus?: boolean;
  readonly shortNames?: readonly string[];
  readonly verbs?: readonly Verb[];
  readonly subresources?: readonly Subresource[];
  readonly rules?: ResourceRules;
}

/** A built-in resource. */
export function defineBuiltin(row: BuiltinRow): ResourceDefinition {
  const { group, version = 'v1', resource, kind, namespaced, columns, hasStatus = false, shortNames, verbs, subresources, rules } = row;
  const schema = builtInSchema(apiVersionOf({ group, version }), kind);
  return {
    group,
    resource,
    kind,
    namespaced,
    singular: kind.toLowerCase(),
    listKind: `${kind}List`,
    storageVersion: version,
    versions: [{ name: version, hasStatus, ...(schema === undefined ? {} : { schema }), ...(columns === undefined ? {} : { columns }) }],
    bucket: `${group}/${resource}`,
    origin: { kind: 'builtin' },
    verbs: verbs ?? STORED_VERBS,
    ...(shortNames === undefined ? {} : { shortNames }),
    ...(subresources === undefined ? {} : { subresources }),
    ...(rules === undefined ? {} : { rules }),
  };
}
