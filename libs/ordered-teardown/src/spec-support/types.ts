// Types of a workspace, as specs write them: `exporter/resource`.
import type { BoundType } from '@dep-ctrl/exported-types';
import { logicalCluster } from '@dep-ctrl/kcp-names';
import type { TypeEdge } from '../ordering.js';

/** A type, written as `exporter/resource`; its group is one for all. */
function typeOf(text: string): BoundType {
  const [exporter = '', resource = ''] = text.split('/');
  return { group: 'g.example.com', resource, exporter: logicalCluster(exporter), versions: ['v1'] };
}

/** The same the other way round. */
export function textOf({ exporter, resource }: BoundType): string {
  return `${exporter}/${resource}`;
}

/** An edge, written as `exporter/resource > exporter/resource`. */
export function edgeOf(text: string): TypeEdge {
  const [from = '', to = ''] = text.split(' > ');
  return { from: typeOf(from), to: typeOf(to) };
}
