import { describe, expect, it } from '@jest/globals';
import { answerFailure, asStatus, statusFailure, type Answer } from './failure.js';
import type { KcpErrorCode, Status } from './kcp-error.js';
import { answerBehind } from './refused-answer.js';

const AT = { asked: 'get it', at: 'https://kcp' };
const VPC = { group: 'network.example.com', resource: 'vpcs', name: 'a' };
const PREFIX = 'cannot get it at https://kcp: ';

const answer = (status: number, body: string | Omit<Status, 'kind'> = '', headers: Answer['headers'] = {}): Answer => ({
  status,
  headers,
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify({ kind: 'Status', ...body })),
});

describe(answerFailure, () => {
  it.each<{ status: number; body?: Omit<Status, 'kind'>; expected: KcpErrorCode }>([
    { status: 300, expected: 'invalid-response' },
    { status: 399, expected: 'invalid-response' },
    { status: 400, expected: 'invalid' },
    { status: 401, expected: 'unauthorized' },
    { status: 403, expected: 'forbidden' },
    { status: 404, expected: 'not-served' },
    { status: 408, expected: 'timeout' },
    { status: 409, expected: 'conflict' },
    { status: 409, body: { reason: 'Conflict' }, expected: 'conflict' },
    { status: 409, body: { reason: 'AlreadyExists' }, expected: 'already-exists' },
    { status: 410, expected: 'expired' },
    { status: 422, body: { reason: 'Invalid' }, expected: 'invalid' },
    { status: 422, body: { reason: 'Expired' }, expected: 'expired' },
    { status: 429, expected: 'throttled' },
    { status: 499, expected: 'invalid' },
    { status: 500, expected: 'server-error' },
    { status: 500, body: { reason: 'Expired' }, expected: 'expired' },
    { status: 502, expected: 'unavailable' },
    { status: 503, expected: 'unavailable' },
    { status: 504, expected: 'timeout' },
    { status: 299, expected: 'invalid' },
  ])('given a $status with $body, then its code is $expected', ({ status, body, expected }) => {
    const failure = answerFailure(AT, answer(status, body));

    expect([failure.code, failure.status]).toEqual([expected, status]);
  });

  it.each<{ given: string; came: Answer; says: string }>([
    { given: 'no text', came: answer(500), says: 'the server answered 500 without a text' },
    { given: 'a success that is none', came: answer(299), says: 'the server answered 299 without a text' },
    { given: 'text of blanks', came: answer(500, ' \n'), says: 'the server answered 500 without a text' },
    { given: 'text of a proxy', came: answer(502, ' bad gateway\n'), says: 'the server answered 502: bad gateway' },
    { given: 'long text', came: answer(502, 'x'.repeat(201)), says: `the server answered 502: ${'x'.repeat(200)}` },
    { given: 'JSON that is no Status', came: answer(500, '{"kind":"Secret"}'), says: 'the server answered 500: {"kind":"Secret"}' },
    {
      given: 'a refusal without a text',
      came: answer(401),
      says: 'the server answered 401 without a text; the credentials were refused, renew them',
    },
    {
      given: 'a refusal in plain text',
      came: answer(401, 'no'),
      says: 'the server answered 401: no; the credentials were refused, renew them',
    },
    { given: 'a Status', came: answer(403, { reason: 'Forbidden', message: 'not you' }), says: '403 Forbidden: not you' },
    { given: 'a Status without a reason', came: answer(403, { message: 'not you' }), says: '403: not you' },
    { given: 'a Status with an empty reason', came: answer(403, { reason: '', message: 'not you' }), says: '403: not you' },
    { given: 'a Status without a message', came: answer(403, { reason: 'Forbidden' }), says: '403 Forbidden' },
    { given: 'a Status with an empty message', came: answer(403, { reason: 'Forbidden', message: '' }), says: '403 Forbidden' },
    {
      given: 'a Status that refuses the credentials',
      came: answer(401, { reason: 'Unauthorized', message: 'who?' }),
      says: '401 Unauthorized: who?; the credentials were refused, renew them',
    },
    {
      given: 'a Status that refuses the credentials without a message',
      came: answer(401, { reason: 'Unauthorized' }),
      says: '401 Unauthorized; the credentials were refused, renew them',
    },
    {
      given: 'a redirect',
      came: answer(302, '', { location: 'https://login' }),
      says: 'the server answered 302 and pointed to "https://login"; redirects are not followed, use the final address',
    },
    {
      given: 'a redirect to nowhere',
      came: answer(300, { message: 'moved' }),
      says: 'the server answered 300 and pointed to "nowhere"; redirects are not followed, use the final address',
    },
  ])('given $given, then it says so', ({ came, says }) => {
    expect(answerFailure(AT, came).message).toBe(`${PREFIX}${says}`);
  });

  it.each([
    { given: 'an answer about another object', details: { name: 'root:team', kind: 'workspaces' }, object: VPC, says: '' },
    {
      given: 'an answer about no object',
      details: { name: '' },
      object: VPC,
      says: '; the type is not served there, or objects of it have namespaces and none was named',
    },
    { given: 'an answer to a question about no object', details: {}, object: undefined, says: '' },
    { given: 'a namespace', details: {}, object: { ...VPC, namespace: 'default' }, says: '' },
  ])('given a 404 with $given, then it says of namespaces: "$says"', ({ details, object, says }) => {
    const failure = answerFailure(AT, answer(404, { reason: 'NotFound', details }), object);

    expect(failure.message).toBe(`${PREFIX}404 NotFound${says}`);
  });

  it('given another answer about an object, then it says nothing of namespaces', () => {
    expect(answerFailure(AT, answer(400), VPC).message).toBe(`${PREFIX}the server answered 400 without a text`);
  });

  it.each([
    { given: 'a header', came: answer(429, '', { 'retry-after': '3' }), expected: 3_000 },
    { given: 'a header of no time', came: answer(429, '', { 'retry-after': '0' }), expected: 0 },
    { given: 'a Status', came: answer(429, { details: { retryAfterSeconds: 2 } }), expected: 2_000 },
    { given: 'both', came: answer(429, { details: { retryAfterSeconds: 2 } }, { 'retry-after': '3' }), expected: 3_000 },
    { given: 'a header of two digits', came: answer(429, '', { 'retry-after': '12' }), expected: 12_000 },
    ...['soon', '-3', '3s'].map((header) => ({
      given: `a Status and a header that is no number: ${header}`,
      came: answer(429, { details: { retryAfterSeconds: 2 } }, { 'retry-after': header }),
      expected: 2_000,
    })),
    { given: 'a date', came: answer(429, '', { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }), expected: undefined },
    { given: 'a number and more', came: answer(429, '', { 'retry-after': '3s' }), expected: undefined },
    { given: 'a number behind something', came: answer(429, '', { 'retry-after': '-3' }), expected: undefined },
    { given: 'a header beyond numbers', came: answer(429, '', { 'retry-after': '9'.repeat(400) }), expected: undefined },
    { given: 'less than nothing', came: answer(429, { details: { retryAfterSeconds: -1 } }), expected: undefined },
    { given: 'neither', came: answer(429), expected: undefined },
    { given: 'a Status without details', came: answer(429, { reason: 'TooManyRequests' }), expected: undefined },
  ])('given a wish to wait in $given, then it is $expected ms', ({ came, expected }) => {
    expect(answerFailure(AT, came).retryAfterMs).toBe(expected);
  });

  it('given an answer, then it is kept behind the error, and a Status in it too', () => {
    const came = answer(409, { reason: 'Conflict' }, { 'x-id': '7' });

    const failure = answerFailure(AT, came);

    expect(answerBehind(failure)).toEqual(came);
    expect(failure.statusBody).toEqual({ kind: 'Status', reason: 'Conflict' });
    expect(answerFailure(AT, answer(409, 'conflict')).statusBody).toBeUndefined();
  });
});

describe(statusFailure, () => {
  it('given a Status inside a successful answer, then it says what the Status says', () => {
    const status = {
      kind: 'Status',
      code: 410,
      reason: 'Expired',
      message: 'too old',
      details: { retryAfterSeconds: 1 },
    } as const;

    const failure = statusFailure(AT, status);

    expect(failure).toMatchObject({ code: 'expired', status: 410, statusBody: status, retryAfterMs: 1_000 });
    expect(failure.message).toBe(`${PREFIX}410 Expired: too old`);
  });

  it('given one without a code, then it is a failure of the server, and there is no wish to wait', () => {
    const failure = statusFailure(AT, { kind: 'Status' });

    expect(failure).toMatchObject({ code: 'server-error', status: 500 });
    expect(failure.retryAfterMs).toBeUndefined();
  });
});

describe(asStatus, () => {
  it.each([
    { value: { kind: 'Status', code: 404 }, expected: { kind: 'Status', code: 404 } },
    { value: { kind: 'Secret' }, expected: undefined },
    { value: {}, expected: undefined },
    { value: null, expected: undefined },
    { value: undefined, expected: undefined },
    { value: 'Status', expected: undefined },
  ])('given $value, then it is $expected', ({ value, expected }) => {
    expect(asStatus(value)).toEqual(expected);
  });
});
