import type { RequestListener } from 'node:http';
import { parseWorkspacePath } from '@dep-ctrl/kcp-names';
import { Connection, type ClusterClient } from '../index.js';
import { serve } from './serve.js';

/** Uses a client of the root workspace, whose requests a listener answers. */
export async function withClient<T>(listener: RequestListener, use: (client: ClusterClient) => Promise<T>): Promise<T> {
  await using kcp = await serve(listener);
  const connection = new Connection({ server: kcp.url });
  const root = parseWorkspacePath('root');
  if (!root.ok) throw new Error(root.problem);
  try {
    return await use(connection.cluster(root.value));
  } finally {
    await connection.close();
  }
}
