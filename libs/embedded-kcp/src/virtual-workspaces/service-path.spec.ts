import { describe, expect, it } from '@jest/globals';
import { readServicePath } from './service-path.js';

describe(readServicePath, () => {
  it.each([
    ['/services/apiexport/abc/x.io/clusters/*/apis', { kind: 'apiexport', subject: ['abc', 'x.io'], target: '*', rest: '/apis' }],
    ['/services/apiexport/abc/x.io/clusters/def/api/v1/secrets', { target: 'def', rest: '/api/v1/secrets' }],
    [
      '/services/terminatingworkspaces/root:t/clusters/def',
      { kind: 'terminatingworkspaces', subject: ['root:t'], target: 'def', rest: '/' },
    ],
  ])('given %s, then %j', (path, expected) => {
    expect(readServicePath(path)).toMatchObject(expected);
  });

  it.each(['/services', '/services/apiexport', '/services/apiexport/abc/x.io/apis', '/services/apiexport/abc/x.io/clusters/root:net/apis'])(
    'given %s, then it leads nowhere',
    (path) => {
      expect(readServicePath(path)).toBeUndefined();
    },
  );
});
