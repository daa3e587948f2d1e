// Rules and guards as a text to keep and to read again. Pure. Each object names its logical cluster, not only its path: a workspace's admin writes the path,
// and the restoring user has rights that this admin does not have.
import {
  isRecord,
  notParsed,
  parsed,
  parseLogicalClusterName,
  record,
  recordAt,
  text,
  type KubeObject,
  type LogicalClusterName,
  type Parsed,
} from '@dep-ctrl/kcp-names';
import { API_GROUP, API_VERSION } from '@dep-ctrl/rule-registry';
import { parseAllDocuments, stringify } from 'yaml';
import { DEEPEST, isTooDeep } from '../manifest-files/yaml-depth.js';

/** The annotation with the place of an object. */
export const BACKUP_OF = 'dependencies.opendefense.cloud/backup-of';

/** A rule or a guard, and its workspace. */
export interface Saved {
  readonly cluster: LogicalClusterName;
  readonly kind: 'DependencyRule' | 'DependencyGuard';
  readonly object: KubeObject;
}

// What kubectl and kcp note on an object is made anew by them.
const MADE_BY_OTHERS = /^(?:kubectl\.kubernetes\.io\/|(?:[a-z0-9-]+\.)*kcp\.io\/)/;

/** The part of an object that a backup keeps; undefined: nothing, as the object is being deleted, or is a guard in which its owner wrote nothing. */
export function savedOf(cluster: LogicalClusterName, kind: Saved['kind'], { metadata, spec }: KubeObject): Saved | undefined {
  const { name = '', labels, annotations, deletionTimestamp } = metadata;
  if (deletionTimestamp !== undefined || spec === undefined) return undefined;
  const kept = {
    name,
    ...(labels !== undefined && { labels: own(labels) }),
    annotations: { ...own(annotations ?? {}), [BACKUP_OF]: cluster },
  };
  return { cluster, kind, object: { apiVersion: `${API_GROUP}/${API_VERSION}`, kind, metadata: kept, spec } };
}

function own(notes: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(notes).filter(([key]) => !MADE_BY_OTHERS.test(key)));
}

/** All of them in YAML, one document each. */
export function writeBackup(saved: readonly Saved[], nameOf: (cluster: LogicalClusterName) => string): string {
  return saved.map(({ cluster, object }) => `---\n# ${JSON.stringify(nameOf(cluster))}\n${stringify(object)}`).join('');
}

/** Reads such a text again. */
export function readBackup(source: string): Parsed<readonly Saved[]> {
  if (isTooDeep(source)) return notParsed(`it is nested more than ${DEEPEST} deep`);
  const saved: Saved[] = [];
  for (const document of parseAllDocuments(source)) {
    const [error] = document.errors;
    if (error !== undefined) return notParsed(error.message.replace(/\n.*/s, ''));
    const object = document.toJS() as unknown;
    if (object === null) continue;
    const one = savedIn(object);
    if (!one.ok) return one;
    saved.push(one.value);
  }
  return parsed(saved);
}

function savedIn(value: unknown): Parsed<Saved> {
  const object = record(value) ?? {};
  const { kind } = object;
  const metadata = recordAt(object, 'metadata');
  const name = text(metadata['name']);
  if (name === undefined || !isKind(kind) || !isRecord(object['spec']))
    return notParsed('it holds something else than DependencyRules and DependencyGuards with a name and a spec');
  const { [BACKUP_OF]: from, ...annotations } = recordAt(metadata, 'annotations');
  const cluster = parseLogicalClusterName(text(from) ?? '');
  if (!cluster.ok) return notParsed(`${kind} ${name} has no annotation ${BACKUP_OF} with the logical cluster that it was in`);
  return parsed({ cluster: cluster.value, kind, object: { ...object, metadata: { ...metadata, annotations } } as KubeObject });
}

function isKind(kind: unknown): kind is Saved['kind'] {
  return kind === 'DependencyRule' || kind === 'DependencyGuard';
}
