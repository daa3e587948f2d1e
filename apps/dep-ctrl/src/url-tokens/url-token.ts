// The installed webhook URL ends in a token, so that nobody but kcp can ask what refers to what. Each guarded workspace has its own,
// derived from a secret: whoever can read one configuration learns the token of that workspace only.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { notParsed, parsed, type LogicalClusterName, type Parsed } from '@dep-ctrl/kcp-names';

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

/** The token of a guarded workspace under one secret: 43 characters that a URL path can hold as they are. */
export function deriveUrlToken(secret: UrlSecret, guardedCluster: LogicalClusterName): string {
  return createHmac('sha256', secret).update(`dep-ctrl webhook url\n${guardedCluster}`).digest('base64url');
}

/** The token of the URL where kcp asks about rules and guards as they are written. No workspace's token is the same. */
export function deriveAdmissionToken(secret: UrlSecret): string {
  return createHmac('sha256', secret).update('dep-ctrl admission url').digest('base64url');
}

/** Whether a presented token is that workspace's under any of the secrets. Takes the same time for every wrong token. */
export function isUrlTokenAccepted(secrets: UrlSecrets, guardedCluster: LogicalClusterName, presented: string): boolean {
  return isAnyOf(secrets, (secret) => deriveUrlToken(secret, guardedCluster), presented);
}

/** Whether a presented token is the one of rules and guards, likewise. */
export function isAdmissionTokenAccepted(secrets: UrlSecrets, presented: string): boolean {
  return isAnyOf(secrets, deriveAdmissionToken, presented);
}

function isAnyOf(secrets: UrlSecrets, derive: (secret: UrlSecret) => string, presented: string): boolean {
  const given = Buffer.from(presented);
  let accepted = false;
  for (const secret of secrets) {
    const expected = Buffer.from(derive(secret));
    const matches = timingSafeEqual(expected, given.length === expected.length ? given : Buffer.alloc(expected.length));
    accepted = matches || accepted;
  }
  return accepted;
}
