import { deepEqual, equal, match } from 'node:assert/strict';
import type { Answer } from '../https/answer.js';
import type { Tree } from '../https/kube-body.js';
import { eventually } from '../stage/eventually.js';
import { NETWORK, type TypeToServe } from '../stage/example-types.js';
import { anyWorkspace, consumerOf, makeExport, paths, type Export } from '../stage/exports.js';
import type { Stage } from '../stage/stage.js';
import { deny, inForce, webhookConfiguration, webhookEntry } from '../stage/webhooks.js';
import type { ConformanceCase } from './conformance-case.js';

/** A type that says nothing of its fields, as a rule and a guard with and without a spec. */
const THING: TypeToServe = {
  plural: 'things',
  kind: 'Thing',
  scope: 'Cluster',
  versions: [{ name: 'v1', served: true, storage: true, schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }],
};

const SPEC = { a: 'x', n: 2, list: [1, 2], flag: true };

function thing(name: string, label: string, spec: Tree | undefined, metadata: Tree = {}): Tree {
  return {
    apiVersion: `${NETWORK}/v1`,
    kind: 'Thing',
    metadata: { name, labels: { case: label }, ...metadata },
    ...(spec === undefined ? {} : { spec }),
  };
}

interface Provided {
  readonly made: Export;
  readonly things: string;
}

async function provided(kcp: Stage): Promise<Provided> {
  return kcp.shared('things', async () => {
    const made = await makeExport(kcp, { types: [THING] });
    const workspace = await consumerOf(kcp, made, { types: [THING] });
    return { made, things: `${workspace.at}/apis/${NETWORK}/v1/things` };
  });
}

/** Whether the webhook was asked (it refuses whatever it is asked), the write passed without, or the condition failed. */
function outcome({ status, text }: Answer): string {
  if (status < 300) return 'passed';
  if (text.includes('was asked')) return 'asked';
  return status === 403 && text.includes('resulted in error') ? 'error' : `${status} ${text}`;
}

/** What becomes of the writes that matter, under these conditions; all of them are dry runs. */
async function underConditions(kcp: Stage, conditions: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const { made, things } = await provided(kcp);
  const label = kcp.unique('c');
  const [full, bare] = [`${label}-full`, `${label}-bare`];
  (await kcp.admin.post(things, thing(full, label, SPEC))).expect(201);
  (await kcp.admin.post(things, thing(bare, label, undefined))).expect(201);
  const hook = kcp.webhooks.open(label, deny('was asked'));
  const ruleOf = (...operations: readonly string[]): Tree => ({
    operations,
    apiGroups: [NETWORK],
    apiVersions: ['*'],
    resources: ['things'],
    scope: '*',
  });
  const objectSelector = { matchLabels: { case: label } };
  const matchConditions = conditions.map((expression, index) => ({ name: `c${index}`, expression }));
  const entries = [
    webhookEntry('writes.example.com', hook, {
      rules: [ruleOf('CREATE', 'UPDATE')],
      objectSelector,
      matchConditions,
      failurePolicy: 'Fail',
    }),
    webhookEntry('deletes.example.com', hook, { rules: [ruleOf('DELETE')], objectSelector }),
  ];
  (await kcp.admin.post(paths(made.workspace).webhooks, webhookConfiguration(label, entries))).expect(201);
  await inForce(kcp, `${things}/${bare}`, 403);
  const patch = async (name: string, change: Tree): Promise<string> =>
    outcome(await kcp.admin.patch('merge', `${things}/${name}?dryRun=All`, change));
  return {
    create: outcome(await kcp.admin.post(`${things}?dryRun=All`, thing('new', label, SPEC))),
    'create bare': outcome(await kcp.admin.post(`${things}?dryRun=All`, thing('new', label, undefined))),
    label: await patch(full, { metadata: { labels: { more: 'l' } } }),
    'label bare': await patch(bare, { metadata: { finalizers: ['example.com/f'] } }),
    change: await patch(full, { spec: { a: 'y' } }),
    'add spec': await patch(bare, { spec: SPEC }),
    'remove spec': await patch(full, { spec: null }),
  };
}

const [PASSED, ASKED, ERROR] = ['passed', 'asked', 'error'];
const GUARDED = `has(object.spec) && (request.operation == 'CREATE' || !has(oldObject.spec) || object.spec != oldObject.spec)`;

/** One row: the outcomes of create, create bare, label, label bare, change, add spec, remove spec. */
const OUTCOMES: readonly (readonly [expressions: readonly string[], ...outcomes: readonly string[]])[] = [
  [[GUARDED], ASKED, PASSED, PASSED, PASSED, ASKED, ASKED, PASSED],
  [[GUARDED, '!has(object.metadata.deletionTimestamp)'], ASKED, PASSED, PASSED, PASSED, ASKED, ASKED, PASSED],
  [['object.?spec != oldObject.?spec'], ASKED, PASSED, PASSED, PASSED, ASKED, ASKED, ASKED],
  [['object.?spec.hasValue() && object.?spec != oldObject.?spec'], ASKED, PASSED, PASSED, PASSED, ASKED, ASKED, PASSED],
  [['object.?spec.orValue({}) != oldObject.?spec.orValue({})'], ASKED, PASSED, PASSED, PASSED, ASKED, ASKED, ASKED],
  [['oldObject == null || object.?spec != oldObject.?spec'], ASKED, ASKED, PASSED, PASSED, ASKED, ASKED, ASKED],
  [['object.spec != oldObject.spec'], ERROR, ERROR, PASSED, ERROR, ASKED, ERROR, ERROR],
  [['oldObject != null && object.spec != oldObject.spec'], PASSED, PASSED, PASSED, ERROR, ASKED, ERROR, ERROR],
  [['has(oldObject.spec)'], PASSED, PASSED, ASKED, PASSED, ASKED, PASSED, ASKED],
  [['oldObject.?spec.hasValue()'], PASSED, PASSED, ASKED, PASSED, ASKED, PASSED, ASKED],
  [['has(object.spec.a)'], ASKED, ERROR, ASKED, ERROR, ASKED, ASKED, ERROR],
  [[`object.?spec.?a.orValue('') == 'x'`], ASKED, PASSED, ASKED, PASSED, PASSED, ASKED, PASSED],
  [[`object.spec.?a.orValue('') == 'x'`], ASKED, ERROR, ASKED, ERROR, PASSED, ASKED, ERROR],
  [['object.nope.a == 1 || true'], ASKED, ASKED, ASKED, ASKED, ASKED, ASKED, ASKED],
  [['object.nope.a == 1', 'false'], PASSED, PASSED, PASSED, PASSED, PASSED, PASSED, PASSED],
  [[`request.namespace == ''`], ERROR, ERROR, ERROR, ERROR, ERROR, ERROR, ERROR],
  [['has(request.namespace) || has(request.subResource)'], PASSED, PASSED, PASSED, PASSED, PASSED, PASSED, PASSED],
  [[`request.options.kind == 'CreateOptions'`], ASKED, ASKED, PASSED, PASSED, PASSED, PASSED, PASSED],
  [[`request.dryRun && request.name == object.metadata.name`], ASKED, ASKED, ASKED, ASKED, ASKED, ASKED, ASKED],
  [[`'a' in request.userInfo.extra || 'nope' in request.userInfo.groups`], PASSED, PASSED, PASSED, PASSED, PASSED, PASSED, PASSED],
];

/** What Kubernetes does not compile, and what it says of it. */
const REFUSED: readonly (readonly [expression: string, why: RegExp])[] = [
  ['', /expression: Required value$/],
  [' ', /expression: Required value$/],
  ['object.spec ==', /compilation failed/],
  ['object.spec', /must evaluate to bool but got dyn$/],
  [`'x'`, /must evaluate to bool but got string$/],
  ['1', /must evaluate to bool but got int$/],
  [`1 == 'x'`, /compilation failed/],
  [`"a" + 1 == "b"`, /compilation failed/],
  ['nope == 1', /compilation failed/],
  ['variables.x == 1', /compilation failed/],
  ['request.nope == 1', /compilation failed/],
  ['request.object == null', /compilation failed/],
  ['request.operation == 1', /compilation failed/],
  [`request.userInfo.nope == ''`, /compilation failed/],
  ['has(request.nope)', /compilation failed/],
  ['has(object)', /compilation failed/],
  ['object.spec.foo() == 1', /compilation failed/],
  ['nope()', /compilation failed/],
  ['size(1) == 1', /compilation failed/],
  [`object.spec.m == {'p': 1, 'q': [1]}`, /compilation failed/],
  [`cel.bind(s, object.spec, s.a == 'x')`, /compilation failed/],
];

/** D: conditions in CEL of webhooks that are asked about creates and updates. */
export const conditionsOfWrites: readonly ConformanceCase[] = [
  ...OUTCOMES.map(([expressions, create, bare, label, labelBare, change, add, remove], index): ConformanceCase => ({
    id: `D28.${index + 1}`,
    title: `under the condition ${expressions.join('; ')} creates and updates are asked about, pass or fail as on Kubernetes`,
    run: async (kcp) => {
      deepEqual(await underConditions(kcp, expressions), {
        create,
        'create bare': bare,
        label,
        'label bare': labelBare,
        change,
        'add spec': add,
        'remove spec': remove,
      });
    },
  })),
  {
    id: 'D28.21',
    title: 'a condition over deletionTimestamp lets an object go that a webhook would not let change',
    run: async (kcp) => {
      const { made, things } = await provided(kcp);
      const label = kcp.unique('going');
      const hook = kcp.webhooks.open(label, deny('was asked'));
      const rules = [{ operations: ['UPDATE'], apiGroups: [NETWORK], apiVersions: ['*'], resources: ['things'], scope: '*' }];
      const matchConditions = [{ name: 'stays', expression: '!has(object.metadata.deletionTimestamp)' }];
      const entry = webhookEntry('going.example.com', hook, { rules, matchConditions, objectSelector: { matchLabels: { case: label } } });
      (await kcp.admin.post(things, thing(label, label, SPEC, { finalizers: ['example.com/f'] }))).expect(201);
      (await kcp.admin.post(paths(made.workspace).webhooks, webhookConfiguration(label, [entry]))).expect(201);
      await changes(kcp, `${things}/${label}`, 403);

      (await kcp.admin.delete(`${things}/${label}`)).expect(200);

      await changes(kcp, `${things}/${label}`, 200);
      (await kcp.admin.patch('merge', `${things}/${label}`, { metadata: { finalizers: null } })).expect(200);
      equal((await kcp.admin.get(`${things}/${label}`)).status, 404);
    },
  },
  {
    id: 'D28.22',
    title: 'the refusal of a condition that fails names object, expression and what is missing',
    run: async (kcp) => {
      const { made, things } = await provided(kcp);
      const label = kcp.unique('why');
      const hook = kcp.webhooks.open(label, deny('was asked'));
      const rules = [{ operations: ['UPDATE'], apiGroups: [NETWORK], apiVersions: ['*'], resources: ['things'], scope: '*' }];
      const matchConditions = [{ name: 'changed', expression: 'object.spec != oldObject.spec' }];
      const entry = webhookEntry('why.example.com', hook, { rules, matchConditions, objectSelector: { matchLabels: { case: label } } });
      (await kcp.admin.post(things, thing(label, label, undefined))).expect(201);
      (await kcp.admin.post(paths(made.workspace).webhooks, webhookConfiguration(label, [entry]))).expect(201);
      await changes(kcp, `${things}/${label}`, 403);

      const { body } = await kcp.admin.patch('merge', `${things}/${label}`, { metadata: { labels: { more: 'l' } } });

      equal(
        body.message,
        `things.${NETWORK} "${label}" is forbidden: expression 'object.spec != oldObject.spec' resulted in error: no such key: spec`,
      );
      deepEqual([body.code, body.reason], [403, 'Forbidden']);
    },
  },
  ...REFUSED.map(([expression, why], index): ConformanceCase => ({
    id: `D28.${index + 23}`,
    title: `the condition ${JSON.stringify(expression)} is refused when it is written`,
    run: async (kcp) => {
      const workspace = await anyWorkspace(kcp);
      const hook = { url: 'https://127.0.0.1:1/nobody', caBundle: '' };
      const entry = webhookEntry('a.example.com', hook, { matchConditions: [{ name: 'a', expression }] });

      const refused = await kcp.admin.post(paths(workspace).webhooks, webhookConfiguration(kcp.unique('cel'), [entry]));

      equal(refused.status, 422);
      match((refused.body.message ?? '').split('\n')[0] ?? '', /: webhooks\[0\]\.matchConditions\[0\]\.expression: /);
      match((refused.body.message ?? '').split('\n')[0] ?? '', why);
    },
  })),
];

/** Waits until a change of an object is answered as told. */
async function changes(kcp: Stage, object: string, status: number): Promise<void> {
  await eventually(`a change of ${object} is answered with ${status}`, async () => {
    (await kcp.admin.patch('merge', `${object}?dryRun=All`, { metadata: { labels: { probe: kcp.unique('p') } } })).expect(status);
  });
}
