// Features that a schema may use on a real kcp and that this server lacks.
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { arrayAt, stringAt, valueAt, type JsonRecord } from '../json/json.js';
import { understandsJsonPath } from '../machinery/resources/json-path.js';
import { UNCHECKED_FORMATS } from '../machinery/schema/formats.js';
import { celProblem, isOldOptional } from '../machinery/schema/cel-rule.js';
import { schemasIn, versionSchemas } from '../machinery/schema/walk-schema.js';

/** The lacking features that an APIResourceSchema or a CustomResourceDefinition may use. */
export const SCHEMA_GAPS: readonly { readonly sentence: string; readonly touches: (object: KubeObject) => boolean }[] = [
  { sentence: 'conversion webhooks', touches: (object) => stringAt(object, 'spec', 'conversion', 'strategy') === 'Webhook' },
  {
    sentence: 'scale subresources',
    touches: (object) => versionsOf(object).some((version) => valueAt(version, 'subresources', 'scale') !== undefined),
  },
  { sentence: 'printer columns beyond fields, indexes, [*] and [?(@.a=="b")]', touches: printsStrangely },
  {
    sentence:
      'the functions that Kubernetes adds to CEL (quantities, URLs, IP addresses, regular expressions, further ones of lists, optMap)',
    touches: someRule((rule) => ['rule', 'messageExpression'].some((key) => takesMore(stringAt(rule, key) ?? '', rule))),
  },
  {
    sentence: `the formats ${UNCHECKED_FORMATS.join(', ')}`,
    touches: someSchema((schema) => UNCHECKED_FORMATS.includes(stringAt(schema, 'format')?.replaceAll('-', '') ?? '')),
  },
];

function takesMore(expression: string, rule: unknown): boolean {
  return expression !== '' && celProblem(expression, isOldOptional(rule))?.kind === 'not-covered';
}

function versionsOf(object: KubeObject): readonly unknown[] {
  return arrayAt(object, 'spec', 'versions');
}

function printsStrangely(object: KubeObject): boolean {
  return versionsOf(object).some((version) =>
    arrayAt(version, 'additionalPrinterColumns').some((column) => !understandsJsonPath(stringAt(column, 'jsonPath') ?? '')),
  );
}

function someSchema(touches: (schema: JsonRecord) => boolean): (object: KubeObject) => boolean {
  return (object) => versionSchemas(object).some((root) => [...schemasIn(root)].some(({ schema }) => touches(schema)));
}

function someRule(touches: (rule: unknown) => boolean): (object: KubeObject) => boolean {
  return someSchema((schema) => arrayAt(schema, 'x-kubernetes-validations').some(touches));
}
