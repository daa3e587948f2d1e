/* eslint-disable no-console -- it prints */
// Needs KUBECONFIG: of a user who may list, watch and terminate the WorkspaceType "ordered" of "root:platform".
import { Connection, workspacePath } from '@dep-ctrl/kcp-client';
import { loadKubeconfig } from '@dep-ctrl/kcp-client/kubeconfig';
import { silentTeardown, TeardownHandler } from '@dep-ctrl/ordered-teardown';
import { LifecycleController } from '@dep-ctrl/workspace-lifecycle';

const loaded = loadKubeconfig();
if (!loaded.ok) throw new Error(loaded.problem);
const connection = new Connection(loaded.value);
const tell = (line: string, fields?: object) => console.log(line, JSON.stringify(fields));
const logger = { debug: () => undefined, info: tell, warn: tell, error: tell };

const handler = new TeardownHandler({
  typeName: 'ordered',
  timeoutMs: 10 * 60_000,
  ordering: {
    // Machines, whoever exports them, before the networks that they are in.
    orderOf: (types) => {
      const named = (resource: string) => types.filter((type) => type.resource === resource);
      return { edges: named('virtualmachines').flatMap((from) => named('vpcs').map((to) => ({ from, to }))), isComplete: true };
    },
  },
  isTypeGone: () => controller.state().kind === 'no-type',
  observer: { ...silentTeardown, teardownEnded: (end) => console.log(`ended: ${end}`) },
  logger,
});

const controller: LifecycleController = new LifecycleController({
  connection,
  workspace: connection.cluster(workspacePath('root:platform')),
  typeName: 'ordered',
  kind: 'terminating',
  handle: handler.handle,
  logger,
});

const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());
await controller.run(stop.signal);
await connection.close();
