import { systemClock } from '@dep-ctrl/kcp-client';
import type { WorkspacePath } from '@dep-ctrl/kcp-names';
import { EXPORT_NAME } from '@dep-ctrl/rule-registry';
import type { World } from '../cli/command.js';
import { connect, type ConnectionSettings } from '../cli/connect.js';
import { printResult } from '../cli/print-result.js';
import type { Ensured } from '../kcp-objects/ensure-object.js';
import { isNotThereYet } from '../kcp-objects/ensure-workspace.js';
import { bindDepCtrl } from './bind-dep-ctrl.js';

/** What `bind` is told. */
export interface BindSettings extends ConnectionSettings {
  readonly workspace: WorkspacePath;
  readonly paths: readonly WorkspacePath[];
  readonly output: 'json' | 'yaml' | undefined;
}

interface BindResult {
  readonly bindings: readonly Bound[];
}

interface Bound {
  readonly path: WorkspacePath;
  readonly binding: Ensured | 'failed';
}

// kcp takes half a second for a binding, and some 5 s for the first one of a new schema: most of it waits, and in parallel.
const AT_A_TIME = 8;

/** Binds the workspaces, some at a time; one that cannot be bound keeps no other from it. Throws what went wrong first, in the end. */
export async function runBind(settings: BindSettings, world: World): Promise<void> {
  const connection = connect(settings, world.env);
  try {
    const bindings: Bound[] = [];
    const failures: unknown[] = [];
    for (let at = 0; at < settings.paths.length; at += AT_A_TIME) {
      const paths = settings.paths.slice(at, at + AT_A_TIME);
      const outcomes = await Promise.allSettled(paths.map(bindOne));
      for (const [index, path] of paths.entries()) {
        const bound = outcomes[index];
        bindings.push({ path, binding: bound?.status === 'fulfilled' ? bound.value : 'failed' });
        if (bound?.status === 'rejected') failures.push(bound.reason);
      }
    }
    printResult<BindResult>({ bindings }, { output: settings.output, stdout: world.stdout, asText });
    if (failures.length > 0) throw failures[0];
  } finally {
    await connection.close();
  }

  async function bindOne(path: WorkspacePath): Promise<Ensured> {
    try {
      const depCtrlExport = { path: settings.workspace, name: EXPORT_NAME };
      return await bindDepCtrl(connection.cluster(path), depCtrlExport, { clock: systemClock, signal: world.signal });
    } catch (error) {
      const doubt = isNotThereYet(error) ? ': it does not exist, or this identity may not enter it' : '';
      throw new Error(`cannot bind workspace "${path}"${doubt}`, { cause: error });
    }
  }
}

function asText({ bindings }: BindResult): string {
  return bindings.map(({ path, binding }) => `${path}: binding ${binding}\n`).join('');
}
