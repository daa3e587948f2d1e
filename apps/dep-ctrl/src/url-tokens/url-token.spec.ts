import { describe, expect, it } from '@jest/globals';
import {
  deriveAdmissionToken,
  deriveUrlToken,
  isAdmissionTokenAccepted,
  isUrlTokenAccepted,
  parseUrlSecrets,
  type UrlSecrets,
} from './url-token.js';
import { cluster } from '../webhook/testing/builders.js';

describe(parseUrlSecrets, () => {
  it('given several lines, then all count and blanks and comments do not', () => {
    expect(parseUrlSecrets('# installed\nfirst-secret-of-16\n\n  second-secret-of-16 \r\n')).toEqual({
      ok: true,
      value: ['first-secret-of-16', 'second-secret-of-16'],
    });
  });

  it.each([
    ['', 'it holds no secret'],
    ['# only a comment\n', 'it holds no secret'],
    ['first-secret-of-16\nshort', 'line 2 is shorter than 16 characters'],
  ])('given %j, then the problem says %s', (text, problem) => {
    expect(parseUrlSecrets(text)).toEqual({ ok: false, problem: expect.stringContaining(problem) });
  });
});

describe(isUrlTokenAccepted, () => {
  const secrets = secretsOf('old-secret-of-the-test\nnew-secret-of-the-test');
  const guarded = cluster('network');

  it('given the token of any line, then it is accepted, so that a secret can be replaced without a gap', () => {
    expect(secrets.map((secret) => isUrlTokenAccepted(secrets, guarded, deriveUrlToken(secret, guarded)))).toEqual([true, true]);
  });

  it('given the token of another workspace, then it is not', () => {
    expect(isUrlTokenAccepted(secrets, guarded, deriveUrlToken(secrets[0], cluster('other')))).toBe(false);
  });

  it.each(['', 'x', 'é'.repeat(43), 'A'.repeat(43), 'A'.repeat(10_000)])('given %j, then it is not', (presented) => {
    expect(isUrlTokenAccepted(secrets, guarded, presented)).toBe(false);
  });

  it('given a derived token, then a URL path holds it as it is and it does not show the secret', () => {
    const token = deriveUrlToken(secrets[0], guarded);

    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(token).not.toContain('secret');
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
