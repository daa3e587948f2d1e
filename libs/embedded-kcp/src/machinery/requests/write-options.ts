import { ApiError, badRequest, invalid } from '../../http/api-status.js';
import { fieldManagerName } from '../../apply/field-managers.js';
import { isTrue } from '../../http/request-info.js';
import { isRecord, stringAt, stringsAt, type JsonRecord } from '../../json/json.js';

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

/** The options of a delete that has none. */
export const PLAIN_DELETE: DeleteOptions = { dryRun: false, preconditions: {} };

type OptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions' | 'DeleteOptions';

/** Reads the options of a create or update. The first word of the user agent is the field manager if the client names none. */
export function readWriteOptions(
  kind: 'CreateOptions' | 'UpdateOptions',
  query: URLSearchParams,
  userAgent: string | undefined,
): WriteOptions {
  return commonOptions(kind, query, userAgent);
}

/** Reads the options of a patch. Only an apply may force, and it must name its field manager. */
export function readPatchOptions(patch: string, query: URLSearchParams, userAgent: string | undefined): WriteOptions {
  const options = commonOptions('PatchOptions', query, userAgent);
  if (patch === 'apply' && (query.get('fieldManager') ?? '') === '') {
    throw optionsRefused('PatchOptions', 'FieldValueRequired', 'fieldManager', 'Required value: is required for apply patch');
  }
  if (patch !== 'apply' && query.has('force')) {
    throw optionsRefused('PatchOptions', 'FieldValueForbidden', 'force', 'Forbidden: may not be specified for non-apply patch');
  }
  return { ...options, force: isTrue(query.get('force')) };
}

function commonOptions(kind: OptionsKind, query: URLSearchParams, userAgent: string | undefined): WriteOptions {
  const validation = query.get('fieldValidation') ?? '';
  if (!['', 'Ignore', 'Warn', 'Strict'].includes(validation)) {
    throw optionsInvalid(kind, 'fieldValidation', `${JSON.stringify(validation)}: supported values: "", "Ignore", "Strict", "Warn"`);
  }
  const dryRun = readDryRun(kind, query.getAll('dryRun'));
  refuseManager(kind, query.get('fieldManager') ?? '');
  return {
    dryRun,
    fieldManager: fieldManagerName(query.get('fieldManager'), userAgent),
    fieldValidation: validation === '' ? 'Warn' : (validation as 'Ignore' | 'Warn' | 'Strict'),
    force: false,
  };
}

// Kubernetes' own limit, in bytes.
const MANAGER_LENGTH = 128;

function refuseManager(kind: OptionsKind, manager: string): void {
  if (Buffer.byteLength(manager) > MANAGER_LENGTH) {
    throw optionsRefused(kind, 'FieldValueTooLong', 'fieldManager', `Too long: may not be more than ${MANAGER_LENGTH} bytes`);
  }
  const at = manager.search(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u);
  if (at < 0) return;
  const code = manager.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0');
  const quoted = JSON.stringify(manager).replaceAll(/\\u00([0-9a-f]{2})/g, String.raw`\x$1`);
  throw optionsRefused(
    kind,
    'FieldValueInvalid',
    'fieldManager',
    `Invalid value: ${quoted}: invalid character U+${code} (at position ${at})`,
  );
}

/** Reads the options of a delete: from its body, or from its query where there is none. */
export function readDeleteOptions(body: Buffer, query: URLSearchParams): DeleteOptions {
  const options = body.length === 0 ? queryOptions(query) : parseBody(body);
  const [policy, orphans] = [stringAt(options, 'propagationPolicy'), options['orphanDependents']];
  if (policy !== undefined && orphans !== undefined) {
    const message = `Invalid value: ${JSON.stringify(policy)}: orphanDependents and deletionPropagation cannot be both set`;
    throw optionsRefused('DeleteOptions', 'FieldValueInvalid', 'propagationPolicy', message);
  }
  if (policy !== undefined && policy !== 'Orphan' && policy !== 'Background' && policy !== 'Foreground') {
    throw optionsInvalid(
      'DeleteOptions',
      'propagationPolicy',
      `${JSON.stringify(policy)}: supported values: "Foreground", "Background", "Orphan", "nil"`,
    );
  }
  const wished = policy ?? (orphans === true ? 'Orphan' : undefined);
  return {
    dryRun: readDryRun('DeleteOptions', stringsAt(options, 'dryRun')),
    preconditions: {
      uid: stringAt(options, 'preconditions', 'uid'),
      resourceVersion: stringAt(options, 'preconditions', 'resourceVersion'),
    },
    ...(wished === undefined ? {} : { propagationPolicy: wished }),
  };
}

function queryOptions(query: URLSearchParams): JsonRecord {
  const grace = query.get('gracePeriodSeconds') ?? '';
  if (!/^[-+]?\d*$/.test(grace)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(grace)}: invalid syntax`);
  const policy = query.get('propagationPolicy');
  const orphans = query.get('orphanDependents');
  return {
    dryRun: query.getAll('dryRun'),
    ...(policy === null ? {} : { propagationPolicy: policy }),
    ...(orphans === null ? {} : { orphanDependents: isTrue(orphans) }),
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
  return optionsRefused(kind, 'FieldValueNotSupported', field, `Unsupported value: ${what}`);
}

function optionsRefused(kind: OptionsKind, reason: string, field: string, message: string): ApiError {
  return invalid({ group: 'meta.k8s.io', kind }, '', [{ reason, message, field }]);
}

function parseBody(body: Buffer): JsonRecord {
  try {
    const value: unknown = JSON.parse(body.toString());
    const kind = stringAt(value, 'kind') ?? 'DeleteOptions';
    if (isRecord(value) && kind === 'DeleteOptions') return value;
    if (isRecord(value))
      throw badRequest(`no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(stringAt(value, 'apiVersion') ?? '')}`);
  } catch (error) {
    if (error instanceof ApiError) throw error;
  }
  throw badRequest("couldn't get version/kind; json parse error: invalid DeleteOptions");
}
