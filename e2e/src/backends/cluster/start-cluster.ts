// A real kcp beside a Kubernetes of one node, where dep-ctrl is installed with its chart.
import { join } from 'node:path';
import type { Backend, Missing } from '../backend.js';
import { startKcpProgram } from '../kcp-program.js';
import { findPrograms } from '../programs.js';
import { IMAGE, saveImages } from './cluster-images.js';
import { layNetwork, Node } from './node.js';
import { findNodePrograms } from './node-programs.js';

/** Starts both, or says what this machine lacks for it. */
export async function startCluster(env: Readonly<Record<string, string | undefined>>): Promise<Backend | Missing> {
  const check = env['DEP_CTRL_IMAGE_CHECK'];
  if (check === undefined) return { missing: 'only scenarios run dep-ctrl, in a cluster or without' };
  if (process.getuid?.() !== 0) return { missing: 'only root may start a node of Kubernetes' };
  const kcpPrograms = findPrograms(['kcp'], env);
  if ('missing' in kcpPrograms) return kcpPrograms;
  const programs = findNodePrograms(env);
  if ('missing' in programs) return programs;
  const network = layNetwork(programs);
  const { host, node: nodeAddress } = network.addresses;
  const kcp = await startKcpProgram(env, { name: 'cluster', address: host }).catch((error: unknown) => {
    network.remove();
    throw error;
  });
  if ('missing' in kcp) {
    network.remove();
    return kcp;
  }
  const stop: Backend['stop'] = async (options) => {
    network.remove();
    await kcp.stop(options);
  };
  try {
    const imageFiles = await saveImages(kcp.workDir, check);
    if ('missing' in imageFiles) {
      await stop();
      return imageFiles;
    }
    const node = await Node.start(programs, { dir: join(kcp.workDir, 'node'), network, imageFiles });
    return {
      ...kcp,
      cluster: { nodeAddress, image: IMAGE, kubectl: node.kubectl, helm: node.helm },
      stop: async (options) => {
        await node.stop();
        await stop(options);
      },
    };
  } catch (error) {
    await stop({ keep: true });
    throw error;
  }
}
