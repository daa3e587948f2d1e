// docs/reference/api.md: both kinds, each field with its type, its bounds and what it means. From the schemas that kcp is given.
import { API_GROUP, API_KINDS, API_VERSION, type ApiKind, type JsonSchema } from '@dep-ctrl/rule-registry';
import { code, page, sentence, table } from './markdown.js';

/** The page. */
export function apiPage(): string {
  return page([
    '# API',
    `Group ${code(API_GROUP)}, version ${code(API_VERSION)}. Both kinds are cluster-scoped and have a status subresource. kcp refuses what breaks a bound below; further checks are made when a spec is written ([ADR 17](../adr/0017-rules-are-checked-at-the-door.md)). The reasons in ${code('status.conditions')} are in [conditions.md](conditions.md), whole manifests in [deploy/kcp/examples](../../deploy/kcp/examples).`,
    ...API_KINDS.flatMap(kindSection),
  ]);
}

function kindSection({ names, schema, columns }: ApiKind): readonly string[] {
  const { kind, plural, shortNames = [] } = names;
  const inShort = shortNames.length === 0 ? '' : `, in short ${shortNames.map(code).join(' or ')}`;
  const { spec, status } = schema.properties ?? {};
  return [
    `## ${kind}`,
    sentence(schema.description ?? ''),
    `Resource: ${code(`${plural}.${API_GROUP}`)}${inShort}.`,
    `### Spec of ${kind}`,
    fieldList('.spec', spec, schema.required?.includes('spec') ?? false),
    `### Status of ${kind}`,
    fieldList('.status', status, false),
    `### Columns of ${kind}`,
    table(
      ['Column', 'From', 'Meaning'],
      columns.map(({ name, jsonPath, description = 'When the object was made', priority = 0 }) => [
        name,
        code(jsonPath),
        sentence(priority > 0 ? `${description}, with ${code('-o wide')}` : description),
      ]),
    ),
  ];
}

function fieldList(path: string, schema: JsonSchema | undefined, isRequired: boolean): string {
  return schema === undefined ? 'None.' : fieldLines(path, schema, isRequired).join('\n');
}

function fieldLines(path: string, schema: JsonSchema, isRequired: boolean): readonly string[] {
  const { description, properties = {}, required = [], items } = schema;
  if (description === undefined) throw new Error(`${path} has no description`);
  const facts = [...(isRequired ? ['required'] : []), typeOf(schema), ...boundsOf(schema)].join(', ');
  return [
    `- ${code(path)}: ${sentence(description).replaceAll('*', '\\*')} _${sentence(facts)}_`,
    ...(items?.type === 'string' ? fieldLines(`${path}[]`, items, false) : []),
    ...children(path, properties, required),
    ...(items?.properties === undefined ? [] : children(`${path}[]`, items.properties, items.required ?? [])),
  ];
}

function children(path: string, properties: Readonly<Record<string, JsonSchema>>, required: readonly string[]): readonly string[] {
  return Object.entries(properties).flatMap(([name, schema]) => fieldLines(`${path}.${name}`, schema, required.includes(name)));
}

function typeOf({ type, format, items }: JsonSchema): string {
  if (type === 'array') return `list of ${items?.type ?? 'object'}s`;
  return format === 'date-time' ? 'time' : type;
}

function boundsOf({
  minItems,
  maxItems,
  minLength,
  maxLength,
  minimum,
  pattern,
  enum: choices,
  default: fallback,
}: JsonSchema): readonly string[] {
  return [
    ...range(minItems, maxItems, 'entries'),
    ...range(minLength, maxLength, 'characters'),
    ...(minimum === undefined ? [] : [`at least ${minimum}`]),
    ...(choices === undefined ? [] : [`one of ${choices.map(code).join(', ')}`]),
    ...(fallback === undefined ? [] : [`default ${code(fallback)}`]),
    ...(pattern === undefined ? [] : [`pattern ${code(pattern)}`]),
  ];
}

function range(least: number | undefined, most: number | undefined, of: string): readonly string[] {
  if (most === undefined) return least === undefined ? [] : [`at least ${least} ${of}`];
  return [least === undefined ? `at most ${most} ${of}` : `${least} to ${most} ${of}`];
}
