import type { RequestListener } from 'node:http';
import { workspacePath } from '@dep-ctrl/kcp-names';
import { Connection, type ClusterClient } from '../index.js';
import { serve } from './serve.js';

/** Uses a client of the root workspace, whose requests a listener answers. */
export async function withClient<T>(listener: RequestListener, use: (client: ClusterClient) => Promise<T>): Promise<T> {
  await using kcp = await serve(listener);
  const connection = new Connection({ server: kcp.url });
  const root = workspacePath('root');
  try {
    return await use(connection.cluster(root));
  } finally {
    await connection.close();
  }
}
