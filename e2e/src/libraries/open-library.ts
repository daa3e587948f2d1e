import type { Backend } from '../backends/backend.js';
import type { Opened } from '../running/run-on-backend.js';
import { Stage } from '../stage/stage.js';
import { connect } from './connect.js';
import type { Library } from './library-case.js';

/** Opens a backend for the cases of the libraries. */
export async function openLibrary(backend: Backend, say: (text: string) => void): Promise<Opened<Library>> {
  const kcp = await Stage.open(backend);
  const connection = connect(backend.adminKubeconfig);
  const isEmbedded = backend.name.startsWith('embedded');
  return {
    context: { kcp, connection, isEmbedded, tell: (figure) => say(`${backend.name}      ${figure}`) },
    close: async () => {
      await connection.close();
      await kcp.close();
    },
  };
}
