// A PATCH through a virtual workspace is a read and a PUT: the shard never sees a patch. So there is no real server-side apply: a missing object is created,
// an existing one is a conflict without force, and with force it is merged and never loses a field.
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { ApiError, conflict, notFound } from '../http/api-status.js';
import type { IncomingRequest } from '../http/incoming-request.js';
import type { Reply } from '../http/reply.js';
import { isRecord } from '../json/json.js';
import type { PermissionClaim } from '../kcp/kinds/permission-claims.js';
import { applyPatch, readConfiguration, readPatch } from '../machinery/requests/read-patch.js';
import type { ResourceVersion } from '../machinery/resources/resource-definition.js';
import { applyMergePatch } from '../patch/merge-patch.js';
import { fitToSelector } from './claim-selector.js';
import type { ExportedType } from './export-api.js';

/** A patch on its way to a workspace. */
export interface PatchInput {
  readonly type: ExportedType;
  readonly version: ResourceVersion;
  /** The object, if the caller can see one. */
  readonly current: KubeObject | undefined;
  readonly http: IncomingRequest;
  readonly name: string;
  readonly claim: PermissionClaim | undefined;
  readonly forward: (method: string, body: Buffer) => Promise<Reply>;
  /** Creates at the path without the name. */
  readonly create: (body: Buffer) => Promise<Reply>;
}

/** Patches an object. */
export async function patchThrough({ type, version, current, http, name, claim, forward, create }: PatchInput): Promise<Reply> {
  const { definition } = type;
  // Kubernetes' own types take strategic merge patches here too.
  const native =
    type.from === 'claim' && claim?.identityHash === '' ? ({ ...definition, origin: { kind: 'builtin' } } as const) : definition;
  const patch = readPatch(await http.body(), http.headers['content-type'], native);
  if (patch.kind !== 'apply') {
    if (current === undefined) throw notFound(definition, name);
    return forward('PUT', encoded(applyPatch(current, patch, version), claim));
  }
  const configuration = readConfiguration(patch);
  if (current === undefined) {
    const reply = await create(encoded({ ...configuration, metadata: { ...recordOf(configuration['metadata']), name } }, claim));
    return reply.status === 201 ? { ...reply, status: 200 } : reply;
  }
  if (http.query.get('force') !== 'true') throw applyConflict(type, name, http);
  return forward('PUT', encoded(applyMergePatch(current, configuration), claim));
}

function encoded(value: unknown, claim: PermissionClaim | undefined): Buffer {
  const object = value as KubeObject;
  return Buffer.from(JSON.stringify(claim === undefined || !isRecord(object.metadata) ? object : fitToSelector(object, claim)));
}

function applyConflict({ definition }: ExportedType, name: string, http: IncomingRequest): ApiError {
  const manager = http.query.get('fieldManager') ?? 'unknown';
  const why = `Apply failed with 1 conflict: conflict with ${JSON.stringify(manager)} using ${definition.group}/${definition.versions[0]?.name ?? ''}: .spec`;
  const { body } = conflict(definition, name, why);
  return new ApiError({ ...body, message: why });
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}
