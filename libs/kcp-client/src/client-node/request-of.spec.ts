import { describe, expect, it } from '@jest/globals';
import { pathProblem, requestOf, type GeneratedRequest } from './request-of.js';

const BASE = 'https://kcp:6443/clusters/root:a';
const get: GeneratedRequest = { method: 'GET', url: `${BASE}/api/v1/namespaces/default/configmaps?limit=5`, headers: {}, body: undefined };

describe(requestOf, () => {
  it.each<{ given: string; request: GeneratedRequest; expected: object }>([
    {
      given: 'a list',
      request: get,
      expected: { path: '/api/v1/namespaces/default/configmaps?limit=5', request: { method: 'GET' } },
    },
    {
      given: 'a patch with headers in any spelling',
      request: {
        ...get,
        method: 'PATCH',
        headers: { Accept: 'application/json', 'Content-Type': 'application/merge-patch+json' },
        body: '{}',
      },
      expected: {
        path: '/api/v1/namespaces/default/configmaps?limit=5',
        request: { method: 'PATCH', accept: 'application/json', contentType: 'application/merge-patch+json', body: '{}' },
      },
    },
    {
      given: 'a list that says that it is no watch',
      request: { ...get, url: `${BASE}/api/v1/configmaps?watch=false` },
      expected: { path: '/api/v1/configmaps?watch=false', request: { method: 'GET' } },
    },
  ])('given $given, then it is sent as it is', ({ request, expected }) => {
    expect(requestOf(BASE, request)).toStrictEqual({ ok: true, value: expected });
  });

  it.each<{ given: string; request: GeneratedRequest; problem: string }>([
    {
      given: 'an address that a middleware changed',
      request: { ...get, url: 'https://elsewhere/clusters/root:a/api/v1' },
      problem: 'its address "https://elsewhere/clusters/root:a/api/v1" is outside of the workspace',
    },
    {
      given: 'a workspace whose name only begins alike',
      request: { ...get, url: 'https://kcp:6443/clusters/root:ab/api/v1' },
      problem: 'its address "https://kcp:6443/clusters/root:ab/api/v1" is outside of the workspace',
    },
    { given: 'a method of proxied services', request: { ...get, method: 'OPTIONS' }, problem: 'the method "OPTIONS" is not supported' },
    {
      given: 'a watch',
      request: { ...get, url: `${BASE}/api/v1/configmaps?watch=true` },
      problem: 'a watch has no whole answer: use a Reflector, or list without `watch`',
    },
    {
      given: 'a form',
      request: { ...get, method: 'POST', body: new URLSearchParams() },
      problem: 'its body is a form: only JSON and YAML are supported',
    },
    {
      given: 'another identity',
      request: { ...get, headers: { Accept: 'a', 'Impersonate-User': 'me' } },
      problem: 'the header "impersonate-user" is not sent: identity and user agent are those of the Connection',
    },
  ])('given $given, then it is refused', ({ request, problem }) => {
    expect(requestOf(BASE, request)).toEqual({ ok: false, problem });
  });
});

describe('the methods of requests', () => {
  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])('given a %s, then it is sent', (method) => {
    expect(requestOf(BASE, { ...get, method })).toMatchObject({ ok: true, value: { request: { method } } });
  });
});

describe(pathProblem, () => {
  it.each([
    '/version/',
    '/api/',
    '/api/v1/',
    '/apis/',
    '/apis/apps/',
    '/apis/apps/v1/',
    '/api/v1/namespaces/default/configmaps/..a',
    '/apis/apis.kcp.io/v1alpha2/apiexports/a%2Fb/status',
  ])('given %s, then it is sent', (path) => {
    expect(pathProblem(path)).toBeUndefined();
  });

  // With an empty name a delete of one object is a delete of all.
  it.each([
    { path: '/api/v1/namespaces/default/configmaps/', problem: '"" is no name' },
    { path: '/api/v1/namespaces/version/', problem: '"" is no name' },
    { path: '/api/v1/namespaces/', problem: '"" is no name' },
    { path: '/api/v1/namespaces//configmaps/a', problem: '"" is no name' },
    { path: '/api/v1/namespaces/default/configmaps/..', problem: '".." is no name' },
    { path: '/api/v1/namespaces/./configmaps', problem: '"." is no name' },
    { path: '/apis/example.com/v1/things/%2E%2e/status', problem: '"%2E%2e" is no name' },
  ])('given $path, then $problem', ({ path, problem }) => {
    expect(pathProblem(path)).toBe(problem);
  });
});
