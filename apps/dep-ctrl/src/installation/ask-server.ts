import type { Clock, Connection } from '@dep-ctrl/kcp-client';
import type { LoadedKubeconfig } from '@dep-ctrl/kcp-client/kubeconfig';
import type { ServerFacts } from './facts.js';
import { peek, type Peek } from './peek.js';
import { reading } from './reading.js';

/** How to ask: the connection, the clock and the signal. */
export interface Asker {
  readonly connection: Connection;
  readonly options: LoadedKubeconfig;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** How kubectl reaches this kcp. */
  readonly flags: readonly string[];
}

/** Reads the version, certificate and clock at one address of kcp. `versionUrl`: where these credentials may ask for the version. */
export async function askServer(
  { connection, options, clock, signal }: Asker,
  { baseUrl, versionUrl }: { readonly baseUrl: string; readonly versionUrl: string },
): Promise<ServerFacts> {
  const isOwn = new URL(baseUrl).origin === new URL(connection.baseUrl).origin;
  const version = reading({ what: `the version of kcp at ${baseUrl}`, needs: 'get on /version' }, async () => {
    const asked = `read the version of kcp`;
    const { body } = await connection.request({ method: 'GET', url: versionUrl, asked }, { signal });
    const { gitVersion } = JSON.parse(body.toString('utf8')) as { readonly gitVersion?: unknown };
    return typeof gitVersion === 'string' ? gitVersion : '';
  });
  const look = async (): Promise<Peek> => {
    if (options.proxyFor?.(new URL(baseUrl)) !== undefined) return { state: 'proxied' };
    const { credentials = {} } = options;
    const { ca, serverName } = typeof credentials === 'function' ? await credentials({ fresh: false, signal }) : credentials;
    return peek({ url: `${baseUrl}/version`, ca, ...(isOwn ? { serverName } : {}) }, { now: () => clock.now(), signal });
  };
  return { baseUrl, peek: await look(), version: await version };
}
