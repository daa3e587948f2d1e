// `dep-ctrl doctor`: what must be so for dep-ctrl to work, judged one by one. Reads only.
import { systemClock, type Clock } from '@dep-ctrl/kcp-client';
import type { WorkspacePath } from '@dep-ctrl/kcp-names';
import type { World } from '../command-line/command.js';
import type { ConnectionSettings } from '../command-line/connect.js';
import { printResult } from '../command-line/print-result.js';
import { connectAsker } from '../installation/connect-asker.js';
import { readInstallation } from '../installation/read-installation.js';
import { findingsOf, isWell, summary } from './findings.js';
import { examine } from './preconditions.js';
import { asText, doctorResult } from './print-doctor.js';

/** What `doctor` is told. */
export interface DoctorSettings extends ConnectionSettings {
  readonly workspace: WorkspacePath;
  readonly all: boolean;
  readonly output: 'json' | 'yaml' | undefined;
}

/** Prints what is wrong, each with the command that mends it. Throws when something is. */
export async function runDoctor(
  settings: DoctorSettings,
  world: World,
  { clock }: { readonly clock: Clock } = { clock: systemClock },
): Promise<void> {
  const asker = connectAsker(settings, world, clock);
  try {
    const facts = await readInstallation(asker, settings.workspace);
    const access = { baseUrl: asker.connection.baseUrl, workspace: settings.workspace, flags: connectionFlags(settings) };
    const examined = examine({ ...facts, access });
    const findings = findingsOf(examined);
    printResult(doctorResult(examined), { output: settings.output, stdout: world.stdout, asText: (result) => asText(result, settings) });
    if (!isWell(findings)) throw new Error(summary(findings));
  } finally {
    await asker.connection.close();
  }
}

/** The flags that lead to the same kcp again. */
export function connectionFlags({ kubeconfig, context }: ConnectionSettings): readonly string[] {
  return [...(kubeconfig === undefined ? [] : ['--kubeconfig', kubeconfig]), ...(context === undefined ? [] : ['--context', context])];
}
