// Fields that the API's own schema does not have. kcp drops them from what is stored, and kubectl refuses to send them. Pure.
import { isRecord } from '@dep-ctrl/kcp-names';
import type { JsonSchema } from '@dep-ctrl/rule-registry';
import { printNear } from '@dep-ctrl/exported-types';

/** A field that there is not. */
export interface UnknownField {
  readonly path: string;
  readonly message: string;
}

/** All of them, in the order of the object. A schema that lists no properties admits any. */
export function unknownFields(value: unknown, schema: JsonSchema, path = ''): readonly UnknownField[] {
  const { items, properties } = schema;
  if (Array.isArray(value)) {
    return items === undefined ? [] : value.flatMap((item, at) => unknownFields(item, items, `${path}[${String(at)}]`));
  }
  if (!isRecord(value) || properties === undefined) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    // The printed place must lead to this field, whatever its name holds.
    const place = /^[^.[\]']+$/.test(name) ? `${path}.${name}` : `${path}['${name.replaceAll(/['\\]/g, '\\$&')}']`;
    if (known !== undefined) return unknownFields(inner, known, place);
    return [
      {
        path: place,
        message: `there is no such field: ${path === '' ? 'the object' : path} has ${printNear(Object.keys(properties), name)}`,
      },
    ];
  });
}
