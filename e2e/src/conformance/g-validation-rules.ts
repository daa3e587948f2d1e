import { deepEqual, equal } from 'node:assert/strict';
import type { Tree } from '../https/kube-body.js';
import { NETWORK, version } from '../stage/example-types.js';
import { bind, makeExport, paths, served } from '../stage/exports.js';
import type { Stage } from '../stage/stage.js';
import type { ConformanceCase } from './conformance-case.js';

const text = { type: 'string', maxLength: 9 };
const ruled = (schema: Tree, rule: string, more: Tree = {}): Tree => ({
  ...schema,
  'x-kubernetes-validations': [{ rule, message: 'm', ...more }],
});
const notNo = (schema: Tree, more: Tree = {}): Tree => ruled(schema, 'self != "no"', more);
const optionalOldSelf = true;

const FIELDS: Tree = {
  word: notNo(text),
  size: ruled({ type: 'integer' }, 'self != 3'),
  flag: ruled({ type: 'boolean' }, 'self'),
  list: ruled({ type: 'array', maxItems: 3, items: notNo(text) }, 'self.size() != 2'),
  map: { type: 'object', maxProperties: 3, additionalProperties: notNo(text) },
  nested: {
    type: 'object',
    maxProperties: 3,
    additionalProperties: { type: 'object', properties: { x: { ...notNo(text), minLength: 2 } } },
  },
  forbidden: notNo(text, { reason: 'FieldValueForbidden' }),
  required: notNo(text, { reason: 'FieldValueRequired' }),
  silent: { ...text, 'x-kubernetes-validations': [{ rule: 'self != "no"' }] },
  broken: ruled({ type: 'object', properties: { q: text } }, 'self.q == "x"'),
  dashed: ruled({ type: 'object', properties: { 'a-b': text } }, '!has(self.a__dash__b) || self.a__dash__b != "no"'),
  told: ruled({ type: 'object', properties: { q: text } }, 'self.q != "no"', { messageExpression: '"not " + self.q' }),
  untold: ruled({ type: 'object', properties: { q: text, r: text } }, 'self.q != "no"', { messageExpression: '"not " + self.r' }),
  lines: ruled({ type: 'object', properties: { q: text } }, 'self.q != "no"', { messageExpression: '"a\\nb"' }),
  blames: ruled({ type: 'object', properties: { q: text } }, 'self.q != "no"', { fieldPath: '.q' }),
  blamesKey: ruled({ type: 'object', maxProperties: 3, additionalProperties: text }, '!("a.b" in self)', { fieldPath: "['a.b']" }),
  twice: ruled({ type: 'object', properties: { q: text } }, 'self.q != "no"', { reason: 'FieldValueDuplicate' }),
  once: ruled(text, 'oldSelf.hasValue() ? self == oldSelf.value() : self != "no"', { optionalOldSelf }),
  grows: {
    type: 'array',
    maxItems: 3,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
    items: ruled(
      { type: 'object', required: ['k'], properties: { k: text, n: { type: 'integer' } } },
      'oldSelf.hasValue() ? self.n >= oldSelf.value().n : self.n < 5',
      { optionalOldSelf },
    ),
  },
};

/** A workspace that serves the type with the rules; made once. */
async function things(kcp: Stage): Promise<string> {
  return kcp.shared('a type with rules', async () => {
    const schema = { type: 'object', properties: { spec: { type: 'object', properties: FIELDS } } };
    const made = await makeExport(kcp, {
      types: [{ plural: 'things', kind: 'Thing', scope: 'Namespaced', versions: [version('v1', schema)] }],
    });
    const workspace = await kcp.workspace();
    await bind(kcp, workspace, made);
    const path = paths(workspace).vpcs.replace(/vpcs$/, 'things');
    await served(kcp, path);
    return path;
  });
}

const thing = (name: string, spec: Tree): Tree => ({ apiVersion: `${NETWORK}/v1`, kind: 'Thing', metadata: { name }, spec });
const said = (causes: readonly { readonly field?: string; readonly message?: string }[] | undefined): readonly string[] =>
  (causes ?? []).map(({ field, message }) => `${field ?? ''}: ${message ?? ''}`);

/** Whether it shows the value that a rule refuses; before 0.31 it showed the type of the value. */
const showsValues = (kcp: Stage): boolean => kcp.since('0.31');

const BROKEN: readonly {
  readonly n: number;
  readonly what: string;
  readonly spec: Tree;
  readonly says: readonly string[];
  readonly older?: readonly string[];
}[] = [
  {
    n: 1,
    what: 'a word is shown',
    spec: { word: 'no' },
    says: ['spec.word: Invalid value: "no": m'],
    older: ['spec.word: Invalid value: "string": m'],
  },
  {
    n: 2,
    what: 'a number is shown',
    spec: { size: 3 },
    says: ['spec.size: Invalid value: 3: m'],
    older: ['spec.size: Invalid value: "integer": m'],
  },
  {
    n: 3,
    what: 'false is shown',
    spec: { flag: false },
    says: ['spec.flag: Invalid value: false: m'],
    older: ['spec.flag: Invalid value: "boolean": m'],
  },
  {
    n: 4,
    what: 'a list is not shown',
    spec: { list: ['a', 'b'] },
    says: ['spec.list: Invalid value: m'],
    older: ['spec.list: Invalid value: "array": m'],
  },
  {
    n: 5,
    what: 'an item has its place',
    spec: { list: ['no'] },
    says: ['spec.list[0]: Invalid value: "no": m'],
    older: ['spec.list[0]: Invalid value: "string": m'],
  },
  {
    n: 6,
    what: 'a value of a map has its key',
    spec: { map: { 'a.b/c': 'no' } },
    says: ['spec.map[a.b/c]: Invalid value: "no": m'],
    older: ['spec.map[a.b/c]: Invalid value: "string": m'],
  },
  {
    n: 7,
    what: 'a field below a key follows it',
    spec: { nested: { k: { x: 'no' } } },
    says: ['spec.nested[k].x: Invalid value: "no": m'],
    older: ['spec.nested[k].x: Invalid value: "string": m'],
  },
  {
    n: 8,
    what: 'a value out of bounds does not keep rules from being asked',
    spec: { nested: { k: { x: 'a' } }, word: 'no' },
    says: [
      'spec.nested.k.x: Invalid value: "a": spec.nested.k.x in body should be at least 2 chars long',
      'spec.word: Invalid value: "no": m',
    ],
    older: [
      'spec.nested.k.x: Invalid value: "a": spec.nested.k.x in body should be at least 2 chars long',
      'spec.word: Invalid value: "string": m',
    ],
  },
  { n: 9, what: 'a reason may be Forbidden', spec: { forbidden: 'no' }, says: ['spec.forbidden: Forbidden: m'] },
  { n: 10, what: 'a reason may be Required', spec: { required: 'no' }, says: ['spec.required: Required value: m'] },
  {
    n: 11,
    what: 'a rule without a message shows itself',
    spec: { silent: 'no' },
    says: ['spec.silent: Invalid value: "no": failed rule: self != "no"'],
    older: ['spec.silent: Invalid value: "string": failed rule: self != "no"'],
  },
  {
    n: 12,
    what: 'a rule that cannot be answered says why',
    spec: { broken: {} },
    says: ['spec.broken: Invalid value: "object": no such key: q evaluating rule: m'],
  },
  {
    n: 13,
    what: 'a field with a dash has a name in CEL',
    spec: { dashed: { 'a-b': 'no' } },
    says: ['spec.dashed: Invalid value: m'],
    older: ['spec.dashed: Invalid value: "object": m'],
  },
  {
    n: 14,
    what: 'an optional old value is asked on a create',
    spec: { once: 'no' },
    says: ['spec.once: Invalid value: "no": m'],
    older: ['spec.once: Invalid value: "string": m'],
  },
  {
    n: 16,
    what: 'its message may be computed',
    spec: { told: { q: 'no' } },
    says: ['spec.told: Invalid value: not no'],
    older: ['spec.told: Invalid value: "object": not no'],
  },
  {
    n: 17,
    what: 'a message that fails is replaced',
    spec: { untold: { q: 'no' } },
    says: ['spec.untold: Invalid value: m'],
    older: ['spec.untold: Invalid value: "object": m'],
  },
  {
    n: 18,
    what: 'a message of two lines is replaced',
    spec: { lines: { q: 'no' } },
    says: ['spec.lines: Invalid value: m'],
    older: ['spec.lines: Invalid value: "object": m'],
  },
  {
    n: 19,
    what: 'a field below may be blamed',
    spec: { blames: { q: 'no' } },
    says: ['spec.blames.q: Invalid value: m'],
    older: ['spec.blames.q: Invalid value: "object": m'],
  },
  {
    n: 20,
    what: 'a key may be blamed',
    spec: { blamesKey: { 'a.b': 'no' } },
    says: ['spec.blamesKey.[a.b]: Invalid value: m'],
    older: ['spec.blamesKey.[a.b]: Invalid value: "object": m'],
  },
  {
    n: 21,
    what: 'a duplicate object says no more',
    spec: { twice: { q: 'no' } },
    says: ['spec.twice: Duplicate value'],
    older: ['spec.twice: Duplicate value: "object"'],
  },
];

/** G27: CEL rules of bound types. */
export const validationRules: readonly ConformanceCase[] = [
  ...BROKEN.map(({ n, what, spec, says, older = says }): ConformanceCase => ({
    id: `G27.${n}`,
    title: `of a broken rule: ${what}`,
    run: async (kcp) => {
      const { status, body } = await kcp.admin.post(`${await things(kcp)}?dryRun=All`, thing('a', spec));

      equal(status, 422);
      deepEqual(said(body.details?.causes).toSorted(), (showsValues(kcp) ? says : older).toSorted());
    },
  })),
  {
    id: 'G27.15',
    title: 'a rule with an optional old value is asked on creates and on updates, in lists by key',
    run: async (kcp) => {
      const path = await things(kcp);
      const name = kcp.unique('t');
      (await kcp.admin.post(path, thing(name, { once: 'a', grows: [{ k: 'a', n: 3 }] }))).expect(201);
      const patch = async (spec: Tree): Promise<readonly string[]> =>
        said((await kcp.admin.patch('merge', `${path}/${name}?dryRun=All`, { spec })).body.details?.causes);

      deepEqual(await patch({ once: 'b' }), [
        showsValues(kcp) ? 'spec.once: Invalid value: "b": m' : 'spec.once: Invalid value: "string": m',
      ]);
      deepEqual(await patch({ once: 'a', grows: [{ k: 'a', n: 4 }] }), []);
      deepEqual(
        await patch({
          grows: [
            { k: 'a', n: 2 },
            { k: 'b', n: 9 },
          ],
        }),
        [0, 1].map((item) => `spec.grows[${item}]: Invalid value: ${showsValues(kcp) ? '' : '"object": '}m`),
      );
    },
  },
];
