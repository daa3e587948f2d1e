import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { ApiError } from '../http/api-status.js';
import type { JsonRecord } from '../json/json.js';
import { applyMergePatch } from '../patch/merge-patch.js';
import { fieldTypeOf } from './field-type.js';
import { recordUpdate } from './record-update.js';
import { applyServerSide } from './server-side-apply.js';

const strings = { type: 'object', additionalProperties: { type: 'string' } };
const type = fieldTypeOf({
  type: 'object',
  properties: {
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    metadata: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        annotations: strings,
        finalizers: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
      },
    },
    data: strings,
    rules: { type: 'array', items: { type: 'object', properties: { verb: { type: 'string' } } } },
    selector: { type: 'object', 'x-kubernetes-map-type': 'atomic', additionalProperties: { type: 'string' } },
    webhooks: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: { type: 'object', properties: { name: { type: 'string' }, url: { type: 'string' }, timeout: { type: 'integer' } } },
    },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    status: { type: 'object', properties: { phase: { type: 'string' } } },
  },
});

const now = '2026-01-02T03:04:05Z';
const common = { type, apiVersion: 'v1', now };

function object(fields: JsonRecord, metadata: JsonRecord = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'Thing', metadata: { name: 'x', ...metadata }, ...fields };
}

function apply(live: KubeObject | undefined, manager: string, fields: JsonRecord, force = false): KubeObject {
  return applyServerSide({ ...common, live, applied: object(fields), manager, kind: 'Thing', force });
}

function update(live: KubeObject, manager: string, patch: JsonRecord): KubeObject {
  return recordUpdate({ ...common, live, next: applyMergePatch(live, patch) as KubeObject, manager });
}

function refusal(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error instanceof ApiError ? error.body : error;
  }
}

function owned(of: KubeObject): JsonRecord {
  const entries = of.metadata['managedFields'] as readonly { manager: string; operation: string; fieldsV1: JsonRecord }[] | undefined;
  return Object.fromEntries((entries ?? []).map(({ manager, operation, fieldsV1 }) => [`${manager} ${operation}`, fieldsV1]));
}

const data = (...names: string[]): JsonRecord => Object.fromEntries(names.map((name) => [`f:${name}`, {}]));

describe(applyServerSide, () => {
  it('given nothing, when applied, then the object is the configuration and its manager owns its leaves', () => {
    const applied = apply(undefined, 'a', { data: { one: '1', two: '2' } });

    expect(applied).toMatchObject({ apiVersion: 'v1', kind: 'Thing', data: { one: '1', two: '2' } });
    expect(applied.metadata['managedFields']).toEqual([
      { manager: 'a', operation: 'Apply', apiVersion: 'v1', time: now, fieldsType: 'FieldsV1', fieldsV1: { 'f:data': data('one', 'two') } },
    ]);
  });

  it('given the same value from another manager, when applied, then both own it and nothing else changes', () => {
    const first = apply(undefined, 'a', { data: { one: '1' } });

    const second = apply(first, 'b', { data: { one: '1' } });

    expect(owned(second)).toEqual({ 'a Apply': { 'f:data': data('one') }, 'b Apply': { 'f:data': data('one') } });
    expect(second['data']).toEqual(first['data']);
  });

  it('given one field of another manager, when applied with another value, then it is 409 and names the field', () => {
    const live = apply(undefined, 'a', { data: { one: '1' } });

    expect(refusal(() => apply(live, 'b', { data: { one: '9' } }))).toEqual({
      code: 409,
      reason: 'Conflict',
      message: 'Apply failed with 1 conflict: conflict with "a": .data.one',
      details: { causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "a"', field: '.data.one' }] },
    });
  });

  it('given fields of several managers, when applied with other values, then the conflicts are grouped by manager', () => {
    const live = update(apply(undefined, 'a', { data: { one: '1' }, webhooks: [{ name: 'h', url: 'u' }] }), 'c', { data: { two: '2' } });

    expect(refusal(() => apply(live, 'b', { data: { one: '9', two: '9' }, webhooks: [{ name: 'h', url: 'v' }] }))).toMatchObject({
      message: [
        'Apply failed with 3 conflicts: conflicts with "a":',
        '- .data.one',
        '- .webhooks[name="h"].url',
        'conflicts with "c" using v1:',
        '- .data.two',
      ].join('\n'),
    });
  });

  it('given a conflict, when forced, then the value and the field change hands', () => {
    const live = apply(undefined, 'a', { data: { one: '1', two: '2' } });

    const forced = apply(live, 'b', { data: { one: '9' } }, true);

    expect(forced['data']).toEqual({ one: '9', two: '2' });
    expect(owned(forced)).toEqual({ 'a Apply': { 'f:data': data('two') }, 'b Apply': { 'f:data': data('one') } });
  });

  it.each([
    { given: 'a field', first: { data: { one: '1', two: '2' } }, second: { data: { one: '1' } }, expected: { data: { one: '1' } } },
    { given: 'every field of a map', first: { data: { one: '1' } }, second: {}, expected: {} },
    {
      given: 'an item of a keyed list',
      first: { webhooks: [{ name: 'a' }, { name: 'b' }] },
      second: { webhooks: [{ name: 'b' }] },
      expected: { webhooks: [{ name: 'b' }] },
    },
    {
      given: 'a field of an item',
      first: { webhooks: [{ name: 'a', url: 'u', timeout: 3 }] },
      second: { webhooks: [{ name: 'a', url: 'u' }] },
      expected: { webhooks: [{ name: 'a', url: 'u' }] },
    },
    {
      given: 'an item of an atomic list',
      first: { rules: [{ verb: 'a' }, { verb: 'b' }] },
      second: { rules: [{ verb: 'b' }] },
      expected: { rules: [{ verb: 'b' }] },
    },
    {
      given: 'a key of an atomic map',
      first: { selector: { a: '1', b: '2' } },
      second: { selector: { b: '2' } },
      expected: { selector: { b: '2' } },
    },
    {
      given: 'a field that no schema names',
      first: { free: { a: { b: 1, c: 2 } } },
      second: { free: { a: { c: 2 } } },
      expected: { free: { a: { c: 2 } } },
    },
  ])('given $given that its only manager leaves out, when applied again, then it goes', ({ first, second, expected }) => {
    const { metadata: _metadata, apiVersion: _apiVersion, kind: _kind, ...fields } = apply(apply(undefined, 'a', first), 'a', second);

    expect(fields).toEqual(expected);
  });

  it('given a field that another manager owns too, when its first manager leaves it out, then it stays', () => {
    const live = apply(apply(undefined, 'a', { data: { one: '1' } }), 'b', { data: { one: '1' } });

    const left = apply(live, 'a', {});

    expect(left['data']).toEqual({ one: '1' });
    expect(owned(left)).toEqual({ 'b Apply': { 'f:data': data('one') } });
  });

  it('given items of several appliers in a keyed list, when one applies another order, then its order holds and the others stay before what followed them', () => {
    const live = apply(apply(undefined, 'a', { webhooks: [{ name: 'a1' }, { name: 'a2' }] }), 'b', { webhooks: [{ name: 'b1' }] });

    const applied = apply(live, 'a', { webhooks: [{ name: 'a2' }, { name: 'a1' }] });

    expect(applied['webhooks']).toEqual([{ name: 'a2' }, { name: 'b1' }, { name: 'a1' }]);
  });

  it('given the same configuration again, when applied, then the object is the very same, time included', () => {
    const live = apply(undefined, 'a', { data: { one: '1' } });

    expect(
      applyServerSide({
        ...common,
        live,
        applied: object({ data: { one: '1' } }),
        manager: 'a',
        kind: 'Thing',
        force: false,
        now: 'later',
      }),
    ).toEqual(live);
  });

  it('given an object without managers, when applied, then what it held belongs to before-first-apply', () => {
    const live = object({ data: { one: '1' } });

    expect(owned(apply(live, 'a', { data: { two: '2' } }))).toEqual({
      'a Apply': { 'f:data': data('two') },
      'before-first-apply Update': { 'f:data': { '.': {}, ...data('one') } },
    });
  });

  it('given what kubectl wrote by client-side apply, when kubectl applies server-side, then it takes over without force', () => {
    const annotation = (fields: JsonRecord): JsonRecord => ({
      annotations: { 'kubectl.kubernetes.io/last-applied-configuration': `${JSON.stringify({ apiVersion: 'v1', ...fields })}\n` },
    });
    const live = recordUpdate({
      ...common,
      live: undefined,
      next: object({ data: { one: '1' } }, annotation({ data: { one: '1' } })),
      manager: 'kubectl-client-side-apply',
    });

    const applied = apply(live, 'kubectl', { data: { one: '2' } });

    expect(applied).toMatchObject({ data: { one: '2' } });
    expect(applied.metadata.annotations?.['kubectl.kubernetes.io/last-applied-configuration']).toBe(
      '{"apiVersion":"v1","data":{"one":"2"},"kind":"Thing","metadata":{"name":"x"}}\n',
    );
  });

  it.each([
    {
      given: 'an unknown field',
      fields: { foo: 1 },
      code: 500,
      message: 'failed to create typed patch object (/x; /v1, Kind=Thing): .foo: field not declared in schema',
    },
    {
      given: 'a string for a map',
      fields: { data: 'x' },
      code: 500,
      message: 'failed to create typed patch object (/x; /v1, Kind=Thing): .data: expected map, got &{x}',
    },
    {
      given: 'a number for a string',
      fields: { data: { a: 1 } },
      code: 500,
      message: 'failed to create typed patch object (/x; /v1, Kind=Thing): .data.a: expected string, got &value.valueUnstructured{Value:1}',
    },
    {
      given: 'a string for a number, in an item',
      fields: { webhooks: [{ name: 'h', timeout: 'x' }] },
      code: 500,
      message:
        'failed to create typed patch object (/x; /v1, Kind=Thing): .webhooks[name="h"].timeout: expected numeric (int or float), got string',
    },
    {
      given: 'the same key twice',
      fields: { webhooks: [{ name: 'h' }, { name: 'h' }] },
      code: 500,
      message: 'failed to create typed patch object (/x; /v1, Kind=Thing): .webhooks: duplicate entries for key [name="h"]',
    },
    { given: 'another kind', fields: { kind: 'Other' }, code: 400, message: 'invalid object type: /v1, Kind=Other' },
    {
      given: 'managed fields',
      fields: { metadata: { name: 'x', managedFields: [] } },
      code: 400,
      message: 'metadata.managedFields must be nil',
    },
  ])('given $given, when applied, then it is refused in the words of kcp', ({ fields, code, message }) => {
    expect(refusal(() => apply(undefined, 'a', fields))).toMatchObject({ code, message });
  });
});

describe(recordUpdate, () => {
  it('given a create, when recorded, then the writer owns every leaf and every map it made', () => {
    const created = recordUpdate({
      ...common,
      live: undefined,
      next: object({ data: { one: '1' }, webhooks: [{ name: 'h' }] }),
      manager: 'a',
    });

    expect(owned(created)).toEqual({
      'a Update': { 'f:data': { '.': {}, 'f:one': {} }, 'f:webhooks': { '.': {}, 'k:{"name":"h"}': { '.': {}, 'f:name': {} } } },
    });
  });

  it('given a change by another writer, when recorded, then it takes the changed fields and loses the removed ones', () => {
    const created = recordUpdate({ ...common, live: undefined, next: object({ data: { one: '1', two: '2', three: '3' } }), manager: 'a' });

    const changed = update(created, 'b', { data: { one: '9', two: null } });

    expect(owned(changed)).toEqual({ 'a Update': { 'f:data': { '.': {}, 'f:three': {} } }, 'b Update': { 'f:data': { 'f:one': {} } } });
  });

  it('given nothing changed, when recorded, then the managers are as before, time included', () => {
    const created = recordUpdate({ ...common, live: undefined, next: object({ data: { one: '1' } }), manager: 'a' });

    expect(recordUpdate({ ...common, live: created, next: created, manager: 'b', now: 'later' })).toEqual(created);
  });

  it('given a client that leaves managedFields out, when recorded, then they are not lost', () => {
    const created = recordUpdate({ ...common, live: undefined, next: object({ data: { one: '1' } }), manager: 'a' });

    const replaced = recordUpdate({ ...common, live: created, next: object({ data: { one: '1' } }), manager: 'b' });

    expect(owned(replaced)).toEqual(owned(created));
  });

  it('given an empty list of managers, when recorded, then all are forgotten and stay so until an apply', () => {
    const created = recordUpdate({ ...common, live: undefined, next: object({ data: { one: '1' } }), manager: 'a' });

    const reset = update(created, 'a', { metadata: { managedFields: [] } });

    expect(reset.metadata).toEqual({ name: 'x' });
    expect(update(reset, 'a', { data: { one: '2' } }).metadata).toEqual({ name: 'x' });
  });

  it('given the endpoint resets status, when status is sent, then nobody owns it there', () => {
    const created = recordUpdate({
      ...common,
      live: undefined,
      next: object({ data: { one: '1' }, status: { phase: 'x' } }),
      manager: 'a',
      reset: [['status']],
    });

    expect(owned(created)).toEqual({ 'a Update': { 'f:data': { '.': {}, 'f:one': {} } } });
  });

  it('given more than ten writers, when recorded, then the oldest are merged into one entry', () => {
    let live = recordUpdate({ ...common, live: undefined, next: object({ data: {} }), manager: 'creator', now: '2026-01-01T00:00:00Z' });
    for (let index = 1; index <= 12; index += 1) {
      const next = applyMergePatch(live, { data: { [`k${index}`]: '1' } }) as KubeObject;
      live = recordUpdate({ ...common, live, next, manager: `m${index}`, now: `2026-01-01T00:00:${String(index).padStart(2, '0')}Z` });
    }

    expect(Object.keys(owned(live))).toHaveLength(10);
    expect(Object.keys(owned(live))[0]).toBe('ancient-changes Update');
  });
});
