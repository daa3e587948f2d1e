/*
 * Reads what a rule names, where it may be read, to tell a typo from a rule that works: the export, then the schema behind the
 * resource. Both are read again after a while: a schema is immutable, but may be made again under its name. Without rights the answer is
 * "not verified".
 */
import { printGroupResource, type GroupVersionResource, type KubeObject, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { FieldPath } from '@dep-ctrl/fieldpath';
import { isKcpError, listAll, type Clock, type Connection } from '@dep-ctrl/kcp-client';
import { printNear } from './near-names.js';
import { printExported, schemaNameIn, verifySchema, type NamedKind, type Verification } from './verify-schema.js';

/** What a `ExportReader` needs. */
export interface ExportReaderDependencies {
  readonly connection: Connection;
  readonly clock: Clock;
}

/** A type as a rule names it: by the export that serves it. */
export interface NamedType extends NamedKind {
  readonly cluster: LogicalClusterName;
  readonly exportName: string;
  /** For messages: `workspace "root:network"`. */
  readonly workspace: string;
  /** Reference paths that should lead to strings in it. */
  readonly fieldPaths: readonly FieldPath[];
}

type Reading =
  | { readonly state: 'read'; readonly object: KubeObject }
  | { readonly state: 'missing' }
  | { readonly state: 'unreadable'; readonly problem: string };

interface NotExported {
  readonly reason: 'ExportNotFound' | 'ResourceNotExported';
  readonly message: string;
  /** Whether the message should say what exports there are. */
  readonly namesExports: boolean;
}

const APIEXPORTS = { group: 'apis.kcp.io', version: 'v1alpha2', resource: 'apiexports' };
const SCHEMAS = { group: 'apis.kcp.io', version: 'v1alpha1', resource: 'apiresourceschemas' };
/** How old a reading may be. Nobody tells us when one changes. */
const KEEP_MS = 60_000;

/** Verifies types against the exports that serve them. */
export class ExportReader {
  readonly #dependencies: ExportReaderDependencies;
  readonly #readings = new Map<string, { readonly atMs: number; readonly reading: Promise<Reading> }>();
  readonly #lists = new Map<LogicalClusterName, { readonly atMs: number; readonly exports: Promise<readonly KubeObject[] | undefined> }>();

  constructor(dependencies: ExportReaderDependencies) {
    this.#dependencies = dependencies;
  }

  /** Whether the export exists and serves the type, and whether the paths lead to strings in it. */
  async verify(type: NamedType, { signal }: { readonly signal: AbortSignal }): Promise<Verification> {
    const { cluster, exportName, workspace } = type;
    const apiExport = await this.#read(cluster, APIEXPORTS, exportName, signal);
    if (apiExport.state === 'unreadable') return notVerified(`APIExport ${exportName} in ${workspace}`, apiExport.problem);
    if (apiExport.state === 'missing') {
      const message = `there is no APIExport ${exportName} in ${workspace}`;
      return this.#notExported(type, { reason: 'ExportNotFound', message, namesExports: true }, signal);
    }
    const schemaName = schemaNameIn(apiExport.object, type);
    if (schemaName === undefined) {
      const message = `APIExport ${exportName} in ${workspace} does not export ${printGroupResource(type)}: it exports ${printExported(apiExport.object)}`;
      return this.#notExported(type, { reason: 'ResourceNotExported', message, namesExports: false }, signal);
    }
    const schema = await this.#read(cluster, SCHEMAS, schemaName, signal);
    if (schema.state === 'read') return verifySchema(schema.object, type, type.fieldPaths);
    return notVerified(
      `APIResourceSchema ${schemaName} in ${workspace}`,
      schema.state === 'missing' ? 'it does not exist' : schema.problem,
    );
  }

  /** Says which other export of the workspace serves the type: kcp asks about it whichever the rule names. */
  async #notExported(type: NamedType, { reason, message, namesExports }: NotExported, signal: AbortSignal): Promise<Verification> {
    const there = await this.#exportsIn(type.cluster, signal);
    if (there === undefined) return { state: 'wrong', reason, message };
    const servedBy = there
      .filter((each) => schemaNameIn(each, type) !== undefined)
      .map(({ metadata }) => metadata.name ?? '')
      .toSorted();
    const [other] = servedBy;
    if (other !== undefined) {
      // Said twice in one message, a type with a long name would not fit into a condition ten times.
      const what = namesExports ? `exports ${printGroupResource(type)} there` : 'does';
      return { state: 'wrong', reason, message: `${message}; name ${other}, which ${what}`, servedBy };
    }
    const names = there.map(({ metadata }) => metadata.name ?? '');
    return {
      state: 'wrong',
      reason,
      message: namesExports ? `${message}: it has ${printNear(names, type.exportName)}` : message,
      servedBy,
    };
  }

  #exportsIn(cluster: LogicalClusterName, signal: AbortSignal): Promise<readonly KubeObject[] | undefined> {
    const known = this.#lists.get(cluster);
    const now = this.#dependencies.clock.monotonic();
    if (known !== undefined && now - known.atMs < KEEP_MS) return known.exports;
    for (const [other, { atMs }] of this.#lists) if (now - atMs >= KEEP_MS) this.#lists.delete(other);
    const exports = this.#listNow(cluster, signal);
    this.#lists.set(cluster, { atMs: now, exports });
    return exports;
  }

  async #listNow(cluster: LogicalClusterName, signal: AbortSignal): Promise<readonly KubeObject[] | undefined> {
    try {
      return (await listAll(this.#dependencies.connection.cluster(cluster), APIEXPORTS, {}, { signal })).objects;
    } catch (error) {
      if (isKcpError(error)) return undefined;
      throw error;
    }
  }

  #read(cluster: LogicalClusterName, type: GroupVersionResource, name: string, signal: AbortSignal): Promise<Reading> {
    const now = this.#dependencies.clock.monotonic();
    for (const [other, { atMs }] of this.#readings) if (now - atMs >= KEEP_MS) this.#readings.delete(other);
    const key = `${cluster}/${type.resource}/${name}`;
    const known = this.#readings.get(key)?.reading;
    if (known !== undefined) return known;
    const reading = this.#readNow(cluster, type, name, signal);
    this.#readings.set(key, { atMs: now, reading });
    return reading;
  }

  async #readNow(cluster: LogicalClusterName, type: GroupVersionResource, name: string, signal: AbortSignal): Promise<Reading> {
    try {
      return { state: 'read', object: await this.#dependencies.connection.cluster(cluster).get(type, { name }, { signal }) };
    } catch (error) {
      if (isKcpError(error, 'not-found')) return { state: 'missing' };
      if (isKcpError(error)) return { state: 'unreadable', problem: error.code === 'forbidden' ? 'no right to read it' : error.message };
      throw error;
    }
  }
}

function notVerified(what: string, problem: string): Verification {
  return { state: 'not-verified', problem: `${what}: ${problem}` };
}
