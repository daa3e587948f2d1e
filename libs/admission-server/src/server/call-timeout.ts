/** Kubernetes' default for a webhook that names no timeout, and its maximum. */
const DEFAULT_TIMEOUT_MS = 10_000;
const MAX_TIMEOUT_MS = 30_000;

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** For how long the caller waits, by the query of its URL: a Go duration. What cannot be read counts as the default. */
export function parseCallTimeout(query: string): number {
  const text = new URLSearchParams(query).get('timeout') ?? '';
  if (!/^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/.test(text)) return DEFAULT_TIMEOUT_MS;
  let sum = 0;
  for (const [, amount, unit] of text.matchAll(/([\d.]+)(ms|s|m|h)/g)) sum += Number(amount) * (UNIT_MS[unit ?? ''] ?? 0);
  return sum > 0 ? Math.min(sum, MAX_TIMEOUT_MS) : DEFAULT_TIMEOUT_MS;
}
