import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { parseUrlSecrets, type UrlSecrets } from '@dep-ctrl/admission-server';
import { deriveAdmissionToken, deriveUrlToken, isAdmissionTokenAccepted } from './url-tokens.js';
import { cluster } from '../webhook/testing/builders.js';

describe(deriveUrlToken, () => {
  it('given a secret and a workspace, then the token is the one that earlier versions installed', () => {
    const [secret] = secretsOf('first-secret-of-16');

    expect(deriveUrlToken(secret, cluster('network'))).toBe(
      createHmac('sha256', 'first-secret-of-16').update('dep-ctrl webhook url\nnetwork').digest('base64url'),
    );
  });
});

describe(isAdmissionTokenAccepted, () => {
  const secrets = secretsOf('old-secret-of-the-test\nnew-secret-of-the-test');

  it('given the token of any line, then it is accepted; given that of a workspace, another secret or nothing, then it is not', () => {
    const others = [deriveUrlToken(secrets[0], cluster('network')), deriveAdmissionToken('other' as UrlSecrets[0]), '', 'A'.repeat(43)];

    expect(secrets.map((secret) => isAdmissionTokenAccepted(secrets, deriveAdmissionToken(secret)))).toEqual([true, true]);
    expect(others.map((token) => isAdmissionTokenAccepted(secrets, token))).toEqual([false, false, false, false]);
  });
});

function secretsOf(text: string): UrlSecrets {
  const secrets = parseUrlSecrets(text);
  if (!secrets.ok) throw new Error(secrets.problem);
  return secrets.value;
}
