// The types of fields in an OpenAPI schema. Descriptions and validations are most of a schema and not kept, because they do not decide how a type is listed.
import { record, text } from '@dep-ctrl/kcp-names';
import { EACH, type PathStep } from '@dep-ctrl/fieldpath';

/** The types of a field and of those in it. */
export interface FieldTypes {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, FieldTypes>>;
  readonly items?: FieldTypes;
  readonly additionalProperties?: FieldTypes;
}

// A path has 512 characters at most, and each step takes two.
const DEEPEST = 256;

/** Reads a schema as deep as a path can lead. */
export function readFieldTypes(schema: unknown, depth = 0): FieldTypes | undefined {
  const node = record(schema);
  if (node === undefined || depth > DEEPEST) return undefined;
  const type = text(node['type']);
  const within = (inner: unknown): FieldTypes | undefined => readFieldTypes(inner, depth + 1);
  const properties = Object.entries(record(node['properties']) ?? {}).flatMap(([name, inner]) => {
    const types = within(inner);
    return types === undefined ? [] : [[name, types] as const];
  });
  const [items, additionalProperties] = [within(node['items']), within(node['additionalProperties'])];
  return {
    ...(type !== undefined && { type }),
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
    ...(items !== undefined && { items }),
    ...(additionalProperties !== undefined && { additionalProperties }),
  };
}

/** How many fields are told of: what it takes to keep them. */
export function countFields(types: FieldTypes | undefined): number {
  if (types === undefined) return 0;
  const { properties = {}, items, additionalProperties } = types;
  return Object.values(properties).reduce(
    (sum, each) => sum + countFields(each),
    1 + countFields(items) + countFields(additionalProperties),
  );
}

/** Whether a string stands where the steps lead. */
export function leadsToString(types: FieldTypes | undefined, steps: readonly PathStep[]): boolean {
  // Schemas do not spell out what every object has in every version: labels, annotations, owners.
  if (steps[0] === 'metadata') return true;
  let node = types;
  for (const step of steps) node = step === EACH ? node?.items : fieldIn(node, step);
  return node?.type === 'string';
}

function fieldIn(types: FieldTypes | undefined, name: string): FieldTypes | undefined {
  const { properties, additionalProperties } = types ?? {};
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
}
