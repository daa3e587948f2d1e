import { CLUSTER_ANNOTATION, apiVersionOf, notParsed, parseLogicalClusterName, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import { RULES } from '../rules/api-group.js';
import { OBJECT_NAME_GRAMMAR } from './name-grammar.js';
import { INVALID, ownValue, type ObjectReader } from './object-reader.js';

/** What identifies one object of one workspace at one moment. */
export interface ObjectIdentity {
  readonly cluster: LogicalClusterName;
  readonly name: string;
  readonly uid: string;
  readonly generation: number;
  /** RFC 3339; empty where kcp has not written it yet. */
  readonly createdAt: string;
}

/** Checks that an object is of one of our kinds, and reads its name. */
export function readName<R extends string>(object: ObjectReader<R>, kind: string): string | undefined {
  object.oneOf('apiVersion', [apiVersionOf(RULES)]);
  object.oneOf('kind', [kind]);
  return object.object('metadata')?.name('name', OBJECT_NAME_GRAMMAR);
}

/** Reads name, cluster, uid and generation. A missing uid is empty: only files lack one. */
export function readIdentity<R extends string>(object: ObjectReader<R>, kind: string): ObjectIdentity | undefined {
  const name = readName(object, kind);
  const metadata = object.raw('metadata');
  const cluster = readCluster(object, metadata);
  if (name === undefined || cluster === undefined) return undefined;
  const uid = ownValue(metadata, 'uid');
  const generation = ownValue(metadata, 'generation');
  const createdAt = ownValue(metadata, 'creationTimestamp');
  return {
    cluster,
    name,
    uid: typeof uid === 'string' ? uid : '',
    generation: typeof generation === 'number' ? generation : 0,
    createdAt: typeof createdAt === 'string' ? createdAt : '',
  };
}

function readCluster<R extends string>(object: ObjectReader<R>, metadata: unknown): LogicalClusterName | undefined {
  const annotation = ownValue(ownValue(metadata, 'annotations'), CLUSTER_ANNOTATION);
  const cluster =
    typeof annotation === 'string' ? parseLogicalClusterName(annotation) : notParsed('is required: kcp sets it on every object');
  if (cluster.ok) return cluster.value;
  object.report(`.metadata.annotations['${CLUSTER_ANNOTATION}']`, cluster.problem, INVALID);
  return undefined;
}
