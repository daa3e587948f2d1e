// An outsider: a user who owns workspaces and has no right anywhere else, as every tenant of a kcp.
import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { TokenUser } from '../backends/backend.js';
import { writePrivate } from '../backends/work-dir.js';
import type { Caller } from '../https/caller.js';
import { eventually } from './eventually.js';
import { APIS, makeExport, type Export, type ExportWish, type Maker } from './exports.js';
import { user } from './identities.js';
import type { Kubectl } from './kubectl.js';
import type { Stage, Workspace, WorkspaceWish } from './stage.js';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';

/** A user with a bearer token, cluster-admin in the workspaces that were made for it. */
export class Outsider implements Maker {
  readonly #kcp: Stage;
  readonly #token: string;
  readonly name: TokenUser;
  /** The only way in which it reaches kcp. Named as of a stage: it is the admin of its own workspaces. */
  readonly admin: Caller;

  constructor(kcp: Stage, name: TokenUser) {
    this.#kcp = kcp;
    this.#token = kcp.backend.token(name);
    this.name = name;
    this.admin = kcp.front.with({ token: this.#token });
  }

  /** Has a workspace made in which it may do everything. */
  async workspace(wish: WorkspaceWish = {}): Promise<Workspace> {
    const made = await this.#kcp.workspace(wish);
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' };
    const owner = { metadata: { name: `owner-${this.name}` }, roleRef, subjects: [user(this.name)] };
    (await this.#kcp.admin.post(`${made.at}${RBAC}/clusterrolebindings`, owner)).expect(201);
    await eventually(`${this.name} is let in`, async () => void (await this.admin.get(`${made.at}${APIS}/apibindings`)).expect(200));
    return made;
  }

  /** Makes an export in a workspace of its own. */
  async export(wish: ExportWish): Promise<Export> {
    return makeExport(this, wish);
  }

  /** kubectl in one of its workspaces, with its token and nothing else. */
  kubectl(workspace: Workspace): Kubectl {
    const { workDir, ca } = this.#kcp.backend;
    const files = mkdtempSync(join(workDir, 'kubectl-'));
    const flags = ['--kubeconfig', writePrivate(files, 'none', ''), '--cache-dir', files, '--token', this.#token];
    const where = ['--server', this.#kcp.front.url + workspace.at, '--certificate-authority', writePrivate(files, 'ca.crt', ca)];
    return (args, stdin = '') =>
      new Promise((resolve) => {
        const child = execFile('kubectl', [...flags, ...where, ...args], { timeout: 120_000 }, (error, stdout, stderr) => {
          resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : 1, stdout, stderr });
        });
        child.stdin?.end(stdin);
      });
  }

  /**
   * Says that a workspace of its own lives at another path: writes that on its LogicalCluster, then touches its bindings, to which kcp copies it.
   */
  async claimPath(workspace: Workspace, path: string): Promise<void> {
    const logicalCluster = `${workspace.at}/apis/core.kcp.io/v1alpha1/logicalclusters/cluster`;
    (await this.admin.patch('merge', logicalCluster, { metadata: { annotations: { 'kcp.io/path': path } } })).expect(200);
    const bindings = `${workspace.at}${APIS}/apibindings`;
    const { items = [] } = (await this.admin.get(bindings)).expect(200).body;
    for (const { metadata } of items) {
      const touched = { metadata: { annotations: { 'example.com/touched': this.#kcp.unique('touch') } } };
      await this.admin.patch('merge', `${bindings}/${metadata.name ?? ''}`, touched);
    }
  }
}
