// dep-ctrl's image, built here from local files, in containers against the embedded kcp on the host.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Backend, Missing } from './backend.js';
import { containerEngine } from './container-engine.js';
import { startEmbedded } from './embedded.js';

const IMAGE = 'dep-ctrl-e2e';

/** Builds the image and starts the kcp that containers of it are to reach. */
export async function startContainers(env: Readonly<Record<string, string | undefined>>): Promise<Backend | Missing> {
  const check = env['DEP_CTRL_IMAGE_CHECK'];
  if (check === undefined) return { missing: 'only scenarios run dep-ctrl, in containers or without' };
  const engine = await containerEngine();
  if ('missing' in engine) return engine;
  try {
    await promisify(execFile)(process.execPath, [check], { env: { ...process.env, IMAGE } });
    // The container that removes others after a crash is an image that would have to be pulled.
    process.env['TESTCONTAINERS_RYUK_DISABLED'] = 'true';
    // Else it looks for a bridge, which an engine need not have.
    process.env['TESTCONTAINERS_HOST_OVERRIDE'] = '127.0.0.1';
    const { RoleContainer } = await import('./role-container.js');
    const kcp = await startEmbedded('containers', 1);
    return {
      ...kcp,
      runRole: (start) => new RoleContainer(IMAGE, start),
      stop: async (options) => {
        await kcp.stop(options);
        await engine.stop();
      },
    };
  } catch (error) {
    await engine.stop();
    throw error;
  }
}
