import { describe, expect, it } from '@jest/globals';
import { checkConfigMap, checkSecret } from './data-rules.js';

const fieldsOf = (causes: readonly { readonly field?: string }[]): readonly unknown[] => causes.map(({ field }) => field);
const object = (fields: object): { readonly metadata: Record<string, never> } => ({ metadata: {}, ...fields });
const ofBytes = (bytes: number): string => Buffer.alloc(bytes).toString('base64');
const frozen = { immutable: true, data: { a: 'x' } };

describe(checkConfigMap, () => {
  it.each([
    { given: 'good keys', next: { data: { 'a.B_c-1': '' }, binaryData: { b: '' } }, expected: [] },
    { given: 'a key with a space', next: { data: { 'a b': '' } }, expected: ['data[a b]'] },
    { given: 'the parent folder as a key', next: { data: { '..': '' } }, expected: ['data[..]'] },
    { given: 'a key twice', next: { data: { a: '' }, binaryData: { a: '' } }, expected: ['data[a]'] },
    { given: 'a megabyte', next: { data: { a: 'x'.repeat(1_048_576) } }, expected: [] },
    { given: 'a byte more in both', next: { data: { a: 'x' }, binaryData: { b: ofBytes(1_048_576) } }, expected: ['[]'] },
    { given: 'new labels on a frozen one', next: frozen, previous: frozen, expected: [] },
    { given: 'new data on a frozen one', next: { ...frozen, data: { a: 'y' } }, previous: frozen, expected: ['data'] },
    { given: 'a thaw', next: { data: { a: 'x' } }, previous: frozen, expected: ['immutable'] },
    { given: 'a frost', next: frozen, previous: { data: { a: 'z' } }, expected: [] },
  ])('given $given, then it says so', ({ next, previous, expected }) => {
    expect(fieldsOf(checkConfigMap(object(next), previous === undefined ? undefined : object(previous)))).toEqual(expected);
  });
});

describe(checkSecret, () => {
  it.each([
    { given: 'an opaque one', next: { data: { a: 'eA==' } }, expected: [] },
    { given: 'a certificate without its key', next: { type: 'kubernetes.io/tls', data: { 'tls.crt': '' } }, expected: ['data[tls.key]'] },
    { given: 'a megabyte and a byte', next: { data: { a: ofBytes(1_048_577) } }, expected: ['data'] },
    { given: 'another type', next: { type: 'a/b' }, previous: { type: 'Opaque' }, expected: ['type'] },
    { given: 'new data on a frozen one', next: { ...frozen, data: {} }, previous: { type: 'Opaque', ...frozen }, expected: ['data'] },
  ])('given $given, then it says so', ({ next, previous, expected }) => {
    expect(fieldsOf(checkSecret(object(next), previous === undefined ? undefined : object(previous)))).toEqual(expected);
  });
});
