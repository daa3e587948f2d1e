// The fieldPath of a CEL rule: properties by `.name` or `['name']`, keys of maps likewise; items of lists cannot be named.
import { isRecord, type JsonRecord } from '../../json/json.js';
import { additionalOf, propertiesOf } from './structural-schema.js';

const STEP = /^(?:\.([^.[\]'\s]+)|\['([^']+)'\])/;

/** The path as field errors print it (`.spec[key]`), or undefined when the schema has no such field. */
export function readRulePath(text: string, root: JsonRecord): string | undefined {
  let [schema, rest, printed] = [root, text, ''];
  while (rest !== '') {
    const [step, dotted, quoted] = STEP.exec(rest) ?? [];
    const name = dotted ?? quoted;
    if (step === undefined || name === undefined) return undefined;
    const property = Object.hasOwn(propertiesOf(schema), name) ? propertiesOf(schema)[name] : undefined;
    const additional = additionalOf(schema);
    if (property === undefined && !isRecord(additional)) return undefined;
    // Kubernetes prints a key that comes first with a dot before it.
    printed += property === undefined ? `${printed === '' ? '.' : ''}[${name}]` : `.${name}`;
    schema = property ?? (isRecord(additional) ? additional : {});
    rest = rest.slice(step.length);
  }
  return printed === '' ? undefined : printed;
}
