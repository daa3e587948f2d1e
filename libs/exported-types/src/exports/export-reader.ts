/*
 * Verifies types that rules name, to find typos: reads the export, then the schema behind the resource. Both are read again after a while: a schema is
 * immutable, but may be made again under its name. A negative result is never kept, because a type and the rule that names it are often applied together.
 * Without rights the answer is "not verified".
 */
import { printGroupResource, type GroupResource, type KubeObject, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { FieldPath } from '@dep-ctrl/fieldpath';
import { isKcpError, listAll, type Clock, type Connection, type Stoppable } from '@dep-ctrl/kcp-client';
import { API_EXPORTS, API_RESOURCE_SCHEMAS } from '@dep-ctrl/kcp-objects';
import { locateSchema, type ExportedType, type NotExported } from '../schemas/locate-schema.js';
import { printNear } from '../schemas/near-names.js';
import { exportedTypes, schemaNameIn, verifySchema, type NamedKind, type Verification } from '../schemas/verify-schema.js';

/** What a `ExportReader` needs. */
export interface ExportReaderDependencies {
  readonly connection: Connection;
  readonly clock: Clock;
}

/** A type as rules name it: by the export that serves it. */
export interface NamedType extends NamedKind, ExportedType {
  readonly cluster: LogicalClusterName;
  /** Reference paths that should lead to strings in it. */
  readonly fieldPaths: readonly FieldPath[];
}

/** What is told of others: errors name addresses. */
const UNREADABLE = 'it cannot be read';

interface Unreadable {
  readonly state: 'unreadable';
  readonly problem: string;
}

type ExportsReading = { readonly state: 'read'; readonly exports: readonly KubeObject[] } | Unreadable;
type SchemaReading = { readonly state: 'read'; readonly object: KubeObject } | { readonly state: 'missing' } | Unreadable;

interface Kept<V> {
  readonly atMs: number;
  readonly reading: Promise<V>;
}

/** The schema behind a type, or why there is none. */
export type FoundSchema =
  { readonly state: 'found'; readonly schema: KubeObject } | NotExported | Extract<Verification, { readonly state: 'not-verified' }>;

/** How old a reading may be. There is no watch on exports of others. */
const KEEP_EXPORTS_MS = 20_000;
const KEEP_SCHEMAS_MS = 60_000;
/** How old a reading may be that says that something is wrong. */
const KEEP_BAD_NEWS_MS = 1_000;
/** Readings that are kept: rules may name any number of types. */
const MOST_KEPT = 1_000;

/** Verifies types against the exports that serve them. */
export class ExportReader {
  readonly #dependencies: ExportReaderDependencies;
  readonly #exports = new Map<string, Kept<ExportsReading>>();
  readonly #schemas = new Map<string, Kept<SchemaReading>>();

  constructor(dependencies: ExportReaderDependencies) {
    this.#dependencies = dependencies;
  }

  /** Whether the export exists and serves the type, and whether the paths lead to strings in it. */
  async verify(type: NamedType, { signal }: Stoppable): Promise<Verification> {
    const verification = await this.#verify(type, { signal });
    if (verification.state !== 'wrong') return verification;
    const read = this.#exports.get(type.cluster);
    if (read !== undefined && this.#dependencies.clock.monotonic() - read.atMs < KEEP_BAD_NEWS_MS) return verification;
    this.#exports.delete(type.cluster);
    return this.#verify(type, { signal });
  }

  async #verify(type: NamedType, { signal }: Stoppable): Promise<Verification> {
    const found = await this.find(type, { signal });
    switch (found.state) {
      case 'found':
        return verifySchema(found.schema, type, type.fieldPaths);
      case 'not-exported':
        return notExported(type, await this.#exportsIn(type.cluster, signal), found);
      case 'not-verified':
        return found;
      default:
        return found satisfies never;
    }
  }

  /** The schema behind a type. Two reads at most. */
  async find(type: Omit<NamedType, 'fieldPaths'>, { signal }: Stoppable): Promise<FoundSchema> {
    const { cluster, exportName, workspace } = type;
    const there = await this.#exportsIn(cluster, signal);
    if (there.state === 'unreadable')
      return notVerified(`APIExport ${exportName} in ${workspace}`, type.isOwn ? there.problem : UNREADABLE);
    const located = locateSchema(there.exports, type);
    if (located.state === 'not-exported') return located;
    const { schemaName } = located;
    const schema = await this.#schema(cluster, schemaName, signal);
    if (schema.state === 'read') return { state: 'found', schema: schema.object };
    if (!type.isOwn) return notVerified(`the schema of ${printGroupResource(type)} in ${workspace}`, UNREADABLE);
    return notVerified(
      `APIResourceSchema ${schemaName} in ${workspace}`,
      schema.state === 'missing' ? 'it does not exist' : schema.problem,
    );
  }

  /** The types that the exports of a workspace serve; undefined: they may not be read. */
  async exportedTypes(cluster: LogicalClusterName, { signal }: Stoppable): Promise<readonly GroupResource[] | undefined> {
    const there = await this.#exportsIn(cluster, signal);
    return there.state === 'read' ? there.exports.flatMap(exportedTypes) : undefined;
  }

  /** All at once: one object may name as many exports of a workspace as its author likes. */
  #exportsIn(cluster: LogicalClusterName, signal: AbortSignal): Promise<ExportsReading> {
    return this.#kept(this.#exports, cluster, KEEP_EXPORTS_MS, async () => {
      try {
        const { objects } = await listAll(this.#dependencies.connection.cluster(cluster), API_EXPORTS, {}, { signal });
        return { state: 'read', exports: objects };
      } catch (error) {
        return unreadable(error);
      }
    });
  }

  #schema(cluster: LogicalClusterName, name: string, signal: AbortSignal): Promise<SchemaReading> {
    return this.#kept(this.#schemas, `${cluster}/${name}`, KEEP_SCHEMAS_MS, async () => {
      try {
        return {
          state: 'read',
          object: await this.#dependencies.connection.cluster(cluster).get(API_RESOURCE_SCHEMAS, { name }, { signal }),
        };
      } catch (error) {
        return isKcpError(error, 'not-found') ? { state: 'missing' } : unreadable(error);
      }
    });
  }

  #kept<V>(readings: Map<string, Kept<V>>, key: string, keepMs: number, read: () => Promise<V>): Promise<V> {
    const nowMs = this.#dependencies.clock.monotonic();
    // The oldest come first.
    for (const [other, { atMs }] of readings) {
      if (nowMs - atMs < keepMs && readings.size <= MOST_KEPT) break;
      readings.delete(other);
    }
    const known = readings.get(key);
    if (known !== undefined) return known.reading;
    const reading = read();
    readings.set(key, { atMs: nowMs, reading });
    return reading;
  }
}

/** Says which other export of the workspace serves the type: kcp asks about it whichever is named. */
function notExported(type: NamedType, there: ExportsReading, { reason, message, namesExports }: NotExported): Verification {
  const exports = there.state === 'read' ? there.exports : [];
  const servedBy = exports
    .filter((each) => schemaNameIn(each, type) !== undefined)
    .map(({ metadata }) => metadata.name ?? '')
    .toSorted();
  const [other] = servedBy;
  if (!type.isOwn) return { state: 'wrong', reason, message, servedBy };
  if (other !== undefined) {
    // Said twice in one message, a type with a long name would not fit into a condition ten times.
    const what = namesExports ? `exports ${printGroupResource(type)} there` : 'does';
    return { state: 'wrong', reason, message: `${message}; name ${other}, which ${what}`, servedBy };
  }
  const names = exports.map(({ metadata }) => metadata.name ?? '');
  return { state: 'wrong', reason, message: namesExports ? `${message}: it has ${printNear(names, type.exportName)}` : message, servedBy };
}

function unreadable(error: unknown): Unreadable {
  if (!isKcpError(error)) throw error;
  return { state: 'unreadable', problem: error.code === 'forbidden' ? 'no right to read it' : error.message };
}

function notVerified(what: string, problem: string): Extract<Verification, { readonly state: 'not-verified' }> {
  return { state: 'not-verified', problem: `${what}: ${problem}` };
}
