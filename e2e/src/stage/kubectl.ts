// kubectl, as a consumer runs it: the admin kubeconfig, a workspace, a namespace, and a discovery cache of its own.
import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage, Workspace } from './stage.js';

/** What kubectl printed and how it ended. */
export interface Said {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs kubectl with these arguments and this text on stdin. */
export type Kubectl = (args: readonly string[], stdin?: string) => Promise<Said>;

/** kubectl in a namespace of a workspace. */
export function kubectlIn(kcp: Stage, where: { readonly workspace: Workspace; readonly namespace: string }): Kubectl {
  const cache = mkdtempSync(join(kcp.backend.workDir, 'kubectl-'));
  const server = kcp.front.url + where.workspace.at;
  const always = ['--kubeconfig', kcp.backend.adminKubeconfig, '--server', server, '--namespace', where.namespace, '--cache-dir', cache];
  return (args, stdin = '') =>
    new Promise((resolve) => {
      const child = execFile('kubectl', [...always, ...args], { timeout: 120_000 }, (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : 1, stdout, stderr });
      });
      child.stdin?.end(stdin);
    });
}
