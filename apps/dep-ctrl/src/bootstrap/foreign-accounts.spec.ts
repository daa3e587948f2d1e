import { describe, expect, it } from '@jest/globals';
import { foreignAccountsNote } from './foreign-accounts.js';

describe(foreignAccountsNote, () => {
  it.each([
    ['v1.34.2+kcp-v0.30.3', expect.stringMatching(/^on kcp v0\.30\.3 .* --controller-user and --webhook-user/)],
    ['v1.34.2+kcp-v0.30.0-rc.1', expect.stringContaining('kcp v0.30.0-rc.1')],
    ['v1.35.0+kcp-v0.31.0', undefined],
    ['v1.36.0+kcp-v0.32.3', undefined],
    ['v1.40.0+kcp-v1.0.0', undefined],
    ['v1.34.2', undefined],
    ['', undefined],
  ])('given version %j, then the note is %s', (version, expected) => {
    expect(foreignAccountsNote(version)).toEqual(expected);
  });
});
