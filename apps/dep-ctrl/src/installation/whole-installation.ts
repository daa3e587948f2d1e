import type { Facts, InstallationFacts } from './facts.js';

/** The installation, with every rule, guard and binding of every shard. Throws where something of it could not be read; `therefore`: what comes of that. */
export function wholeInstallation({ server, installation }: Facts, therefore: string): InstallationFacts {
  if (installation === undefined) throw new Error(server.version.state === 'unread' ? server.version.why : 'kcp does not answer');
  const { home, shards } = installation;
  if (home.presence.state !== 'found') throw new Error(home.presence.text);
  const readings = [home.slice, ...shards.flatMap(({ bindings, rules, guards }) => [bindings, rules, guards])];
  const unread = readings.find((reading) => reading.state === 'unread');
  if (unread === undefined) return installation;
  throw new Error(`${therefore}, as not everything could be read: ${unread.what}: ${unread.why}`);
}
