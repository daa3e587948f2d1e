import { EmbeddedKcp } from '@dep-ctrl/embedded-kcp';
import { expect, it } from '@jest/globals';
import { parseWorkspacePath } from '@dep-ctrl/kcp-names';
import { connect, insistently, KcpWorld, VPCS } from '../src/spec-support/kcp-world.js';
import { Scratch } from '../src/spec-support/scratch.js';
import { runOperator } from './operator.js';

const HOME = 'root:network';
const LEASES = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' };

it('given two workspaces that bind the export, when the operator runs, then the VPCs of both are labelled, and its Lease is released in the end', async () => {
  const kcp = await EmbeddedKcp.start({ delays: 'fast' });
  using scratch = new Scratch();
  const world = new KcpWorld(connect(scratch.write('admin.kubeconfig', kcp.kubeconfig())));
  const home = parseWorkspacePath(HOME);
  if (!home.ok) throw new Error(home.problem);
  await world.workspace(HOME);
  await world.exportVpcs(HOME);
  const stop = new AbortController();
  const signal = AbortSignal.timeout(20_000);

  const running = runOperator(world.connection, home.value, stop.signal);
  for (const path of ['root:one', 'root:two']) {
    await world.workspace(path);
    await world.bind(path, HOME);
    await world.createVpc(path, 'vpc');
  }
  const isLabelled = async (path: string): Promise<boolean> => {
    const { metadata } = await world.at(path).get(VPCS, { name: 'vpc' }, { signal });
    return metadata.labels?.['checked'] === 'yes';
  };
  // A watch of each would say the same with more lines.
  while (!(await isLabelled('root:one')) || !(await isLabelled('root:two'))) signal.throwIfAborted();
  stop.abort();
  await running;
  const lease = await insistently(() => world.at(HOME).get(LEASES, { namespace: 'default', name: 'vpc-operator' }, { signal }));
  await world.connection.close();
  await kcp.stop();

  expect(lease['spec']).toMatchObject({ holderIdentity: '' });
}, 60_000);
