import { EACH, fieldPathOf, type FieldPath } from './field-path.js';
import { parseFieldPath } from './parse-field-path.js';

// Kubernetes' JSONPath, as far as it names plain fields: `.name` and `['name']`. Some characters end a field unless a backslash
// stands before them; inside brackets a comma or "]" ends it all the same, and an unescaped dot would split it in two.
const ENDS_A_FIELD = /[\s.,[\]$@{}\\]/g;
const FIELD = /\.((?:\\.|[^\s.,[\]$@{}\\])+)|\['((?:\\[^,\]'\s]|[^\s.,[\]$@{}\\'])+)'\]/y;

/**
 * The `jsonPath` of a printer column that shows exactly the value at this path, in Kubernetes' spelling.
 * Undefined where no column can: of a path that fans out a column shows the first element only.
 */
export function columnPath(path: FieldPath): string | undefined {
  const text = path.steps.map((step) => (step === EACH ? '[*]' : `.${step.replace(ENDS_A_FIELD, '\\$&')}`)).join('');
  return sameAsColumn(text, path) ? text : undefined;
}

/** Whether a printer column with this `jsonPath` shows exactly the value at the path. False when in doubt. */
export function sameAsColumn(jsonPath: string, path: FieldPath): boolean {
  const fields = fieldsOf(jsonPath);
  return fields?.length === path.steps.length && fields.every((field, index) => field === path.steps[index]);
}

/** The path whose value a printer column with this `jsonPath` shows, exactly it; undefined where there is none, or in doubt. */
export function pathOfColumn(jsonPath: string): FieldPath | undefined {
  const fields = fieldsOf(jsonPath);
  if (fields === undefined) return undefined;
  const path = parseFieldPath(fieldPathOf(fields).text);
  return path.ok && sameAsColumn(jsonPath, path.value) ? path.value : undefined;
}

/** The fields that a column's JSONPath walks, or undefined for anything but plain fields. */
function fieldsOf(jsonPath: string): readonly string[] | undefined {
  const fields: string[] = [];
  let position = 0;
  while (position < jsonPath.length) {
    FIELD.lastIndex = position;
    const match = FIELD.exec(jsonPath);
    const field = (match?.[1] ?? match?.[2])?.replaceAll('\\', '');
    if (field === undefined || field === '*') return undefined;
    fields.push(field);
    position = FIELD.lastIndex;
  }
  return fields;
}
