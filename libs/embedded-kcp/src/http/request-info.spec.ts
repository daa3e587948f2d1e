import { describe, expect, it } from '@jest/globals';
import { readRequestInfo } from './request-info.js';

describe(readRequestInfo, () => {
  it.each([
    ['GET', '/api/v1/namespaces', '', { verb: 'list', group: '', version: 'v1', resource: 'namespaces' }],
    ['GET', '/api/v1/namespaces/a', '', { verb: 'get', resource: 'namespaces', name: 'a', namespace: 'a' }],
    ['PUT', '/api/v1/namespaces/a/finalize', '', { verb: 'update', resource: 'namespaces', name: 'a', subresource: 'finalize' }],
    ['GET', '/api/v1/namespaces/a/secrets', '', { verb: 'list', resource: 'secrets', namespace: 'a' }],
    ['GET', '/api/v1/secrets', 'watch=true', { verb: 'watch', resource: 'secrets' }],
    ['GET', '/api/v1/secrets', 'watch=1', { verb: 'watch', resource: 'secrets' }],
    ['GET', '/api/v1/secrets', 'fieldSelector=metadata.name%3Da', { verb: 'list', resource: 'secrets', name: 'a' }],
    ['POST', '/apis/x.io/v1/namespaces/a/things', '', { verb: 'create', group: 'x.io', resource: 'things', namespace: 'a' }],
    ['PATCH', '/apis/x.io/v1/things/t/status', '', { verb: 'patch', resource: 'things', name: 't', subresource: 'status' }],
    ['DELETE', '/apis/x.io/v1/things', '', { verb: 'deletecollection', resource: 'things' }],
    ['DELETE', '/apis/x.io/v1/things/t', '', { verb: 'delete', resource: 'things', name: 't' }],
    ['GET', '/apis/x.io/v1/things:abc', '', { verb: 'list', resource: 'things', identity: 'abc' }],
  ])('given %s %s?%s, then %j', (method, path, query, expected) => {
    expect(readRequestInfo(method, path, new URLSearchParams(query))).toMatchObject({ kind: 'resource', ...expected });
  });

  it.each(['/', '/api', '/apis', '/apis/x.io', '/apis/x.io/v1', '/version', '/openapi/v3'])(
    'given GET %s, then it is no resource',
    (path) => {
      expect(readRequestInfo('GET', path, new URLSearchParams())).toEqual({ kind: 'path', verb: 'get', path });
    },
  );
});
