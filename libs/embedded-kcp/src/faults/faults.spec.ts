// What a test of an operator sees of each fault, over real connections to two shards.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Agent, request } from 'undici';
import { EmbeddedKcp, type EmbeddedShard } from '../installation/embedded-kcp.js';
import { ApiClient } from '../testing/api-client.js';

const CONFIG_MAPS = '/clusters/root/api/v1/namespaces/default/configmaps';
const WORKSPACES = '/clusters/root/apis/tenancy.kcp.io/v1alpha1/workspaces';
const APIS = '/apis/apis.kcp.io/v1alpha2';

describe('faults on purpose', () => {
  let kcp: EmbeddedKcp;
  let admin: ApiClient;
  let masters: ApiClient;
  let agent: Agent;
  beforeAll(async () => {
    kcp = await EmbeddedKcp.start({ shards: 2, delays: 'fast' });
    admin = new ApiClient(kcp, 'kcp-admin', ['system:kcp:admin']);
    masters = new ApiClient(kcp, 'shard-admin', ['system:masters']);
    agent = new Agent({ connect: { ca: kcp.ca } });
    const spec = { type: { name: 'universal', path: 'root' }, location: { selector: { matchLabels: { name: 'shard-1' } } } };
    const workspace = { apiVersion: 'tenancy.kcp.io/v1alpha1', kind: 'Workspace', metadata: { name: 'away' }, spec };
    await admin.send('POST', url(WORKSPACES), workspace);
    await admin.until(url(`${WORKSPACES}/away`), ({ body: { status } }) => status?.['phase'] === 'Ready');
  });
  afterEach(() => {
    kcp.faults.clear();
    kcp.requests.clear();
  });
  afterAll(async () => {
    await Promise.all([admin.close(), masters.close(), agent.destroy()]);
    await kcp.stop();
  });

  const shard = (index: number): EmbeddedShard => {
    const found = kcp.shards[index];
    if (found === undefined) throw new Error(`no shard ${index}`);
    return found;
  };
  const url = (path: string): string => `${kcp.baseUrl}${path}`;
  const create = async (name: string): Promise<string> => {
    const { status, body } = await admin.send('POST', url(CONFIG_MAPS), { metadata: { name } });
    expect(status).toBe(201);
    return body.metadata.resourceVersion ?? '';
  };
  const watch = (query: string): ReturnType<typeof request> => {
    const headers = { authorization: `Bearer ${kcp.token('kcp-admin', ['system:kcp:admin'])}` };
    return request(`${url(CONFIG_MAPS)}?watch=true&${query}`, { dispatcher: agent, headers });
  };

  it('given a drop, when a request matches, then its connection breaks and nothing was written', async () => {
    kcp.faults.onRequest({ method: 'POST', path: CONFIG_MAPS }, { kind: 'drop' }, { times: 1 });

    await expect(admin.send('POST', url(CONFIG_MAPS), { metadata: { name: 'dropped' } })).rejects.toThrow('other side closed');

    expect((await admin.send('GET', url(`${CONFIG_MAPS}/dropped`))).status).toBe(404);
  });

  it('given a cut, when a write matches, then its answer breaks off and it was written all the same', async () => {
    kcp.faults.onRequest({ method: 'POST', path: CONFIG_MAPS }, { kind: 'cut', afterBytes: 10 }, { times: 1 });

    await expect(admin.send('POST', url(CONFIG_MAPS), { metadata: { name: 'cut' } })).rejects.toThrow();

    expect((await admin.send('GET', url(`${CONFIG_MAPS}/cut`))).status).toBe(200);
  });

  it('given a status, when requests match, then it is the answer until the fault is removed', async () => {
    const body = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: 'slow down', code: 429 };
    const remove = kcp.faults.onRequest({ listener: 'proxy' }, { kind: 'answer', status: 429, body });

    const refused = await admin.send('GET', url(CONFIG_MAPS));
    remove();

    expect([refused.status, refused.body.message, (await admin.send('GET', url(CONFIG_MAPS))).status]).toEqual([429, 'slow down', 200]);
  });

  it('given a delay, when a request matches, then one that came later is answered earlier', async () => {
    kcp.faults.onRequest({ path: `${CONFIG_MAPS}/late` }, { kind: 'delay', ms: 100 });
    const order: string[] = [];
    const ask = (name: string): Promise<unknown> => admin.send('GET', url(`${CONFIG_MAPS}/${name}`)).then(() => order.push(name));

    await Promise.all([ask('late'), ask('prompt')]);

    expect(order).toEqual(['prompt', 'late']);
  });

  it('given a frozen watch, when something is written, then other watches hear it, and this one does once it thaws', async () => {
    const since = await create('before-the-frost');
    const thaw = kcp.faults.onRequest({ watch: true, path: CONFIG_MAPS }, { kind: 'freeze' }, { times: 1 });
    const [frozen, lively] = [await watch(`resourceVersion=${since}`), await watch(`resourceVersion=${since}`)];
    let [heard, open] = ['', true];
    const listening = (async () => {
      for await (const chunk of frozen.body) if ((heard += String(chunk)).includes('\n')) break;
      open = false;
    })();

    await create('frozen');
    for await (const chunk of lively.body) if (String(chunk).includes('"name":"frozen"')) break;
    expect([heard, open]).toEqual(['', true]);
    thaw();
    await listening;

    expect(heard).toContain('"name":"frozen"');
  });

  it('given a freeze while a watch runs, then that watch falls silent, and tells what it missed once it thaws', async () => {
    const since = await create('before-the-freeze');
    const [running, lively] = [await watch(`resourceVersion=${since}`), await watch(`resourceVersion=${since}&labelSelector=%21x`)];
    const thaw = kcp.faults.onRequest({ watch: true, path: CONFIG_MAPS }, { kind: 'freeze' }, { times: 1 });
    let heard = '';
    const listening = (async () => {
      for await (const chunk of running.body) if ((heard += String(chunk)).includes('\n')) break;
    })();

    await create('unheard');
    for await (const chunk of lively.body) if (String(chunk).includes('"name":"unheard"')) break;
    expect(heard).toBe('');
    thaw();
    await listening;

    expect(heard).toContain('"name":"unheard"');
  });

  it('given a compaction, then older versions and continue tokens have expired and new watches work', async () => {
    const since = await create('compacted-1');
    await create('compacted-2');
    const page = await admin.send('GET', `${url(CONFIG_MAPS)}?limit=1`);
    const { continue: token = '' } = page.body.metadata as { readonly continue?: string };
    await create('compacted-3');

    kcp.faults.compact();

    const { body } = await watch(`resourceVersion=${since}`);
    expect(await body.text()).toContain('"code":410');
    expect((await admin.send('GET', `${url(CONFIG_MAPS)}?limit=1&continue=${token}`)).status).toBe(410);
    expect((await admin.send('GET', url(CONFIG_MAPS))).status).toBe(200);
  });

  it('given a shard that is stopped, then its workspaces are 502, others work, and its own are back with their content after a start', async () => {
    const home = url('/clusters/root:away/api/v1/namespaces/default/configmaps');
    const kept = await admin.send('POST', home, { metadata: { name: 'kept' } });

    await shard(1).stop();
    expect((await admin.send('GET', home)).status).toBe(502);
    expect((await admin.send('GET', url(CONFIG_MAPS))).status).toBe(200);
    await expect(masters.send('GET', `${shard(1).url}/version`)).rejects.toThrow('ECONNREFUSED');
    await shard(1).start();

    expect((await admin.send('GET', `${home}/kept`)).body.metadata.resourceVersion).toBe(kept.body.metadata.resourceVersion);
    const { status } = await admin.send('GET', `${home}?resourceVersion=1&resourceVersionMatch=Exact`);
    expect(status).toBe(410);
  });

  it('given a shard that starts as kcp does, then it refuses for a while what it has, and in the end serves it and says that it is ready', async () => {
    const home = url('/clusters/root:away/api/v1/namespaces/default/configmaps');
    await shard(1).stop();
    const start = { isOver: false };
    const started = shard(1)
      .start({ pace: 'as-kcp' })
      .finally(() => (start.isOver = true));
    const heard = new Set<string>();

    while (!start.isOver) {
      const ready = await masters.send('GET', `${shard(1).url}/readyz`).catch(() => ({ status: 'refused' }));
      heard.add(`ready: ${ready.status}`);
      heard.add(`through the front-proxy: ${(await admin.send('GET', home)).status}`);
    }
    await started;

    const refused = ['ready: refused', 'through the front-proxy: 502', 'ready: 500', 'through the front-proxy: 403'];
    expect([...heard]).toEqual(expect.arrayContaining([...refused, 'through the front-proxy: 200']));
    expect([(await admin.send('GET', home)).status, (await masters.send('GET', `${shard(1).url}/readyz`)).status]).toEqual([200, 200]);
  });

  it('given a shard that is stopped while it starts as kcp does, then that start ends, and the next one serves', async () => {
    await shard(1).stop();
    const started = shard(1).start({ pace: 'as-kcp' });

    await shard(1).stop();
    await started;
    await shard(1).start();

    expect((await admin.send('GET', url('/clusters/root:away/api/v1/namespaces/default'))).status).toBe(200);
  });

  describe('between shards', () => {
    const exportOf = (name: string): object => ({
      apiVersion: 'apis.kcp.io/v1alpha2',
      kind: 'APIExport',
      metadata: { name },
      spec: { resources: [] },
    });
    const bind = (name: string): Promise<{ readonly status: number }> => {
      const reference = { export: { path: 'root', name } };
      const binding = { apiVersion: 'apis.kcp.io/v1alpha2', kind: 'APIBinding', metadata: { name }, spec: { reference } };
      return admin.send('POST', url(`/clusters/root:away${APIS}/apibindings`), binding);
    };
    const bound = async (name: string): Promise<void> => {
      expect((await bind(name)).status).toBe(201);
      await admin.until(url(`/clusters/root:away${APIS}/apibindings/${name}`), ({ body: { status } }) => status?.['phase'] === 'Bound');
    };

    it('given replication that is paused, when an export is made, then the other shard learns of it after the resume', async () => {
      kcp.faults.pauseReplication();
      expect((await admin.send('POST', url(`/clusters/root${APIS}/apiexports`), exportOf('paused'))).status).toBe(201);
      expect((await bind('paused')).status).toBe(201);
      const binding = url(`/clusters/root:away${APIS}/apibindings/paused`);
      await admin.until(binding, ({ body: { status } }) => JSON.stringify(status ?? {}).includes('APIExportNotFound'));

      kcp.faults.resumeReplication();

      await admin.until(binding, ({ body: { status } }) => status?.['phase'] === 'Bound');
    });

    it('given a longer way for replicas, then what another shard does not know yet comes when its time is over', async () => {
      kcp.faults.setReplicationDelay(200);
      const begun = performance.now();
      await admin.send('POST', url(`/clusters/root${APIS}/apiexports`), exportOf('slow'));

      await bound('slow');

      expect(performance.now() - begun).toBeGreaterThanOrEqual(200);
      kcp.faults.setReplicationDelay(undefined);
    });

    it('given an endpoint that is withdrawn, then the slice loses that of its shard only, and gets it back', async () => {
      const slice = url('/clusters/root/apis/apis.kcp.io/v1alpha1/apiexportendpointslices/slow');
      const urls = ({ body: { status } }: { readonly body: { readonly status?: Readonly<Record<string, unknown>> } }): readonly string[] =>
        ((status?.['endpoints'] ?? []) as readonly { readonly url: string }[]).map((endpoint) => endpoint.url);
      const of = `${shard(1).url}/services/apiexport/root/slow`;
      await admin.until(slice, (answer) => urls(answer).includes(of));

      const putBack = kcp.faults.withdrawEndpoint({ shard: 'shard-1', cluster: 'root', exportName: 'slow' });
      const without = await admin.until(slice, (answer) => !urls(answer).includes(of));
      putBack();
      await admin.until(slice, (answer) => urls(answer).includes(of));

      expect(urls(without)).toEqual([]);
    });
  });

  it('given requests, then they are recorded with listener, query and agent, and counted until they are cleared', async () => {
    kcp.requests.clear();
    await admin.send('GET', `${url(CONFIG_MAPS)}?limit=1`);
    await masters.send('GET', `${shard(0).url}${CONFIG_MAPS}`);

    expect(kcp.requests.recorded().map(({ listener, method, path, query }) => [listener, method, path, query])).toEqual([
      ['proxy', 'GET', CONFIG_MAPS, 'limit=1'],
      ['root', 'GET', CONFIG_MAPS, ''],
    ]);
    expect([kcp.requests.count(), kcp.requests.count({ listener: 'root' }), kcp.requests.count({ method: 'POST' })]).toEqual([2, 1, 0]);
    kcp.requests.clear();
    expect(kcp.requests.count()).toBe(0);
  });
});
