/*
 * Reads what a rule names, where it may be read, to tell a typo from a rule that works: the export, then the schema behind the
 * resource. Both are read again after a while: a schema is immutable, but may be made again under its name. Without rights the answer is
 * "not verified".
 */
import { printGroupResource, type GroupVersionResource, type KubeObject, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { FieldPath } from '@dep-ctrl/fieldpath';
import { isKcpError, type Clock, type Connection } from '@dep-ctrl/kcp-client';
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

const APIEXPORTS = { group: 'apis.kcp.io', version: 'v1alpha2', resource: 'apiexports' };
const SCHEMAS = { group: 'apis.kcp.io', version: 'v1alpha1', resource: 'apiresourceschemas' };
/** How old a reading may be. Nobody tells us when one changes. */
const KEEP_MS = 60_000;

/** Verifies types against the exports that serve them. */
export class ExportReader {
  readonly #dependencies: ExportReaderDependencies;
  readonly #readings = new Map<string, { readonly atMs: number; readonly reading: Promise<Reading> }>();

  constructor(dependencies: ExportReaderDependencies) {
    this.#dependencies = dependencies;
  }

  /** Whether the export exists and serves the type, and whether the paths lead to strings in it. */
  async verify(type: NamedType, { signal }: { readonly signal: AbortSignal }): Promise<Verification> {
    const { cluster, exportName, workspace } = type;
    const apiExport = await this.#read(cluster, APIEXPORTS, exportName, signal);
    if (apiExport.state === 'unreadable') return notVerified(`APIExport ${exportName} in ${workspace}`, apiExport.problem);
    if (apiExport.state === 'missing') return wrong('ExportNotFound', `there is no APIExport ${exportName} in ${workspace}`);
    const schemaName = schemaNameIn(apiExport.object, type);
    if (schemaName === undefined) {
      const message = `APIExport ${exportName} in ${workspace} does not export ${printGroupResource(type)}: it exports ${printExported(apiExport.object)}`;
      return wrong('ResourceNotExported', message);
    }
    const schema = await this.#read(cluster, SCHEMAS, schemaName, signal);
    if (schema.state === 'read') return verifySchema(schema.object, type, type.fieldPaths);
    return notVerified(
      `APIResourceSchema ${schemaName} in ${workspace}`,
      schema.state === 'missing' ? 'it does not exist' : schema.problem,
    );
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

function wrong(reason: 'ExportNotFound' | 'ResourceNotExported', message: string): Verification {
  return { state: 'wrong', reason, message };
}
