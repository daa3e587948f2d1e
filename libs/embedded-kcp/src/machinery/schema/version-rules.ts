// Checks of the printer columns and the selectable fields of a version.
import type { StatusCause } from '../../http/api-status.js';
import { arrayAt, stringAt, type JsonRecord } from '../../json/json.js';
import { wrong } from './structural-rules.js';
import { propertiesOf } from './structural-schema.js';

const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string'];

/** The problems of the printer columns of a version. `at`: the field of the version. */
export function columnProblems(version: unknown, at: string): readonly StatusCause[] {
  return arrayAt(version, 'additionalPrinterColumns').flatMap((column, index) => {
    const [type = '', path = ''] = [stringAt(column, 'type'), stringAt(column, 'jsonPath')];
    const field = `${at}.additionalPrinterColumns[${index}]`;
    return [
      ...(COLUMN_TYPES.includes(type) ? [] : [wrong(`${field}.type`, type, `must be one of ${COLUMN_TYPES.join(',')}`)]),
      ...(path.startsWith('.') ? [] : [wrong(`${field}.JSONPath`, path, 'must be a simple json path starting with .')]),
    ];
  });
}

/** The problems of the selectable fields of a version. `at`: their field. */
export function selectableProblems(version: unknown, schema: JsonRecord, at: string): readonly StatusCause[] {
  return arrayAt(version, 'selectableFields').flatMap((one, index) => {
    const path = stringAt(one, 'jsonPath') ?? '';
    const found = path
      .split('.')
      .slice(1)
      .reduce<JsonRecord | undefined>((inner, name) => (inner === undefined ? undefined : propertiesOf(inner)[name]), schema);
    const why = found === undefined ? 'is an invalid path: does not refer to a valid field' : selectableTypeProblem(found);
    return why === undefined ? [] : [wrong(`${at}[${index}].jsonPath`, path, why)];
  });
}

function selectableTypeProblem({ type }: JsonRecord): string | undefined {
  return type === 'string' || type === 'integer' || type === 'boolean'
    ? undefined
    : 'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
}
