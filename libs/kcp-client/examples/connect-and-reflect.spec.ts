import { EmbeddedKcp } from '@dep-ctrl/embedded-kcp';
import { expect, it } from '@jest/globals';
import { workspacePath } from '@dep-ctrl/kcp-names';
import { Connection, isKcpError, Reflector, type ReflectorEvent } from '@dep-ctrl/kcp-client';
import { loadKubeconfig } from '@dep-ctrl/kcp-client/kubeconfig';
import { Scratch } from '../src/spec-support/scratch.js';

it('reads, writes and follows objects of a workspace', async () => {
  const kcp = await EmbeddedKcp.start({ delays: 'fast' });
  using scratch = new Scratch();
  const file = scratch.write('admin.kubeconfig', kcp.kubeconfig());
  const stop = new AbortController();
  const { signal } = stop;

  const loaded = loadKubeconfig({ file });
  if (!loaded.ok) throw new Error(loaded.problem);
  const connection = new Connection(loaded.value);
  const root = workspacePath('root');
  const client = connection.cluster(root);
  const configMaps = { group: '', version: 'v1', resource: 'configmaps' };

  for await (const page of client.list(configMaps, { namespace: 'default', limit: 500 }, { signal })) {
    expect(page.bytes.includes('"my-name"')).toBe(false); // scanned before it is parsed
    expect(page.objects()).not.toContainEqual(expect.objectContaining({ metadata: { name: 'my-name' } }));
  }

  const events: ReflectorEvent[] = [];
  const seen = new Promise<void>((resolve) => {
    const onEvent = (event: ReflectorEvent): void => {
      events.push(event);
      if (event.kind === 'applied') resolve();
      else if (event.kind === 'replaced')
        void client.create(configMaps, { metadata: { namespace: 'default', name: 'my-name' } }, { signal });
    };
    const reflector = new Reflector({ client, type: configMaps, query: { namespace: 'default' }, onEvent });
    void reflector.run(signal);
  });
  await seen;
  expect(events.at(-1)).toMatchObject({ kind: 'applied', object: { cluster: 'root', object: { metadata: { name: 'my-name' } } } });

  const problem: unknown = await client
    .get(configMaps, { namespace: 'default', name: 'other' }, { signal })
    .catch((thrown: unknown) => thrown);
  expect(isKcpError(problem, 'not-found')).toBe(true);

  stop.abort();
  await connection.close();
  await kcp.stop();
}, 30_000);
