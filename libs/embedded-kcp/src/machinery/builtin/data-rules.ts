// Checks of ConfigMaps and Secrets: keys that could be file names, a bounded size, the keys that a Secret's type requires, and no change once they are
// immutable.
import type { KubeObject } from '@dep-ctrl/kcp-names';
import type { StatusCause } from '../../http/api-status.js';
import { recordAt, sameJson, stringAt, stringMapAt } from '../../json/json.js';

/** The problems of a ConfigMap. */
export function checkConfigMap(configMap: KubeObject, previous: KubeObject | undefined): readonly StatusCause[] {
  const [data, binary] = [stringMapAt(configMap, 'data'), stringMapAt(configMap, 'binaryData')];
  const twice = Object.keys(data).filter((key) => Object.hasOwn(binary, key));
  const bytes = sum(Object.values(data).map((text) => Buffer.byteLength(text))) + sum(Object.values(binary).map(decodedLength));
  return [
    ...checkFrozen(configMap, previous, ['data', 'binaryData']),
    ...checkKeys('data', data),
    ...twice.map((key) => wrong(`data[${key}]`, key, 'duplicate of key present in binaryData')),
    ...checkKeys('binaryData', binary),
    ...(bytes > MOST_BYTES ? [tooLong('[]')] : []),
  ];
}

/** The problems of a Secret. */
export function checkSecret(secret: KubeObject, previous: KubeObject | undefined): readonly StatusCause[] {
  const [data, type] = [stringMapAt(secret, 'data'), stringAt(secret, 'type') ?? 'Opaque'];
  const isChanged = previous !== undefined && stringAt(previous, 'type') !== type;
  const missing = (REQUIRED_KEYS[type] ?? []).filter((key) => !Object.hasOwn(data, key));
  return [
    ...(isChanged ? [wrong('type', type, 'field is immutable')] : []),
    ...checkFrozen(secret, previous, ['data']),
    ...checkKeys('data', data),
    ...(sum(Object.values(data).map(decodedLength)) > MOST_BYTES ? [tooLong('data')] : []),
    ...missing.map((key) => ({ reason: 'FieldValueRequired', message: 'Required value', field: `data[${key}]` })),
  ];
}

const MOST_BYTES = 1024 * 1024;

const REQUIRED_KEYS: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/basic-auth': ['username', 'password'],
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
};

const KEY_WORDS =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

function checkKeys(field: string, data: Readonly<Record<string, string>>): readonly StatusCause[] {
  return Object.keys(data).flatMap((key) => {
    const at = `${field}[${key}]`;
    if (key.length > 253) return [wrong(at, key, 'must be no more than 253 bytes')];
    if (!/^[-._a-zA-Z0-9]+$/.test(key)) return [wrong(at, key, KEY_WORDS)];
    if (key === '.') return [wrong(at, key, "must not be '.'")];
    if (key === '..') return [wrong(at, key, "must not be '..'")];
    return key.startsWith('..') ? [wrong(at, key, "must not start with '..'")] : [];
  });
}

function checkFrozen(object: KubeObject, previous: KubeObject | undefined, fields: readonly string[]): readonly StatusCause[] {
  if (previous?.['immutable'] !== true) return [];
  const changed = fields.filter((field) => !sameJson(recordAt(object, field), recordAt(previous, field)));
  return [...(object['immutable'] === true ? [] : ['immutable']), ...changed].map((field) => ({
    reason: 'FieldValueForbidden',
    message: 'Forbidden: field is immutable when `immutable` is set',
    field,
  }));
}

function decodedLength(base64: string): number {
  return Buffer.byteLength(base64, 'base64');
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

function tooLong(field: string): StatusCause {
  return { reason: 'FieldValueTooLong', message: `Too long: may not be more than ${MOST_BYTES} bytes`, field };
}

function wrong(field: string, value: string, why: string): StatusCause {
  return { reason: 'FieldValueInvalid', message: `Invalid value: ${JSON.stringify(value)}: ${why}`, field };
}
