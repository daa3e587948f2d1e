import { expect, it } from '@jest/globals';
import { EmbeddedKcp } from '@dep-ctrl/embedded-kcp';
import { parseWorkspacePath } from '@dep-ctrl/kcp-names';
import { Connection, systemClock } from '@dep-ctrl/kcp-client';
import { printResolution, WorkspaceResolver } from '@dep-ctrl/workspace-resolver';

it('says what a path means, or what is missing', async () => {
  const kcp = await EmbeddedKcp.start();
  const connection = new Connection({ server: kcp.baseUrl, credentials: { ca: kcp.ca, token: kcp.token('admin', ['system:kcp:admin']) } });
  const resolver = new WorkspaceResolver({ connection, clock: systemClock });
  const path = parseWorkspacePath('root:nework');
  if (!path.ok) throw new Error(path.problem);

  const resolution = await resolver.resolve(path.value, { signal: AbortSignal.timeout(5_000) });

  expect(printResolution(path.value, resolution)).toBe('workspace "root:nework" does not exist');
  await connection.close();
  await kcp.stop();
});
