// Which schemas kcp refuses: they must be structural (say the type of every value) and mean something.
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { arrayAt, stringAt, type JsonRecord } from '../json.js';
import { celProblem } from '../machinery/schema/validation-rules.js';
import { isIntOrString, keepsUnknown } from '../machinery/schema/structural-schema.js';
import { schemasIn, versionSchemas, type SchemaPlace } from '../machinery/schema/walk-schema.js';

/** What is wrong with the schemas of an APIResourceSchema, in the words of kcp. */
export function structuralProblems(object: KubeObject): readonly string[] {
  return versionSchemas(object).flatMap((root, index) =>
    [...schemasIn(root)].flatMap((place) => {
      const at = `spec.versions[${index}].schema.openAPIV3Schema${place.path}`;
      return [...typeProblems(place, at), ...patternProblems(place.schema, at), ...ruleProblems(place.schema, at)];
    }),
  );
}

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const WHERE = { root: 'at the root', field: 'for specified object fields', item: 'for specified array items' } as const;

function typeProblems({ schema, role }: SchemaPlace, at: string): readonly string[] {
  if (schema['$ref'] !== undefined) return [`${at}.$ref: Forbidden: $ref is not supported`];
  const type = stringAt(schema, 'type') ?? '';
  if (TYPES.includes(type)) return [];
  if (type === '')
    return isIntOrString(schema) || keepsUnknown(schema) ? [] : [`${at}.type: Required value: must not be empty ${WHERE[role]}`];
  const supported = TYPES.map((one) => JSON.stringify(one)).join(', ');
  return [`${at}.type: Unsupported value: ${JSON.stringify(type)}: supported values: ${supported}`];
}

function patternProblems(schema: JsonRecord, at: string): readonly string[] {
  const pattern = stringAt(schema, 'pattern');
  if (pattern === undefined) return [];
  try {
    new RegExp(pattern, 'u');
    return [];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [`${at}.pattern: Invalid value: ${JSON.stringify(pattern)}: must be a valid regular expression, but isn't: ${why}`];
  }
}

function ruleProblems(schema: JsonRecord, at: string): readonly string[] {
  return arrayAt(schema, 'x-kubernetes-validations').flatMap((one, index) => {
    const rule = stringAt(one, 'rule') ?? '';
    const problem = celProblem(rule);
    if (problem?.kind !== 'syntax') return [];
    return [`${at}.x-kubernetes-validations[${index}].rule: Invalid value: ${JSON.stringify(rule)}: compilation failed: ${problem.why}`];
  });
}
