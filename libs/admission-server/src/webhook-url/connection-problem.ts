/** What went wrong with an HTTPS connection, in words for people, by the code of the error. Undefined: Node's own message says it best. */
export function connectionProblem(code: string): string | undefined {
  return PROBLEMS[code];
}

const PROBLEMS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the name of the host cannot be looked up',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the network',
  ETIMEDOUT: 'no answer in time',
  ECONNRESET: 'the connection was closed',
  EPROTO: 'it does not speak TLS as it should',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not speak TLS',
};
