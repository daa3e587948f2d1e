import {
  CLUSTER_ANNOTATION,
  isRecord,
  notParsed,
  parsed,
  parseLogicalClusterName,
  type KubeObject,
  type LogicalClusterName,
  type Parsed,
} from '@dep-ctrl/kcp-names';
import { parseVirtualWorkspaceUrl, type Logger, type VirtualWorkspaceUrl } from '@dep-ctrl/kcp-client';

/** The types of these specs. */
export const WIDGETS = { group: 'example.com', version: 'v1', resource: 'widgets' };
export const GEARS = { group: 'example.com', version: 'v1', resource: 'gears' };

/** What a widget and a gear say. */
export interface Widget {
  readonly color: string;
}

/** A widget or a gear is whole if it has a color. */
export function parseWidget({ spec }: KubeObject): Parsed<Widget> {
  const color = isRecord(spec) ? spec['color'] : undefined;
  return typeof color === 'string' ? parsed({ color }) : notParsed('spec.color is no text');
}

/** How a widget differs from the usual one. */
export interface WidgetParts {
  readonly cluster?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly color?: string | number;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** A widget, or a gear: nothing in it says which. */
export function widget(
  name: string,
  { cluster = 'cluster-1', namespace, uid, resourceVersion, color = 'red', metadata }: WidgetParts = {},
): KubeObject {
  return {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: {
      name,
      uid: uid ?? `uid of ${name}`,
      ...(namespace === undefined ? {} : { namespace }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      annotations: { [CLUSTER_ANNOTATION]: cluster },
      ...metadata,
    },
    spec: { color },
  };
}

/** The endpoint of a shard. */
export function endpointOf(shard: string): VirtualWorkspaceUrl {
  const url = parseVirtualWorkspaceUrl(`https://${shard}.example.com/services/apiexport/root/example`);
  if (!url.ok) throw new Error(url.problem);
  return url.value;
}

/** A logical cluster. */
export function clusterNamed(text: string): LogicalClusterName {
  const cluster = parseLogicalClusterName(text);
  if (!cluster.ok) throw new Error(cluster.problem);
  return cluster.value;
}

/** A logger that keeps warnings and errors, as lines. */
export function keepingLogger(): Logger & { readonly lines: string[] } {
  const lines: string[] = [];
  const keep = (message: string, fields: Readonly<Record<string, unknown>> = {}): void => {
    lines.push(`${message} ${JSON.stringify(fields)}`);
  };
  return { lines, debug: () => undefined, info: () => undefined, warn: keep, error: keep };
}
