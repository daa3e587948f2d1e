import type { Facts, InstallationFacts } from './facts.js';
import { firstUnread } from './providers.js';

/** The installation, with every rule, guard and binding of every shard. Throws where something of it could not be read; `therefore`: what comes of that. */
export function wholeInstallation({ server, installation }: Facts, therefore: string): InstallationFacts {
  if (installation === undefined) throw new Error(server.version.state === 'unread' ? server.version.why : 'kcp does not answer');
  const { presence } = installation.home;
  if (presence.state !== 'found') throw new Error(presence.text);
  const unread = firstUnread(installation);
  if (unread === undefined) return installation;
  throw new Error(`${therefore}, as not everything could be read: ${unread.what}: ${unread.why}`);
}
