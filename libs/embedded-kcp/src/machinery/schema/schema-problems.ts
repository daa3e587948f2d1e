// Checks the schema of a type before it is served.
import type { StatusCause } from '../../http/api-status.js';
import type { JsonRecord } from '../../json/json.js';
import { keywordProblems } from './keyword-rules.js';
import { prune } from './prune.js';
import { structuralProblems, wrong } from './structural-rules.js';
import { validate } from './validate.js';
import { schemasIn } from './walk-schema.js';

/** The problems of the schema of a type. `at`: the field of the schema. */
export function schemaProblems(schema: JsonRecord, at: string): readonly StatusCause[] {
  const keywords = keywordProblems(schema, at);
  const structure = structuralProblems(schema, at);
  // Defaults mean something only where the schema does.
  return [...structure, ...(structure.length + keywords.length === 0 ? defaultProblems(schema, at) : []), ...keywords];
}

function defaultProblems(root: JsonRecord, at: string): readonly StatusCause[] {
  return [...schemasIn(root)].flatMap(({ schema, path }) => {
    const value = schema['default'];
    if (value === undefined) return [];
    const field = `${at}${path}.default`;
    if (prune({ type: 'object', properties: { value: schema } }, { value }).unknown.length > 0)
      return [wrong(field, value, 'must not have unknown fields')];
    return validate(schema, value).map((cause) => ({ ...cause, field }));
  });
}
