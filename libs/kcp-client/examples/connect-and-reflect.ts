/* eslint-disable no-console -- a program that says what it found */
// Needs KUBECONFIG: of a user who may write ConfigMaps in "root", such as the admin of a kcp.
import { Connection, isKcpError, Reflector, workspacePath } from '@dep-ctrl/kcp-client';
import { loadKubeconfig } from '@dep-ctrl/kcp-client/kubeconfig';

const loaded = loadKubeconfig();
if (!loaded.ok) throw new Error(loaded.problem);
const connection = new Connection(loaded.value);
const client = connection.cluster(workspacePath('root'));
const configMaps = { group: '', version: 'v1', resource: 'configmaps' };
const stop = new AbortController(); // aborting it ends everything that was given its signal
const { signal } = stop;

for await (const page of client.list(configMaps, { namespace: 'default', limit: 500 }, { signal })) {
  if (page.bytes.includes('"my-name"')) console.log(page.objects()); // scanned before it is parsed
}

await client.create(configMaps, { metadata: { namespace: 'default', name: 'my-name' } }, { signal });
const reflector = new Reflector({
  client,
  type: configMaps,
  query: { namespace: 'default' },
  onEvent: (event) => {
    if (event.kind !== 'replaced') return; // applied, deleted and undecodable follow
    console.log(event.objects.some(({ object }) => object.metadata.name === 'my-name')); // true
    stop.abort();
  },
});
await reflector.run(signal);

try {
  await client.get(configMaps, { namespace: 'default', name: 'other' }, { signal: AbortSignal.timeout(5_000) });
} catch (error) {
  if (!isKcpError(error, 'not-found')) throw error;
  console.log(error.message); // cannot get configmaps "other" in namespace "default" in "root" at …: 404 NotFound: configmaps "other" not found
}
await connection.close();
