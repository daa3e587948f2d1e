// What the type of the ordered teardown should permit by what is bound, and whether those who run the controller may follow it.
import type { Connection, Stoppable } from '@dep-ctrl/kcp-client';
import { TEARDOWN_ROLE } from '../../bootstrap/manifests.js';
import type { InstallationFacts } from '../../installation/facts.js';
import { reading } from '../../installation/reading.js';
import { deriveTypes } from '../../read-access/derive-types.js';
import { followersIn, mayFollow } from '../../teardown-type/type-rights.js';
import type { TeardownFacts } from './probes.js';

// bootstrap writes one or two.
const MOST_FOLLOWERS = 8;

/** Reads it where the type is there. */
export async function readTeardown(
  connection: Connection,
  { home }: InstallationFacts,
  options: Stoppable,
): Promise<TeardownFacts | undefined> {
  const { path, presence, teardownType, rights } = home;
  if (presence.state !== 'found' || teardownType.state !== 'read' || teardownType.value === undefined) return undefined;
  const client = connection.cluster(path);
  const binding = rights.state === 'read' ? rights.value.get(`ClusterRoleBinding/${TEARDOWN_ROLE}`) : undefined;
  const followers = binding === undefined ? [] : followersIn(binding, presence.cluster).slice(0, MOST_FOLLOWERS);
  const [derived, ...answers] = await Promise.all([
    reading({ what: 'what bound providers export', needs: 'cluster-admin in the workspaces of providers' }, () =>
      deriveTypes(connection, client, options),
    ),
    ...followers.map((each) =>
      reading({ what: `who may follow the type in ${path}`, needs: `create on subjectaccessreviews in ${path}` }, () =>
        mayFollow(client, each, options),
      ),
    ),
  ]);
  return {
    derived,
    followers: followers.flatMap(({ name }, at) => (answers[at] === undefined ? [] : [{ name, answers: answers[at] }])),
  };
}
