import { withHeaders, type Reply, type ReplyHeaders } from './reply.js';

/** A reply with warnings, as the API server sends them. */
export function withWarnings<T extends Reply>(reply: T, warnings: readonly string[]): T {
  return warnings.length === 0 ? reply : withHeaders(reply, warningHeaders(warnings));
}

/** The headers of warnings: each text once. */
export function warningHeaders(warnings: readonly string[]): ReplyHeaders {
  if (warnings.length === 0) return {};
  return { warning: [...new Set(warnings)].map((warning) => `299 - ${JSON.stringify(warning)}`) };
}
