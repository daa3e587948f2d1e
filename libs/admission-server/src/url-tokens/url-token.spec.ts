import { describe, expect, it } from '@jest/globals';
import { deriveToken, isTokenAccepted, parseUrlSecrets, type UrlSecrets } from './url-token.js';

describe(parseUrlSecrets, () => {
  it('given several lines, then all count and blanks and comments do not', () => {
    expect(parseUrlSecrets('# installed\nfirst-secret-of-16\n\n  second-secret-of-16 \r\n')).toEqual({
      ok: true,
      value: ['first-secret-of-16', 'second-secret-of-16'],
    });
  });

  it('given a line of just 16 characters, then it is long enough', () => {
    expect(parseUrlSecrets('exactly-16-chars')).toEqual({ ok: true, value: ['exactly-16-chars'] });
  });

  it.each([
    ['', 'it holds no secret'],
    ['# only a comment\n', 'it holds no secret'],
    ['first-secret-of-16\nonly-15-letters', 'line 2 is shorter than 16 characters'],
  ])('given %j, then the problem says %s', (text, problem) => {
    expect(parseUrlSecrets(text)).toEqual({ ok: false, problem: expect.stringContaining(problem) });
  });
});

describe(isTokenAccepted, () => {
  const secrets = secretsOf('old-secret-of-the-test\nnew-secret-of-the-test');
  const purpose = 'network';

  it('given the token of any line, then it is accepted, so that a secret can be replaced without a gap', () => {
    expect(secrets.map((secret) => isTokenAccepted(secrets, purpose, deriveToken(secret, purpose)))).toEqual([true, true]);
  });

  it('given the token for another purpose, then it is not', () => {
    expect(isTokenAccepted(secrets, purpose, deriveToken(secrets[0], 'other'))).toBe(false);
  });

  it.each(['', 'x', 'é'.repeat(43), 'A'.repeat(43), 'A'.repeat(10_000)])('given %j, then it is not', (presented) => {
    expect(isTokenAccepted(secrets, purpose, presented)).toBe(false);
  });

  it('given a derived token, then a URL path holds it as it is and it does not show the secret', () => {
    const token = deriveToken(secrets[0], purpose);

    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(token).not.toContain('secret');
  });
});

function secretsOf(text: string): UrlSecrets {
  const secrets = parseUrlSecrets(text);
  if (!secrets.ok) throw new Error(secrets.problem);
  return secrets.value;
}
