const PEER = '@kubernetes/client-node';

/** What Node says when the optional peer is not installed, as what to do; anything else as it is. */
export function explainMissingPeer(error: unknown): unknown {
  const isMissing =
    error instanceof Error && 'code' in error && String(error.code).endsWith('MODULE_NOT_FOUND') && error.message.includes(PEER);
  if (!isMissing) return error;
  return new Error(`auth-providers need a package that is not installed: npm install ${PEER}`, { cause: error });
}
