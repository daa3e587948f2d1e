import { describe, expect, it } from '@jest/globals';
import { explainMissingPeer } from './missing-peer.js';

const missing = (name: string, code = 'ERR_MODULE_NOT_FOUND'): Error =>
  Object.assign(new Error(`Cannot find package '${name}' imported from /app/auth-provider.js`), { code });

describe(explainMissingPeer, () => {
  it.each(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'])(
    'given that Node does not find the peer (%s), then it says what to install',
    (code) => {
      expect(explainMissingPeer(missing('@kubernetes/client-node', code))).toMatchObject({
        message: 'auth-providers need a package that is not installed: npm install @kubernetes/client-node',
      });
    },
  );

  it.each([
    { given: 'another package that is missing', error: missing('openid-client') },
    { given: 'a peer that does not load', error: new Error('@kubernetes/client-node needs Node 22') },
    { given: 'what is no error', error: 'odd' },
  ])('given $given, then it stays as it is', ({ error }) => {
    expect(explainMissingPeer(error)).toBe(error);
  });
});
