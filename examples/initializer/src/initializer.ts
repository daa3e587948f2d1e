// Every new workspace of a WorkspaceType stays Initializing until this operator has written what belongs into it.
import { LeaderElector, type Connection, type Logger } from '@dep-ctrl/kcp-client';
import { LifecycleController } from '@dep-ctrl/workspace-lifecycle';

const NAMESPACES = { group: '', version: 'v1', resource: 'namespaces' };

/** Initializes workspaces until the signal aborts. The connection is to the workspace of the type; replicas share a Lease there. */
export async function runInitializer(
  connection: Connection,
  typeName: string,
  identity: string,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  const workspace = connection.ownWorkspace();
  const controller = new LifecycleController({
    connection,
    workspace,
    typeName,
    kind: 'initializing',
    elector: new LeaderElector({ client: workspace, namespace: 'default', name: `initializer-${typeName}`, identity }),
    logger,
    // It is called again after a failure, so it applies and does not create. When it returns, the workspace goes on.
    handle: async ({ client, cluster }, { signal: stop }) => {
      const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shared' } };
      await client.patch(NAMESPACES, { name: 'shared' }, { kind: 'apply', body, fieldManager: 'initializer' }, { signal: stop });
      logger.info('workspace initialized', { cluster });
    },
  });
  await controller.run(signal);
}
