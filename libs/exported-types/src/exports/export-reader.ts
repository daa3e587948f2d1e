/*
 * Verifies types that rules name, to find typos: reads the export, then the schema behind the resource. Both are read again after a while: a schema is
 * immutable, but may be made again under its name. A negative result is never kept, because a type and the rule that names it are often applied together.
 * Without rights the answer is "not verified". Exports and schemas are as large as their authors make them: of exports only the parts that are asked for are kept,
 * and all is bounded.
 */
import { parseKubeObject, printGroupResource, type GroupResource, type KubeObject, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import { inTurns } from '@dep-ctrl/fair-shares';
import { EACH, JsonProjection, type FieldPath } from '@dep-ctrl/fieldpath';
import { collect, isKcpError, type Clock, type Connection, type Stoppable } from '@dep-ctrl/kcp-client';
import { API_EXPORTS, API_RESOURCE_SCHEMAS } from '@dep-ctrl/kcp-objects';
import { locateSchema, type ExportedType, type NotExported } from '../schemas/locate-schema.js';
import { printNear } from '../schemas/near-names.js';
import { exportedTypes, resourcesOnly, schemaNameIn, verifySchema, type NamedKind, type Verification } from '../schemas/verify-schema.js';
import { KeptReadings } from './kept-readings.js';

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

/** The schema behind a type, or why there is none. */
export type FoundSchema =
  { readonly state: 'found'; readonly schema: KubeObject } | NotExported | Extract<Verification, { readonly state: 'not-verified' }>;

const MIB = 1024 * 1024;
/** How old a reading may be. There is no watch on exports of others. */
const KEEP_EXPORTS_MS = 20_000;
const KEEP_SCHEMAS_MS = 60_000;
/** How old a reading may be that says that something is wrong. */
const KEEP_BAD_NEWS_MS = 1_000;
// Parsed in pieces: whatever their author puts into them, other work goes on.
const EXPORTS = new JsonProjection([['items', EACH, 'metadata', 'name']], { whole: [['items', EACH, 'spec', 'resources']] });
const SCHEMA = new JsonProjection('everything');
/** What is read of the exports of a workspace; of one that has more, no type is verified. */
const MOST_EXPORTS = { maxBytes: 8 * MIB, maxPageBytes: MIB } as const;

/** Verifies types against the exports that serve them. */
export class ExportReader {
  readonly #dependencies: ExportReaderDependencies;
  readonly #exports: KeptReadings<ExportsReading>;
  readonly #schemas: KeptReadings<SchemaReading>;

  constructor(dependencies: ExportReaderDependencies) {
    const { clock } = dependencies;
    this.#dependencies = dependencies;
    this.#exports = new KeptReadings({ clock, keepMs: KEEP_EXPORTS_MS });
    this.#schemas = new KeptReadings({ clock, keepMs: KEEP_SCHEMAS_MS });
  }

  /** Whether the export exists and serves the type, and whether the paths lead to strings in it. */
  async verify(type: NamedType, { signal }: Stoppable): Promise<Verification> {
    const verification = await this.#verify(type, { signal });
    if (verification.state !== 'wrong') return verification;
    const ageMs = this.#exports.ageMs(type.cluster);
    if (ageMs !== undefined && ageMs < KEEP_BAD_NEWS_MS) return verification;
    this.#exports.forget(type.cluster);
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
    return this.#exports.read(cluster, async () => {
      try {
        const client = this.#dependencies.connection.cluster(cluster);
        const parseLarge = (json: Buffer): Promise<unknown> => inTurns(EXPORTS.parse(json), { sharer: cluster });
        return { state: 'read', exports: await collect(client, API_EXPORTS, { ...MOST_EXPORTS, take: resourcesOnly, parseLarge, signal }) };
      } catch (error) {
        return isKcpError(error, 'too-large') ? TOO_LARGE : unreadable(error);
      }
    });
  }

  #schema(cluster: LogicalClusterName, name: string, signal: AbortSignal): Promise<SchemaReading> {
    return this.#schemas.read(`${cluster}/${name}`, async () => {
      try {
        const bytes = await this.#dependencies.connection.cluster(cluster).getBytes(API_RESOURCE_SCHEMAS, { name }, { signal });
        const object = parseKubeObject(await inTurns(SCHEMA.parse(bytes), { sharer: cluster }));
        return object.ok ? { state: 'read', object: object.value } : { state: 'unreadable', problem: object.problem };
      } catch (error) {
        return isKcpError(error, 'not-found') ? { state: 'missing' } : unreadable(error);
      }
    });
  }
}

const TOO_LARGE: Unreadable = {
  state: 'unreadable',
  problem: 'the exports of that workspace are more than 8 MiB, or one of them is more than 1 MiB: dep-ctrl reads no more',
};

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
  if (error instanceof SyntaxError) return { state: 'unreadable', problem: `the answer is not JSON: ${error.message}` };
  if (!isKcpError(error)) throw error;
  return { state: 'unreadable', problem: error.code === 'forbidden' ? 'no right to read it' : error.message };
}

function notVerified(what: string, problem: string): Extract<Verification, { readonly state: 'not-verified' }> {
  return { state: 'not-verified', problem: `${what}: ${problem}` };
}
