import type { TokenUser } from './backend.js';

// Known to everybody who reads this: they open a kcp that listens on the loopback address for the length of a test run.
const TOKENS: Readonly<Record<TokenUser, string>> = { alice: 'token-of-alice', bob: 'token-of-bob' };

/** The static bearer token of a user. */
export function tokenOf(user: TokenUser): string {
  return TOKENS[user];
}

/** What kcp's `--token-auth-file` reads. */
export function tokenFile(): string {
  return Object.entries(TOKENS)
    .map(([user, token]) => `${token},${user},${user}-uid\n`)
    .join('');
}
