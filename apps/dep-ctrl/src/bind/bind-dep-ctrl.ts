import type { ClusterClient } from '@dep-ctrl/kcp-client';
import type { ExportRef } from '@dep-ctrl/kcp-names';
import { GUARD_NAME, GUARDS, PERMISSION_CLAIM, RULES } from '@dep-ctrl/rule-registry';
import { bindExport, type BindOptions, type Bound } from '@dep-ctrl/exported-types';

const GUARDED = `it waits for the guard "${GUARD_NAME}" and its configuration: start the controller, which takes them back, or run dep-ctrl uninstall`;

/**
 * Binds a provider's workspace to dep-ctrl and accepts the one claim: then rules can be written there and its resources can be guarded. The claim is
 * accepted with the verbs that the export lists: kcp intersects verbs word by word, so "*" would give nothing.
 */
export function bindDepCtrl(client: ClusterClient, depCtrlExport: ExportRef, options: BindOptions): Promise<Bound> {
  return bindExport(
    client,
    { export: depCtrlExport, claims: [PERMISSION_CLAIM] },
    { ...options, keptBy: GUARDED, written: [RULES, GUARDS] },
  );
}
