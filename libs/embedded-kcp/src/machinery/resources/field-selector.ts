import type { KubeObject } from '@dep-ctrl/kcp-names';
import { badRequest } from '../../http/api-status.js';
import { valueAt } from '../../json/json.js';
import type { ResourceDefinition, ResourceVersion } from './resource-definition.js';

/** One condition on a field. */
export interface FieldRequirement {
  readonly path: readonly string[];
  readonly value: string;
  readonly equal: boolean;
}

/** Conditions that must all hold. */
export type FieldSelector = readonly FieldRequirement[];

// The selectable fields of built-ins beyond metadata. A version of a CRD names its own; bound types have none in kcp v0.32.
const SELECTABLE: Readonly<Record<string, readonly string[]>> = {
  '/namespaces': ['status.phase'],
  '/secrets': ['type'],
  '/events': [
    'involvedObject.kind',
    'involvedObject.namespace',
    'involvedObject.name',
    'involvedObject.uid',
    'involvedObject.apiVersion',
    'involvedObject.resourceVersion',
    'involvedObject.fieldPath',
    'reason',
    'reportingComponent',
    'source',
    'type',
  ],
};

/** Reads the query parameter fieldSelector. */
export function parseFieldSelector(
  text: string,
  { group, resource, namespaced, origin }: ResourceDefinition,
  { selectable = [] }: Pick<ResourceVersion, 'selectable'>,
): FieldSelector {
  if (text === '') return [];
  const beyond = [...(SELECTABLE[`${group}/${resource}`] ?? []), ...selectable];
  const known = ['metadata.name', ...(namespaced ? ['metadata.namespace'] : []), ...beyond];
  const isPlain = origin.kind === 'builtin' && beyond.length === 0;
  return text.split(',').map((term) => {
    const match = /^([^=!]+)(!=|==|=)(.*)$/.exec(term);
    const [, path = '', operator, value = ''] = match ?? [];
    if (match === null) throw badRequest(`invalid selector: '${text}'; can't understand '${term}'`);
    if (!known.includes(path)) throw badRequest(isPlain ? plainProblem(path) : `field label not supported: ${path}`);
    return { path: path.split('.'), value: value.replace(/\\([\\,=])/g, '$1'), equal: operator !== '!=' };
  });
}

// What built-ins say that have no fields of their own to select by.
function plainProblem(path: string): string {
  return `${JSON.stringify(path)} is not a known field selector: only "metadata.name", "metadata.namespace"`;
}

/** Whether an object meets every condition. */
export function matchesFields(selector: FieldSelector, object: KubeObject): boolean {
  return selector.every(({ path, value, equal }) => {
    const found = valueAt(object, ...path);
    return (textOf(found) === value) === equal;
  });
}

/** The one name that can meet the conditions; undefined: they are not about the name. */
export function onlyName(selector: FieldSelector): string | undefined {
  return selector.find(({ path, equal }) => equal && path.join('.') === 'metadata.name')?.value;
}

// A field that is not there is selected as an empty one.
function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
