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
  readonly bindings: readonly { readonly path: WorkspacePath; readonly binding: Ensured }[];
}

/** Binds the workspaces one after the other, so that a failure says which one it was. */
export async function runBind(settings: BindSettings, world: World): Promise<void> {
  const connection = connect(settings, world.env);
  try {
    const bindings: { readonly path: WorkspacePath; readonly binding: Ensured }[] = [];
    for (const path of settings.paths) {
      bindings.push({ path, binding: await bindOne(path) });
    }
    printResult<BindResult>({ bindings }, { output: settings.output, stdout: world.stdout, asText });
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
