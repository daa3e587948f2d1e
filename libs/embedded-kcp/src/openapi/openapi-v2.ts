// The one OpenAPI v2 document, made from the same paths as the v3 ones. Old clients read the definitions.
import { arrayAt, isRecord, recordAt, withoutUndefined, type JsonRecord } from '../json/json.js';
import type { ResourceDefinition } from '../machinery/resources/resource-definition.js';
import { Components } from './components.js';
import { pathItems } from './operations.js';

/** The OpenAPI v2 document of everything that is served. */
export function openApiV2Document(definitions: readonly ResourceDefinition[]): JsonRecord {
  const components = new Components('#/definitions/');
  const paths = definitions
    .filter(({ group }) => group !== 'apiextensions.k8s.io')
    .flatMap((definition) => definition.versions.flatMap((version) => Object.entries(pathItems(definition, version, components))));
  return {
    swagger: '2.0',
    info: { title: 'Kubernetes', version: '1.36' },
    paths: Object.fromEntries(paths.map(([path, item]) => [path, olderItem(recordAt(item))] as const).sort(([a], [b]) => (a < b ? -1 : 1))),
    definitions: Object.fromEntries(Object.entries(components.all).map(([name, schema]) => [name, olderSchema(schema)])),
  };
}

function olderItem(item: JsonRecord): JsonRecord {
  return Object.fromEntries(
    Object.entries(item).map(([method, value]) => [
      method,
      method === 'parameters' ? olderParameters(value) : olderOperation(recordAt(value)),
    ]),
  );
}

function olderOperation({ requestBody, responses, parameters, ...operation }: JsonRecord): JsonRecord {
  const bodies = Object.entries(recordAt(requestBody, 'content'));
  const body = bodies
    .slice(0, 1)
    .map(([, form]) => ({ name: 'body', in: 'body', required: true, schema: olderSchema(recordAt(form)['schema']) }));
  return {
    ...operation,
    consumes: bodies.map(([type]) => type),
    produces: ['application/json', 'application/yaml'],
    parameters: [...body, ...olderParameters(parameters)],
    responses: Object.fromEntries(Object.entries(recordAt(responses)).map(([code, answer]) => [code, olderAnswer(recordAt(answer))])),
  };
}

function olderAnswer({ description, content }: JsonRecord): JsonRecord {
  const schema = recordAt(content, 'application/json')['schema'];
  return withoutUndefined({ description, schema: schema === undefined ? undefined : olderSchema(schema) });
}

function olderParameters(parameters: unknown): readonly JsonRecord[] {
  return arrayAt({ parameters }, 'parameters').map((parameter) => {
    const { schema, ...rest } = recordAt(parameter);
    return { ...rest, ...recordAt(schema) };
  });
}

// v2 knows no nullable, no allOf around a reference, and no alternatives.
const NEWER = new Set(['nullable', 'oneOf', 'anyOf', 'not', 'x-kubernetes-validations']);

function olderSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(olderSchema);
  if (!isRecord(schema)) return schema;
  const { allOf, properties, ...rest } = schema;
  const [reference] = Array.isArray(allOf) ? (allOf as readonly unknown[]) : [];
  const kept = Object.entries(rest).filter(([keyword]) => !NEWER.has(keyword));
  return {
    ...Object.fromEntries(
      kept.map(([keyword, value]) => [keyword, keyword === 'items' || keyword === 'additionalProperties' ? olderSchema(value) : value]),
    ),
    ...(isRecord(properties)
      ? { properties: Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, olderSchema(value)])) }
      : {}),
    ...(isRecord(reference) && typeof reference['$ref'] === 'string' ? { $ref: reference['$ref'] } : {}),
  };
}
