import { describe, expect, it } from '@jest/globals';
import { isRecord, recordAt, stringsAt } from '../json/json.js';
import { builtInSchema } from './built-in-schemas.js';
import { DEFINITION, type Schema } from './schema-notation.js';

const SERVED = [
  ['v1', 'ConfigMap Event Namespace ResourceQuota Secret ServiceAccount'],
  [
    'admissionregistration.k8s.io/v1',
    'MutatingAdmissionPolicy MutatingAdmissionPolicyBinding MutatingWebhookConfiguration ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding ValidatingWebhookConfiguration',
  ],
  ['apiextensions.k8s.io/v1', 'CustomResourceDefinition'],
  ['authentication.k8s.io/v1', 'SelfSubjectReview TokenRequest TokenReview'],
  ['authorization.k8s.io/v1', 'LocalSubjectAccessReview SelfSubjectAccessReview SelfSubjectRulesReview SubjectAccessReview'],
  ['certificates.k8s.io/v1', 'CertificateSigningRequest'],
  ['coordination.k8s.io/v1', 'Lease'],
  ['events.k8s.io/v1', 'Event'],
  ['rbac.authorization.k8s.io/v1', 'ClusterRole ClusterRoleBinding Role RoleBinding'],
].flatMap(([apiVersion = '', kinds = '']) => kinds.split(' ').map((kind) => ({ apiVersion, kind })));

function schemaOf(apiVersion: string, kind: string): Schema {
  const schema = builtInSchema(apiVersion, kind);
  if (schema === undefined) throw new Error(`${apiVersion} ${kind} has no schema`);
  return schema;
}

function* everySchema(schema: Schema, path: string): Generator<{ schema: Schema; path: string }> {
  yield { schema, path };
  for (const [name, property] of Object.entries(recordAt(schema, 'properties'))) yield* everySchema(property as Schema, `${path}.${name}`);
  for (const below of ['items', 'additionalProperties']) {
    if (isRecord(schema[below])) yield* everySchema(schema[below], `${path}.${below}`);
  }
}

describe(builtInSchema, () => {
  it.each(SERVED)(
    'given $apiVersion $kind, when asked for, then it is an object with metadata and a name of its own',
    ({ apiVersion, kind }) => {
      const schema = schemaOf(apiVersion, kind);

      expect(schema[DEFINITION]?.split('.').at(-1)).toBe(kind);
      expect(Object.keys(recordAt(schema, 'properties'))).toEqual(expect.arrayContaining(['apiVersion', 'kind', 'metadata']));
    },
  );

  it.each(SERVED)('given $apiVersion $kind, when walked, then every schema of it is structural', ({ apiVersion, kind }) => {
    for (const { schema, path } of everySchema(schemaOf(apiVersion, kind), kind)) {
      const properties = Object.keys(recordAt(schema, 'properties'));
      const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true || schema['x-kubernetes-int-or-string'] === true;

      expect({ path, typed: isOpen || typeof schema['type'] === 'string' }).toEqual({ path, typed: true });
      expect({ path, missing: stringsAt(schema, 'required').filter((name) => !properties.includes(name)) }).toEqual({ path, missing: [] });
      expect({ path, hasItems: isRecord(schema['items']) }).toEqual({ path, hasItems: schema['type'] === 'array' });
      expect({ path, mergeKey: schema['x-kubernetes-patch-merge-key'] ?? null }).toEqual({
        path,
        mergeKey: schema['x-kubernetes-patch-strategy'] === undefined ? null : (stringsAt(schema, 'x-kubernetes-list-map-keys')[0] ?? null),
      });
    }
  });

  it.each([
    { apiVersion: 'v1', kind: 'Pod' },
    { apiVersion: 'v2', kind: 'ConfigMap' },
    { apiVersion: 'constructor', kind: 'name' },
  ])('given $apiVersion $kind, when asked for, then there is none', ({ apiVersion, kind }) => {
    expect(builtInSchema(apiVersion, kind)).toBeUndefined();
  });
});
