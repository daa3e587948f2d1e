import { describe, expect, it } from '@jest/globals';
import { expectJson, invalidResponse, objectFrom, parseJson } from './json-body.js';

const AT = { asked: 'get it', at: 'https://kcp' };
const JSON_TYPE = { 'content-type': 'application/json' };
const PREFIX = 'cannot get it at https://kcp: ';

function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (thrown) {
    return thrown;
  }
  return undefined;
}

describe(expectJson, () => {
  it.each([
    'application/json',
    'application/json;as=Table;v=v1;g=meta.k8s.io',
    'Application/JSON; charset=utf-8',
    'application/apply-patch+json',
    'application/vnd.example.v1+json',
  ])('given %s, then it is JSON', (type) => {
    expect(thrownBy(() => expectJson(AT, { headers: { 'content-type': type } }))).toBeUndefined();
  });

  it.each([
    { type: 'text/html', came: 'content type "text/html"' },
    { type: 'text/application/json', came: 'content type "text/application/json"' },
    { type: 'application/jsonlines', came: 'content type "application/jsonlines"' },
    { type: 'application/+json', came: 'content type "application/+json"' },
    { type: undefined, came: 'no content type' },
  ])('given $came, then it is none', ({ type, came }) => {
    expect(thrownBy(() => expectJson(AT, { headers: type === undefined ? {} : { 'content-type': type } }))).toMatchObject({
      code: 'invalid-response',
      message: `${PREFIX}the answer has ${came} instead of application/json; is this address a kcp server?`,
    });
  });
});

describe(parseJson, () => {
  it('given JSON, then it is parsed; given half of it, then it says how much came', () => {
    expect(parseJson(AT, Buffer.from('{"a":"ä"}'))).toEqual({ a: 'ä' });
    expect(thrownBy(() => parseJson(AT, Buffer.from('{"a":')))).toMatchObject({
      code: 'invalid-response',
      message: `${PREFIX}the answer of 5 bytes is not valid JSON`,
      cause: expect.any(SyntaxError) as unknown,
    });
  });
});

describe(objectFrom, () => {
  const answer = (value: unknown, headers: object = JSON_TYPE) => ({
    status: 200,
    headers: { ...headers },
    body: Buffer.from(JSON.stringify(value)),
  });

  it.each([
    { given: 'an object', value: { kind: 'VPC', metadata: { name: 'a' } } },
    { given: 'a Status of success, as of a delete', value: { kind: 'Status', status: 'Success', metadata: {} } },
  ])('given $given, then it is read', ({ value }) => {
    expect(objectFrom(AT, answer(value))).toEqual(value);
  });

  it.each([
    {
      given: 'a Status that tells of a failure',
      came: answer({ kind: 'Status', status: 'Failure', code: 410, reason: 'Expired', metadata: {} }),
      expected: { code: 'expired', message: `${PREFIX}410 Expired` },
    },
    {
      given: 'a list of words',
      came: answer(['a']),
      expected: { code: 'invalid-response', message: expect.stringContaining('the answer is no Kubernetes object: ') },
    },
    {
      given: 'another content type',
      came: answer({ kind: 'VPC', metadata: {} }, { 'content-type': 'text/plain' }),
      expected: { code: 'invalid-response', message: expect.stringContaining('content type "text/plain"') },
    },
  ])('given $given, then it is a failure', ({ came, expected }) => {
    expect(thrownBy(() => objectFrom(AT, came))).toMatchObject(expected);
  });
});

describe(invalidResponse, () => {
  it('given no cause, then the error has none', () => {
    expect('cause' in invalidResponse(AT, 'odd')).toBe(false);
  });
});
