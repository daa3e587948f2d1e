import type { ApiError } from '../http/api-status.js';
import { badRequest, invalid } from '../http/api-status.js';
import { isRecord, stringAt, type JsonRecord } from '../json.js';

/** How a create or update is to be done. */
export interface WriteOptions {
  readonly dryRun: boolean;
  readonly fieldManager: string;
  readonly fieldValidation: 'Ignore' | 'Warn' | 'Strict';
  /** Server-side apply: take fields over from other managers. */
  readonly force: boolean;
}

/** How a delete is to be done. */
export interface DeleteOptions {
  readonly dryRun: boolean;
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground';
  readonly preconditions: { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined };
}

/** A delete without wishes. */
export const PLAIN_DELETE: DeleteOptions = { dryRun: false, preconditions: {} };

type OptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions' | 'DeleteOptions';

/** Reads the options of a create, update or patch. The first word of the user agent manages fields where the caller names nobody. */
export function readWriteOptions(kind: OptionsKind, query: URLSearchParams, userAgent: string | undefined): WriteOptions {
  const validation = query.get('fieldValidation') ?? '';
  if (!['', 'Ignore', 'Warn', 'Strict'].includes(validation)) {
    throw optionsInvalid(kind, 'fieldValidation', `${JSON.stringify(validation)}: supported values: "", "Ignore", "Strict", "Warn"`);
  }
  return {
    dryRun: readDryRun(kind, query.getAll('dryRun')),
    fieldManager: query.get('fieldManager') ?? userAgent?.split('/')[0] ?? 'unknown',
    fieldValidation: validation === '' ? 'Warn' : (validation as 'Ignore' | 'Warn' | 'Strict'),
    force: query.get('force') === 'true',
  };
}

/** Reads the options of a delete, from its body and its query. */
export function readDeleteOptions(body: Buffer, query: URLSearchParams): DeleteOptions {
  const options = body.length === 0 ? {} : parseBody(body);
  const policy =
    stringAt(options, 'propagationPolicy') ??
    query.get('propagationPolicy') ??
    (options['orphanDependents'] === true ? 'Orphan' : undefined);
  if (policy !== undefined && policy !== 'Orphan' && policy !== 'Background' && policy !== 'Foreground') {
    throw optionsInvalid(
      'DeleteOptions',
      'propagationPolicy',
      `${JSON.stringify(policy)}: supported values: "Background", "Foreground", "Orphan", "nil"`,
    );
  }
  const bodyDryRun = Array.isArray(options['dryRun']) ? options['dryRun'].map(String) : [];
  return {
    dryRun: readDryRun('DeleteOptions', [...query.getAll('dryRun'), ...bodyDryRun]),
    preconditions: {
      uid: stringAt(options, 'preconditions', 'uid'),
      resourceVersion: stringAt(options, 'preconditions', 'resourceVersion'),
    },
    ...(policy === undefined ? {} : { propagationPolicy: policy }),
  };
}

/** DeleteOptions as admission reviews show them. */
export function printDeleteOptions({ dryRun, preconditions, propagationPolicy }: DeleteOptions): JsonRecord {
  const { uid, resourceVersion } = preconditions;
  const named = { ...(uid === undefined ? {} : { uid }), ...(resourceVersion === undefined ? {} : { resourceVersion }) };
  return {
    kind: 'DeleteOptions',
    apiVersion: 'meta.k8s.io/v1',
    ...(Object.keys(named).length === 0 ? {} : { preconditions: named }),
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    ...(dryRun ? { dryRun: ['All'] } : {}),
  };
}

/** CreateOptions or UpdateOptions as admission reviews show them. */
export function printWriteOptions(
  kind: 'CreateOptions' | 'UpdateOptions',
  { dryRun, fieldManager, fieldValidation }: WriteOptions,
): JsonRecord {
  return { kind, apiVersion: 'meta.k8s.io/v1', ...(dryRun ? { dryRun: ['All'] } : {}), fieldManager, fieldValidation };
}

function readDryRun(kind: OptionsKind, values: readonly string[]): boolean {
  const unknown = values.find((value) => value !== 'All' && value !== '');
  if (unknown !== undefined) throw optionsInvalid(kind, 'dryRun', `${JSON.stringify(values)}: supported values: "All"`);
  return values.includes('All');
}

function optionsInvalid(kind: OptionsKind, field: string, what: string): ApiError {
  return invalid({ group: 'meta.k8s.io', kind }, '', [{ reason: 'FieldValueNotSupported', message: `Unsupported value: ${what}`, field }]);
}

function parseBody(body: Buffer): JsonRecord {
  try {
    const value: unknown = JSON.parse(body.toString());
    if (isRecord(value)) return value;
  } catch {
    // Said below, with the same words.
  }
  throw badRequest("couldn't get version/kind; json parse error: invalid DeleteOptions");
}
