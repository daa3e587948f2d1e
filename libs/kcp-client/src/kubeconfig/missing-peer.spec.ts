import { describe, expect, it } from '@jest/globals';
import { explainMissingPeer } from './missing-peer.js';

const missing = (name: string, code = 'ERR_MODULE_NOT_FOUND'): Error =>
  Object.assign(new Error(`Cannot find package '${name}' imported from /app/auth-provider.js`), { code });

describe(explainMissingPeer, () => {
  it.each(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'])(
    'given that Node does not find the peer (%s), then it says what to install',
    (code) => {
      const error = missing('@kubernetes/client-node', code);

      expect(explainMissingPeer(error)).toMatchObject({
        message: 'auth-providers need a package that is not installed: npm install @kubernetes/client-node',
        cause: error,
      });
    },
  );

  it.each([
    { given: 'another package that is missing', error: missing('openid-client') },
    { given: 'a peer that does not load', error: new Error('@kubernetes/client-node needs Node 22') },
    { given: 'a peer that fails with another code', error: missing('@kubernetes/client-node', 'ERR_REQUIRE_ESM') },
    { given: 'a code that only begins alike', error: missing('@kubernetes/client-node', 'MODULE_NOT_FOUND_YET') },
    { given: 'what is no error', error: 'odd' },
    { given: 'what only looks like an error', error: { code: 'MODULE_NOT_FOUND', message: '@kubernetes/client-node' } },
    { given: 'nothing', error: undefined },
  ])('given $given, then it stays as it is', ({ error }) => {
    expect(explainMissingPeer(error)).toBe(error);
  });
});
