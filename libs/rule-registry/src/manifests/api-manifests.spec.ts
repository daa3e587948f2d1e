import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { API_KINDS, PERMISSION_CLAIM, apiExport, apiResourceSchemas, contentHash, parseRule } from '../index.js';
import { dependencySpec, ruleObject, ruleSpec } from '../testing/builders.js';

describe(apiResourceSchemas, () => {
  it('given both kinds, then each schema is named as kcp asks and after its content', () => {
    const names = apiResourceSchemas().map((schema) => schema.metadata.name);

    expect(names).toEqual([
      expect.stringMatching(/^v[0-9a-f]{16}\.dependencyrules\.dependencies\.opendefense\.cloud$/),
      expect.stringMatching(/^v[0-9a-f]{16}\.dependencyguards\.dependencies\.opendefense\.cloud$/),
    ]);
    expect(names).toEqual(
      apiResourceSchemas().map((schema) => `v${contentHash(schema['spec'])}.${String(schema.metadata.name).split('.').slice(1).join('.')}`),
    );
  });

  it('given the schemas, then they use nothing that kcp counts the cost of', () => {
    expect(JSON.stringify(apiResourceSchemas())).not.toContain('x-kubernetes-validations');
  });
});

describe(apiExport, () => {
  it('given the export, then it serves exactly the schemas that there are', () => {
    expect(apiExport()).toMatchObject({
      metadata: { name: 'dependencies.opendefense.cloud' },
      spec: { resources: apiResourceSchemas().map((schema) => ({ schema: schema.metadata.name, storage: { crd: {} } })) },
    });
  });

  it('given the export, then it claims webhook configurations and nothing else, with the verbs that bindings accepted before', () => {
    expect(apiExport()['spec']).toMatchObject({ permissionClaims: [PERMISSION_CLAIM] });
    expect(PERMISSION_CLAIM).toEqual({
      group: 'admissionregistration.k8s.io',
      resource: 'validatingwebhookconfigurations',
      verbs: ['get', 'list', 'watch', 'create', 'update', 'delete'],
    });
  });
});

describe(contentHash, () => {
  it('given the same content in another order, then the hash is the same, else not', () => {
    expect(contentHash({ a: 1, b: [1, 2] })).toBe(contentHash({ b: [1, 2], a: 1 }));
    expect(contentHash({ a: 1, b: [1, 2] })).not.toBe(contentHash({ a: 1, b: [2, 1] }));
    expect(contentHash('')).toHaveLength(16);
  });

  it('given a known text, then it is FNV-1a', () => {
    // The 64-bit FNV-1a hash of the four bytes "ab" in quotes, as JSON writes the text.
    expect(contentHash('ab')).toBe(fnv1a('"ab"'));
  });
});

describe('what the schema lets through', () => {
  const schema = new Ajv({ strict: false, validateFormats: false }).compile(API_KINDS[0]!.schema);
  const withPath = (path: string) => ruleObject(ruleSpec({ dependencies: [dependencySpec({ apiExportRef: { path, name: 'a' } })] }));
  const withGroup = (group: string) => ruleObject(ruleSpec({ dependencies: [dependencySpec({ group })] }));
  const withVersion = (version: string) => ruleObject(ruleSpec({ dependencies: [dependencySpec({ version })] }));
  const withResource = (resource: string) => ruleObject(ruleSpec({ dependencies: [dependencySpec({ resource })] }));

  // kcp's own grammar: segments and names may start with a digit; a group is a DNS-1123 subdomain, a version a DNS-1035 label.
  it.each([
    withPath('1k7ez4pisisnd9rg'),
    withPath('root:0a:1'),
    withPath(`root:${'a'.repeat(63)}:${'b'.repeat(63)}:${'c'.repeat(63)}:${'d'.repeat(63)}`),
    withGroup('0.example.com'),
    withGroup('a'.repeat(253)),
    withVersion('next'),
    withVersion('v2-x'),
    withResource('virtual-machines'),
    withResource('a'.repeat(63)),
  ])('given what kcp accepts, then it is a rule', (object) => {
    expect([schema(object), parseRule(object).ok]).toEqual([true, true]);
  });

  // Patterns of the schema that bindings used before: each of these was accepted there.
  it.each([
    withPath('root:compute-provider'),
    withPath('a'),
    withGroup('a.b-c'),
    withVersion('v1'),
    withVersion('v10beta20'),
    withResource('a1'),
  ])('given what was accepted before, then it is a rule', (object) => {
    expect([schema(object), parseRule(object).ok]).toEqual([true, true]);
  });

  it('given a path that was accepted before and that no workspace can have, then the schema still accepts it and the parser says why not', () => {
    expect(schema(withPath('root:a-'))).toBe(true);
    expect(parseRule(withPath('root:a-'))).toMatchObject({ problem: [{ reason: 'ImpossiblePath' }] });
  });
});

function fnv1a(text: string): string {
  const step = (hash: bigint, byte: number) => BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return [...Buffer.from(text)].reduce(step, 0xcbf29ce484222325n).toString(16).padStart(16, '0');
}
