import { deepEqual, equal, match } from 'node:assert/strict';
import type { Tree } from '../https/kube-body.js';
import { anyWorkspace, APIS_V1ALPHA1, schemaOf } from '../stage/exports.js';
import type { ConformanceCase } from './conformance-case.js';

const GROUP = 'schemas.example.com';

interface Refused {
  readonly n: number;
  readonly what: string;
  /** The schema of the field `a`. */
  readonly a?: Tree;
  readonly root?: Tree;
  /** What is said of the schema, after the place of its root. */
  readonly says: RegExp;
}

const text = { type: 'string' };
const map = (keys: readonly string[], item: Tree = {}): Tree => ({
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': keys,
  items: { type: 'object', properties: { k: text }, ...item },
});
const ruled = (rule: Tree, schema: Tree = text): Tree => ({ ...schema, 'x-kubernetes-validations': [rule] });

const REFUSED: readonly Refused[] = [
  { n: 1, what: 'no type', root: { properties: {} }, says: /^\.type: Required value: must not be empty at the root$/ },
  { n: 2, what: 'a string at its root', root: text, says: /^\.type: Invalid value: "string": must be object at the root$/ },
  {
    n: 3,
    what: 'a field of no type',
    a: {},
    says: /^\.properties\[a\]\.type: Required value: must not be empty for specified object fields$/,
  },
  { n: 4, what: 'a list of nothing', a: { type: 'array' }, says: /^\.properties\[a\]\.items: Required value: must be specified$/ },
  {
    n: 5,
    what: 'items of no type',
    a: { type: 'array', items: {} },
    says: /^\.properties\[a\]\.items\.type: Required value: must not be empty for specified array items$/,
  },
  {
    n: 6,
    what: 'properties and further ones',
    a: { type: 'object', properties: { x: text }, additionalProperties: text },
    says: /^\.properties\[a\]\.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive$/,
  },
  {
    n: 7,
    what: 'unique items',
    a: { type: 'array', uniqueItems: true, items: text },
    says: /^\.properties\[a\]\.uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic$/,
  },
  { n: 8, what: 'a reference', a: { $ref: '#/x' }, says: /^\.properties\[a\]\.\$ref: Forbidden: \$ref is not supported$/ },
  {
    n: 9,
    what: 'a type in a further condition',
    a: { type: 'object', anyOf: [{ type: 'object' }] },
    says: /^\.properties\[a\]\.anyOf\[0\]\.type: Forbidden: must be empty to be structural$/,
  },
  {
    n: 10,
    what: 'a default of another type',
    a: { type: 'string', default: 3 },
    says: /^\.properties\[a\]\.default: Invalid value: "integer": {2}in body must be of type string: "integer"$/,
  },
  {
    n: 11,
    what: 'a default with unknown fields',
    a: { type: 'object', properties: { b: text }, default: { c: 1 } },
    says: /^\.properties\[a\]\.default: Invalid value: \{"c":1\}: must not have unknown fields$/,
  },
  {
    n: 12,
    what: 'an unknown type',
    a: { type: 'text' },
    says: /^\.properties\[a\]\.type: Unsupported value: "text": supported values: "array", "boolean", "integer", "number", "object", "string"$/,
  },
  {
    n: 13,
    what: 'a key that items lack',
    a: map(['q']),
    says: /^\.properties\[a\]\.x-kubernetes-list-map-keys: Invalid value: \["q"\]: entries must all be names of item properties$/,
  },
  {
    n: 14,
    what: 'a key that may be missing',
    a: map(['k']),
    says: /^\.properties\[a\]\.items\.properties\[k\]\.default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property$/,
  },
  {
    n: 15,
    what: 'a string that is a set',
    a: { ...text, 'x-kubernetes-list-type': 'set' },
    says: /^\.properties\[a\]\.type: Invalid value: "string": must be array if x-kubernetes-list-type is specified$/,
  },
  {
    n: 16,
    what: 'unknown fields that are not preserved in so many words',
    a: { type: 'object', 'x-kubernetes-preserve-unknown-fields': false },
    says: /^\.properties\[a\]\.x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined$/,
  },
  {
    n: 17,
    what: 'labels of its own',
    root: { type: 'object', properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } } },
    says: /^\.properties\[metadata\]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified$/,
  },
  {
    n: 18,
    what: 'an expression that looks ahead',
    a: { ...text, pattern: '(?=a)' },
    says: /^\.properties\[a\]\.pattern: Invalid value: "\(\?=a\)": must be a valid regular expression, but isn't: error parsing regexp: invalid or unsupported Perl syntax: `\(\?=`$/,
  },
  {
    n: 19,
    what: 'a rule that is no CEL',
    a: ruled({ rule: 'self ==' }),
    says: /^\.properties\[a\]\.x-kubernetes-validations\[0\]\.rule: Invalid value: \{"Rule":"self ==",.*\}: compilation failed: /,
  },
  { n: 20, what: 'a rule for another type', a: ruled({ rule: 'self > 3' }), says: /\]\.rule: Invalid value: .*: compilation failed: / },
  {
    n: 21,
    what: 'a rule that answers with a word',
    a: ruled({ rule: 'self' }),
    says: /\]\.rule: Invalid value: .*: cel expression must evaluate to a bool$/,
  },
  {
    n: 22,
    what: 'an optional old value that nobody asks for',
    a: ruled({ rule: 'self == "a"', optionalOldSelf: true }),
    says: /\]\.optionalOldSelf: Invalid value: true: may not be set if oldSelf is not used in rule$/,
  },
  {
    n: 23,
    what: 'a comparison of items that have no former self',
    a: { type: 'array', maxItems: 3, items: ruled({ rule: 'self == oldSelf' }, { ...text, maxLength: 9 }) },
    says: /oldSelf cannot be used on the uncorrelatable portion of the schema within .*\.properties\[a\]$/,
  },
  {
    n: 27,
    what: 'a path of a rule that leads nowhere',
    a: ruled({ rule: 'true', fieldPath: '.none' }, { type: 'object', properties: { x: text } }),
    says: /^\.properties\[a\]\.x-kubernetes-validations\[0\]\.fieldPath: Invalid value: "\.none": must be a valid path$/,
  },
  {
    n: 28,
    what: 'an item in the path of a rule',
    a: ruled({ rule: 'true', fieldPath: '.x[0]' }, { type: 'object', properties: { x: { type: 'array', items: text } } }),
    says: /^\.properties\[a\]\.x-kubernetes-validations\[0\]\.fieldPath: Invalid value: "\.x\[0\]": must be a valid path$/,
  },
  {
    n: 29,
    what: 'a blank computed message',
    a: ruled({ rule: 'true', messageExpression: ' ' }),
    says: /\.messageExpression: Required value: messageExpression must be non-empty if specified$/,
  },
  {
    n: 30,
    what: 'a computed message that is no text',
    a: ruled({ rule: 'true', messageExpression: 'self.size()' }),
    says: /\.messageExpression: Invalid value: .*"Rule":"true",.*\}: messageExpression must evaluate to a string$/,
  },
  {
    n: 31,
    what: 'a computed message that is no CEL',
    a: ruled({ rule: 'true', messageExpression: 'self +' }),
    says: /\.messageExpression: Invalid value: .*"Rule":"true",.*\}: messageExpression compilation failed: /,
  },
];

/** What is accepted although it looks odd: stricter would be wrong too. */
const ACCEPTED: Readonly<Record<string, Tree>> = {
  'no further fields': { type: 'object', additionalProperties: false },
  'a condition on fields that it does not know': { type: 'object', anyOf: [{ properties: { z: { minLength: 1 } } }] },
  'a required field that it does not know': { type: 'object', properties: { b: text }, required: ['z'] },
  'a format that nobody knows': { ...text, format: 'nonsense' },
  'an int or a string': { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
  'anything at all': { 'x-kubernetes-preserve-unknown-fields': true },
};

const version = (root: Tree, more: Tree = {}): Tree => ({ name: 'v1', served: true, storage: true, schema: root, ...more });
const rootOf = ({ a, root }: Pick<Refused, 'a' | 'root'>): Tree => root ?? { type: 'object', properties: { a } };

function thing(first: Tree, ...more: readonly Tree[]): Tree {
  return schemaOf({ plural: 'things', kind: 'Thing', scope: 'Namespaced', versions: [first, ...more] }, GROUP);
}

function definition(versionOfCrd: Tree): Tree {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `things.${GROUP}` },
    spec: { group: GROUP, scope: 'Namespaced', names: { plural: 'things', kind: 'Thing' }, versions: [versionOfCrd] },
  };
}

/** G26: which schemas kcp takes, from providers (APIResourceSchemas) and from anybody (CustomResourceDefinitions). */
export const schemas: readonly ConformanceCase[] = [
  ...REFUSED.map((row): ConformanceCase => ({
    id: `G26.${row.n}`,
    title: `a schema with ${row.what} is refused`,
    run: async (kcp) => {
      const { at } = await anyWorkspace(kcp);
      const prefix = `apiresourceschemas.apis.kcp.io "v1.things.${GROUP}" is forbidden: [spec.versions[0].schema.openAPIV3Schema`;

      const offered = await kcp.admin.post(`${at}${APIS_V1ALPHA1}/apiresourceschemas?dryRun=All`, thing(version(rootOf(row))));
      const crd = definition(version({ openAPIV3Schema: rootOf(row) }));
      const defined = await kcp.admin.post(`${at}/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All`, crd);

      equal(offered.status, 403, offered.text);
      const said = offered.body.message ?? '';
      equal(said.slice(0, prefix.length), prefix);
      match(said.slice(prefix.length).replace(/\]$/, ''), row.says);
      equal(defined.status, 422, defined.text);
      const [cause] = defined.body.details?.causes ?? [];
      const field = (cause?.field ?? '').replace(/^spec\.validation\.openAPIV3Schema/, '');
      match(`${field}: ${cause?.message ?? ''}`, row.says);
    },
  })),
  {
    id: 'G26.24',
    title: 'a schema may say odd things that mean something',
    run: async (kcp) => {
      const { at } = await anyWorkspace(kcp);

      for (const [what, a] of Object.entries(ACCEPTED)) {
        const { status, text: said } = await kcp.admin.post(
          `${at}${APIS_V1ALPHA1}/apiresourceschemas?dryRun=All`,
          thing(version(rootOf({ a }))),
        );
        equal(status, 201, `${what}: ${said}`);
      }
    },
  },
  {
    id: 'G26.25',
    title: 'a version has a name of its own and columns that lead somewhere',
    run: async (kcp) => {
      const { at } = await anyWorkspace(kcp);
      const root = { type: 'object' };
      const column = (more: Tree): Tree =>
        version(root, { additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: '.a', ...more }] });
      const said = async (...versions: readonly [Tree, ...Tree[]]): Promise<string> => {
        const { body } = await kcp.admin.post(`${at}${APIS_V1ALPHA1}/apiresourceschemas?dryRun=All`, thing(...versions));
        return `${body.code ?? 0} ${body.message ?? ''}`;
      };

      match(
        await said({ ...version(root), name: 'V 1' }),
        /^422 .*: spec\.versions\[0\]\.name: Invalid value: "V 1": .* should match '\^v/,
      );
      match(
        await said(column({ type: 'text' })),
        /^403 .*columns?\[0\]\.type: Invalid value: "text": must be one of boolean,date,integer,number,string\]$/i,
      );
      match(await said(column({ jsonPath: 'a' })), /^403 .*\.JSONPath: Invalid value: "a": must be a simple json path starting with \.\]$/);
    },
  },
  {
    id: 'G26.26',
    title: 'several versions need a strategy, and a webhook strategy a webhook',
    run: async (kcp) => {
      const { at } = await anyWorkspace(kcp);
      const two = [version({ type: 'object' }), version({ type: 'object' }, { name: 'v2', storage: false })];
      const object = thing(version({ type: 'object' }));
      const spec = (more: Tree): Tree => ({ ...object, spec: { ...(object['spec'] as Tree), versions: two, ...more } });
      const said = async (body: Tree): Promise<unknown> =>
        (await kcp.admin.post(`${at}${APIS_V1ALPHA1}/apiresourceschemas?dryRun=All`, body)).body.details?.causes;

      const shown = kcp.since('0.31') ? '' : '"object": ';
      deepEqual(await said(spec({})), [
        {
          reason: 'FieldValueInvalid',
          message: `Invalid value: ${shown}Conversion must be specified when multiple versions exist`,
          field: 'spec',
        },
      ]);
      deepEqual(await said(spec({ conversion: { strategy: 'Webhook' } })), [
        {
          reason: 'FieldValueInvalid',
          message: `Invalid value: ${shown}Webhook must be specified if strategy=Webhook`,
          field: 'spec.conversion',
        },
      ]);
    },
  },
];
