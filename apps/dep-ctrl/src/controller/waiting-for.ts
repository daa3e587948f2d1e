import type { EndpointsState, ReadinessCheck } from '@dep-ctrl/kcp-client';
import { describeMissing, type RegistryReader } from '@dep-ctrl/rule-registry';

/**
 * What the controller waits for, one line each; empty once it works. It is normal to start without kcp, export, binding or rule.
 */
export function waitingFor(state: EndpointsState, registry: RegistryReader, exportName: string): readonly string[] {
  const { slice, sliceFreshness, endpoints } = state;
  switch (slice.kind) {
    case 'unknown': {
      const error = slice.lastError ?? sliceFreshness.lastError;
      return [error === undefined ? 'kcp to answer' : `kcp to answer: ${error.message}`];
    }
    case 'no-slice':
      return [
        `the APIExportEndpointSlice of APIExport ${exportName} in the workspace of the kubeconfig: "dep-ctrl bootstrap" makes the export, and kcp the slice`,
      ];
    case 'read': {
      if (endpoints.size === 0) return [`the first workspace to bind ${exportName}`];
      const completeness = registry.completeness();
      if (completeness.state === 'syncing') return completeness.missing.map(describeMissing);
      return registry.ruleCount === 0 ? ['the first rule'] : [];
    }
    default:
      return slice satisfies never;
  }
}

/** For a controller without the webhook: not ready until it has reached kcp once. */
export function kcpAnswers(source: { state(): EndpointsState }): ReadinessCheck {
  const unread = { ready: false, missing: 'the endpoints of the export have not been read' } as const;
  return {
    name: 'kcp',
    check: () => {
      const { slice, sliceFreshness } = source.state();
      if (slice.kind === 'unknown') return unread;
      if (sliceFreshness.lastError !== undefined) return { ready: true, note: sliceFreshness.lastError.message };
      return slice.kind === 'read'
        ? { ready: true }
        : { ready: true, note: 'there is no endpoint slice of the export: dep-ctrl bootstrap makes the export' };
    },
  };
}
