import { withHeaders, type Reply, type ReplyHeaders } from './reply.js';

// kube-apiserver's bounds, in characters: beyond the first it begins anew and cuts every text to the second, until the first is reached.
const TOTAL = 4096;
const LONGEST_WHEN_CUT = 256;

/** A reply with warnings, as the API server sends them. */
export function withWarnings<T extends Reply>(reply: T, warnings: readonly string[]): T {
  return warnings.length === 0 ? reply : withHeaders(reply, warningHeaders(warnings));
}

/** The headers of warnings: each text once, none that a header cannot hold, and not more than the API server sends. */
export function warningHeaders(warnings: readonly string[]): ReplyHeaders {
  const sendable = [...new Set(warnings)].filter((warning) => warning !== '' && !/\p{Cc}/u.test(warning));
  if (sendable.length === 0) return {};
  // Node writes headers as Latin-1; the API server writes UTF-8.
  return { warning: bounded(sendable).map((text) => Buffer.from(`299 - ${JSON.stringify(text)}`).toString('latin1')) };
}

function bounded(warnings: readonly string[]): readonly string[] {
  const texts = warnings.map((text) => Array.from(text));
  let written = 0;
  const overflow = texts.findIndex(({ length }) => (written += length) > TOTAL);
  if (overflow < 0) return warnings;
  // The text that does not fit and those before it are all sent, cut; the later ones only while there is room.
  written = 0;
  const sent = texts
    .map((text) => text.slice(0, LONGEST_WHEN_CUT))
    .filter((text, index) => {
      if (index > overflow && written >= TOTAL) return false;
      written += text.length;
      return true;
    });
  return sent.map((text) => text.join(''));
}
