/** The client's own identity, and the authorities that it trusts. Everything PEM encoded. */
export interface Credentials {
  /** Certificate authorities to trust instead of the system's. */
  readonly ca?: string;
  readonly clientCert?: string;
  readonly clientKey?: string;
  /** Bearer token. */
  readonly token?: string;
  /** The name to expect in the certificate of the configured server, where it differs from the host in its address. */
  readonly serverName?: string;
  /** `skip` believes any certificate: for trials only. */
  readonly verify?: 'full' | 'skip';
  /** Further headers, such as those of impersonation. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

/**
 * Credentials that may change. Asked before every request, so it should answer from memory unless `fresh` is set: then what it knew
 * was just refused. Equal answers keep connections open; other ones are used for every request from then on.
 */
export type CredentialSource = (options: { readonly fresh: boolean; readonly signal: AbortSignal }) => Promise<Credentials>;

/** Which proxy, if any, leads to a server: an `http:`, `https:` or `socks5:` URL. */
export type ProxyChoice = (target: URL) => string | undefined;

/** Whether two credentials need the same TLS set-up, so that open connections may be kept. */
export function sameTls(a: Credentials, b: Credentials): boolean {
  return (
    a.ca === b.ca && a.clientCert === b.clientCert && a.clientKey === b.clientKey && a.serverName === b.serverName && a.verify === b.verify
  );
}

/** The headers that carry credentials. */
export function credentialHeaders({ token, headers }: Credentials): Record<string, string | string[]> {
  const result: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers ?? {})) result[name] = typeof value === 'string' ? value : [...value];
  if (token !== undefined) result['authorization'] = `Bearer ${token}`;
  return result;
}
