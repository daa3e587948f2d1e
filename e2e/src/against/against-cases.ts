// The way in that the README shows to who has a kcp already: the story of dep-ctrl told on it, as its admin and in one process.
import { deepEqual, ok } from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Backend } from '../backends/backend.js';
import type { Case } from '../running/case.js';
import type { Opened } from '../running/run-on-backend.js';
import { at, type Tree } from '../https/kube-body.js';
import { builtProgram } from '../scenarios/product.js';
import { runProgram, type CommandResult } from '../scenarios/run-program.js';
import { Stage } from '../stage/stage.js';

/** A kcp to tell the story on. */
export interface Listener {
  readonly tell: (...flags: readonly string[]) => Promise<CommandResult>;
  /** The names of the workspaces in root. */
  readonly workspaces: () => Promise<readonly string[]>;
  /** What lies in the folder that it was given. */
  readonly files: () => readonly string[];
}

const WORKSPACES = '/clusters/root/apis/tenancy.kcp.io/v1alpha1/workspaces';

/** Opens a backend for the program as it was built. */
export async function openProgram(backend: Backend): Promise<Opened<Listener>> {
  const kcp = await Stage.open(backend);
  const dir = mkdtempSync(join(tmpdir(), 'dep-ctrl-against-'));
  const tell = (...flags: readonly string[]): Promise<CommandResult> =>
    runProgram(builtProgram('DEP_CTRL_PROGRAM'), ['dev', '--against', backend.adminKubeconfig, '--once', '--dir', dir, ...flags]);
  const workspaces = async (): Promise<readonly string[]> => {
    const { body } = (await kcp.admin.get(WORKSPACES)).expect(200);
    return (at(body, 'items') as Tree[]).map((item) => String(at(item, 'metadata', 'name'))).sort();
  };
  return {
    context: { tell, workspaces, files: () => readdirSync(dir) },
    close: async () => {
      rmSync(dir, { recursive: true });
      await kcp.close();
    },
  };
}

/** What somebody sees who tries it. */
export const againstCases: readonly Case<Listener>[] = [
  {
    id: 'A1.1',
    title: 'dev --against --once shows the refusal on this kcp, ends with 0 and leaves nothing of it behind',
    exclusive: () => 'everything',
    run: async ({ tell, workspaces, files }) => {
      const before = await workspaces();

      const { code, stdout, stderr } = await tell();

      deepEqual({ code, stderr }, { code: 0, stderr: '' });
      ok(stdout.includes('still referenced by VirtualMachine/my-vm'), stdout);
      ok(stdout.includes('everything that was made is gone again'), stdout);
      deepEqual(await workspaces(), before);
      deepEqual(files(), []);
    },
  },
  {
    id: 'A1.2',
    title: 'dev --against can be told a second time',
    exclusive: () => 'everything',
    run: async ({ tell }) => {
      const { code, stderr } = await tell();

      deepEqual({ code, stderr }, { code: 0, stderr: '' });
    },
  },
];
