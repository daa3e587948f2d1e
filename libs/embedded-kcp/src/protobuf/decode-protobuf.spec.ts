import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decodeProtobuf, PREFIX } from './decode-protobuf.js';

// Wire type 2 with a length below 128: all that these messages need.
function field(number: number, content: Buffer | string): Buffer {
  const bytes = Buffer.from(content as string);
  return Buffer.concat([Buffer.from([number * 8 + 2, bytes.length]), bytes]);
}

function number(field: number, value: number): Buffer {
  const bytes = [field * 8];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}

function message(kind: string, ...fields: readonly Buffer[]): Buffer {
  const type = Buffer.concat([field(1, 'v1'), field(2, kind)]);
  return Buffer.concat([PREFIX, field(1, type), field(2, Buffer.concat(fields))]);
}

const entry = (key: string, value: string): Buffer => Buffer.concat([field(1, key), field(2, value)]);

describe(decodeProtobuf, () => {
  it('given a ConfigMap, when read, then it is as in JSON and what is empty is left out', () => {
    const metadata = Buffer.concat([
      field(1, 'c'),
      field(2, ''),
      field(3, 'default'),
      number(7, 0),
      field(8, ''),
      field(14, 'a/b'),
      field(14, 'c/d'),
    ]);

    expect(
      decodeProtobuf(
        message('ConfigMap', field(1, metadata), field(2, entry('a', '1')), field(2, entry('b', '')), field(3, entry('x', 'yz'))),
      ),
    ).toEqual({
      state: 'read',
      value: {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'c', namespace: 'default', finalizers: ['a/b', 'c/d'] },
        data: { a: '1', b: '' },
        binaryData: { x: 'eXo=' },
      },
    });
  });

  it('given the core group in a rule, when read, then the empty name stays', () => {
    const rule = Buffer.concat([field(1, 'get'), field(2, ''), field(3, 'configmaps')]);

    expect(decodeProtobuf(message('Role', field(2, rule)))).toMatchObject({
      value: { rules: [{ verbs: ['get'], apiGroups: [''], resources: ['configmaps'] }] },
    });
  });

  it('given times, numbers and extra facts, when read, then they have their JSON form', () => {
    const time = Buffer.concat([number(1, 1_767_225_600), number(2, 0)]);
    const owner = Buffer.concat([field(1, 'ConfigMap'), number(6, 1)]);
    const extra = Buffer.concat([field(1, 'key'), field(2, Buffer.concat([field(1, 'a'), field(1, 'b')]))]);

    expect(decodeProtobuf(message('ConfigMap', field(1, Buffer.concat([field(8, time), field(13, owner)]))))).toMatchObject({
      value: { metadata: { creationTimestamp: '2026-01-01T00:00:00Z', ownerReferences: [{ kind: 'ConfigMap', controller: true }] } },
    });
    expect(decodeProtobuf(message('SubjectAccessReview', field(2, field(5, extra))))).toMatchObject({
      value: { spec: { extra: { key: ['a', 'b'] } } },
    });
    expect(decodeProtobuf(message('TokenRequest', field(2, number(4, 600))))).toMatchObject({
      value: { spec: { expirationSeconds: 600 } },
    });
  });

  it.each([
    { given: 'JSON', bytes: Buffer.from('{}'), expected: { state: 'no-message' } },
    { given: 'a kind without a table', bytes: message('Pod'), expected: { state: 'unknown-kind', kind: 'Pod' } },
    { given: 'a message that breaks off', bytes: message('ConfigMap', field(1, 'x')).subarray(0, -1), expected: { state: 'broken' } },
    { given: 'a number where text belongs', bytes: message('Namespace', field(1, number(1, 5))), expected: { state: 'broken' } },
  ])('given $given, when read, then it says so', ({ bytes, expected }) => {
    expect(decodeProtobuf(bytes)).toEqual(expected);
  });

  it('no bytes make it throw', () => {
    fc.assert(fc.property(fc.uint8Array(), (bytes) => expect(decodeProtobuf(Buffer.concat([PREFIX, bytes])).state).toMatch(/^[a-z-]+$/)));
  });
});
