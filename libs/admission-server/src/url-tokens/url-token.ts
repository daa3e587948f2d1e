// The URL of a webhook ends in a token, so that only the API server can call it. Each purpose (for example a workspace) has its own token, derived from a
// secret: a user who can read one configuration learns the token of that one only.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { notParsed, parsed, type Parsed } from '@dep-ctrl/kcp-names';

declare const urlSecret: unique symbol;

/** One line of the URL token file. Never logged, never part of a URL. */
export type UrlSecret = string & { readonly [urlSecret]: true };

/** The secrets in force: the first makes the installed URLs, all are accepted. */
export type UrlSecrets = readonly [UrlSecret, ...UrlSecret[]];

// 16 characters of base64 are 96 bits: beyond guessing over a network.
const MIN_LENGTH = 16;

/** Reads the URL token file: one secret per line, empty lines and lines that start with # are skipped. */
export function parseUrlSecrets(text: string): Parsed<UrlSecrets> {
  const secrets: UrlSecret[] = [];
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    if (line.length < MIN_LENGTH) return notParsed(`line ${index + 1} is shorter than ${MIN_LENGTH} characters`);
    secrets.push(line as UrlSecret);
  }
  const [first, ...others] = secrets;
  return first === undefined
    ? notParsed('it holds no secret: expected at least one line of random characters')
    : parsed([first, ...others]);
}

/** The token for a purpose under one secret: 43 characters that a URL path can hold as they are. No two purposes have the same. */
export function deriveToken(secret: UrlSecret, purpose: string): string {
  return createHmac('sha256', secret).update(purpose).digest('base64url');
}

/** Whether a presented token is the one for that purpose under any of the secrets. Takes the same time for every wrong token. */
export function isTokenAccepted(secrets: UrlSecrets, purpose: string, presented: string): boolean {
  const given = Buffer.from(presented);
  let accepted = false;
  for (const secret of secrets) {
    const expected = Buffer.from(deriveToken(secret, purpose));
    const matches = timingSafeEqual(expected, given.length === expected.length ? given : Buffer.alloc(expected.length));
    accepted = matches || accepted;
  }
  return accepted;
}
