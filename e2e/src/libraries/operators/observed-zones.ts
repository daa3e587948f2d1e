// The type of the operator's cases, and the model: an operator that has lost nothing says in the status of each zone what its spec says, and its store is what
// kcp has.
import type { Stored } from '@dep-ctrl/kcp-controller';
import { notParsed, parsed, recordAt, text, type KubeObject, type Parsed } from '@dep-ctrl/kcp-names';
import { version, ZONE, type TypeToServe } from '../../stage/example-types.js';

const string = { type: 'string' };

/** A zone with a status. */
export const OBSERVED_ZONE: TypeToServe = {
  ...ZONE,
  versions: [
    version('v1', {
      type: 'object',
      properties: {
        spec: { type: 'object', properties: { region: string } },
        status: { type: 'object', properties: { region: string, by: string } },
      },
    }),
  ],
};

/** The region that no operator here can read. */
export const UNREADABLE = 'none';

/** A zone as the operator reads it. */
export interface Zone {
  readonly region: string;
  /** The region that the status says. */
  readonly seen: string | undefined;
}

/** A zone is whole if it has a region that means one. */
export function parseZone(object: KubeObject): Parsed<Zone> {
  const region = text(recordAt(object, 'spec')['region']);
  if (region === undefined || region === UNREADABLE) return notParsed('spec.region is no region');
  return parsed({ region, seen: text(recordAt(object, 'status')['region']) });
}

/** A zone that kcp has, with its workspace. */
export interface KcpZone {
  readonly cluster: string;
  readonly object: KubeObject;
}

/** What is wrong; two empty lists are the law kept. */
export interface ZonesVerdict {
  /** Zones whose status is not what their spec says. */
  readonly unseen: readonly string[];
  /** Zones that the store has otherwise than kcp, or does not have, or has too many. */
  readonly different: readonly string[];
}

/** Compares kcp with what the operator wrote and with what it has stored. Unreadable zones have no status, and are in no store. */
export function judgeZones(zones: readonly KcpZone[], stored: readonly Pick<Stored<Zone>, 'cluster' | 'metadata'>[]): ZonesVerdict {
  const readable = zones.flatMap(({ cluster, object }) => {
    const zone = parseZone(object);
    return zone.ok ? [{ name: nameOf(cluster, object), metadata: object.metadata, zone: zone.value }] : [];
  });
  const inKcp = new Map(readable.map(({ name, metadata }) => [name, metadata.resourceVersion]));
  const inStore = new Map(stored.map(({ cluster, metadata }) => [nameOf(cluster, { metadata }), metadata.resourceVersion]));
  const names = [...new Set([...inKcp.keys(), ...inStore.keys()])];
  return {
    unseen: readable.filter(({ zone }) => zone.seen !== zone.region).map(({ name }) => name),
    different: names.filter((name) => inKcp.get(name) !== inStore.get(name)).sort(),
  };
}

function nameOf(cluster: string, { metadata }: Pick<KubeObject, 'metadata'>): string {
  return `${cluster}/${String(metadata.name)}`;
}
