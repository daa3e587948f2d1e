import { describe, expect, it } from '@jest/globals';
import { isAbsent, KcpError, type StatusDetails } from '../index.js';
import { answerFailure } from './failure.js';
import { namesObject, type RequestedObject } from './absence.js';

const AT = { asked: 'get it', at: 'https://kcp' };
const WIDGETS = { group: 'example.com', resource: 'widgets' };
const WORKSPACES = { group: 'tenancy.kcp.io', resource: 'workspaces' };
const OF_A = { name: 'a', group: 'example.com', kind: 'widgets' };

/** Each answer as kcp 0.32.3 gives it. */
const ANSWERS: readonly {
  readonly given: string;
  readonly asked: RequestedObject;
  readonly details: StatusDetails | undefined;
  readonly isAbsence: boolean;
}[] = [
  { given: 'the object by its name', asked: { ...WIDGETS, name: 'a' }, details: OF_A, isAbsence: true },
  {
    given: 'an object of the core group',
    asked: { group: '', resource: 'configmaps', name: 'a' },
    details: { name: 'a', kind: 'configmaps' },
    isAbsence: true,
  },
  {
    given: 'a Workspace in its parent',
    asked: { ...WORKSPACES, name: 'a' },
    details: { name: 'a', group: 'tenancy.kcp.io', kind: 'workspaces' },
    isAbsence: true,
  },
  {
    given: 'a ClusterRole, whose name may hold colons',
    asked: { group: 'rbac.authorization.k8s.io', resource: 'clusterroles', name: 'a:b' },
    details: { name: 'a:b', group: 'rbac.authorization.k8s.io', kind: 'clusterroles' },
    isAbsence: true,
  },
  { given: 'another object', asked: { ...WIDGETS, name: 'b' }, details: OF_A, isAbsence: false },
  { given: 'an object of another type', asked: { group: 'example.com', resource: 'gadgets', name: 'a' }, details: OF_A, isAbsence: false },
  { given: 'an object of another group', asked: { group: 'example.org', resource: 'widgets', name: 'a' }, details: OF_A, isAbsence: false },
  {
    given: 'the workspace of a path that the shard does not know, or not yet',
    asked: { ...WIDGETS, name: 'a' },
    details: { name: 'root:team', group: 'tenancy.kcp.io', kind: 'workspaces' },
    isAbsence: false,
  },
  {
    given: 'the same where a path was taken for the name of a Workspace',
    asked: { ...WORKSPACES, name: 'root:team' },
    details: { name: 'root:team', group: 'tenancy.kcp.io', kind: 'workspaces' },
    isAbsence: false,
  },
  {
    given: 'the namespace of a create',
    asked: { ...WIDGETS, namespace: 'a' },
    details: { name: 'a', kind: 'namespaces' },
    isAbsence: false,
  },
  {
    given: 'the type alone, to a question that names no object',
    asked: WIDGETS,
    details: { group: 'example.com', kind: 'widgets' },
    isAbsence: false,
  },
  { given: 'an object, to a question for its subresource', asked: WIDGETS, details: OF_A, isAbsence: false },
  { given: 'nothing by name: the address is not served', asked: { ...WIDGETS, name: 'a' }, details: {}, isAbsence: false },
  { given: 'nothing at all', asked: { ...WIDGETS, name: 'a' }, details: undefined, isAbsence: false },
];

describe('a 404', () => {
  it.each(ANSWERS)('given one that names $given, then whether that is an absence is $isAbsence', ({ asked, details, isAbsence }) => {
    const status = { kind: 'Status', reason: 'NotFound', code: 404, ...(details !== undefined && { details }) } as const;

    const failure = answerFailure(AT, { status: 404, headers: {}, body: Buffer.from(JSON.stringify(status)) }, asked);

    expect(namesObject(status, asked)).toBe(isAbsence);
    expect([failure.code, failure.retryable]).toEqual(isAbsence ? ['not-found', false] : ['not-served', true]);
  });

  it('given one in plain text, as of a type that is not served, then it is no absence', () => {
    const failure = answerFailure(AT, { status: 404, headers: {}, body: Buffer.from('404 page not found\n') }, { ...WIDGETS, name: 'a' });

    expect(failure).toMatchObject({ code: 'not-served', retryable: true });
  });

  it.each([
    { given: 'no namespace', asked: { ...WIDGETS, name: 'a' }, says: true },
    { given: 'a namespace', asked: { ...WIDGETS, name: 'a', namespace: 'default' }, says: false },
    { given: 'a question for no object', asked: undefined, says: false },
  ])('given $given and an address that kcp does not have, then whether it speaks of namespaces is $says', ({ asked, says }) => {
    const failure = answerFailure(AT, { status: 404, headers: {}, body: Buffer.from('404 page not found\n') }, asked);

    expect(failure.message.includes('the type is not served there, or objects of it have namespaces and none was named')).toBe(says);
  });
});

describe(isAbsent, () => {
  const absence = new KcpError({ ...AT, problem: 'says why', code: 'not-found', statusBody: { kind: 'Status', details: OF_A } });

  it.each([
    { given: 'the object', thrown: absence, type: WIDGETS, name: 'a', expected: true },
    { given: 'another name', thrown: absence, type: WIDGETS, name: 'b', expected: false },
    { given: 'another type', thrown: absence, type: WORKSPACES, name: 'a', expected: false },
    {
      given: 'the object, of a failure that is no absence',
      thrown: new KcpError({ ...AT, problem: 'says why', code: 'forbidden', statusBody: { kind: 'Status', details: OF_A } }),
      type: WIDGETS,
      name: 'a',
      expected: false,
    },
    { given: 'a bug', thrown: new TypeError('bug'), type: WIDGETS, name: 'a', expected: false },
  ])('given a failure that names $given, then it is $expected', ({ thrown, type, name, expected }) => {
    expect(isAbsent(thrown, type, name)).toBe(expected);
  });
});
