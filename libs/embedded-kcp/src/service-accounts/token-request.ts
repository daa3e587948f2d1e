import { randomUUID } from 'node:crypto';
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import { badRequest, invalid, notFound } from '../http/api-status.js';
import { jsonReply, type Reply } from '../http/reply.js';
import { isRecord, stringAt, stringsAt, valueAt, type JsonRecord } from '../json/json.js';
import { timestamp } from '../machinery/resources/object-meta.js';
import { decodeBody } from '../machinery/requests/read-body.js';
import type { ResourceRequest } from '../machinery/requests/resource-request.js';
import type { StoredObject } from '../storage/stored-object.js';
import type { FindNamespaced, ServiceAccountTokens } from './service-account-authenticator.js';
import { boundClaims, ISSUER, type BoundObject } from './service-account-claims.js';

// Kubernetes' own bounds and default, in seconds.
const SHORTEST = 600;
const LONGEST = 2 ** 32;
const USUAL = 3_600;

type Request = ResourceRequest & { readonly cluster: LogicalClusterName };

/** Answers `serviceaccounts/NAME/token`; undefined for every other request. */
export function tokenRequest(request: Request, options: ServiceAccountTokens): Promise<Reply> | undefined {
  const { info } = request;
  if (info.group !== '' || info.resource !== 'serviceaccounts' || info.subresource !== 'token' || info.verb !== 'create') return undefined;
  return issueToken(request, options);
}

async function issueToken({ info, cluster, http }: Request, { signer, find, now }: ServiceAccountTokens): Promise<Reply> {
  const { namespace = '', name = '' } = info;
  const { value } = decodeBody(await http.body(), http.headers['content-type'], 'TokenRequest');
  const wish = readWish(value);
  const account = find('serviceaccounts', cluster, namespace, name);
  if (account === undefined) throw notFound({ group: '', resource: 'serviceaccounts' }, name);
  const boundTo = boundObject(wish.boundObjectRef, find, cluster, namespace);
  const issued = Math.floor(now() / 1_000);
  const expires = issued + wish.expirationSeconds;
  const claims = boundClaims(
    { cluster, namespace, name, uid: account.uid },
    { id: randomUUID(), audiences: wish.audiences, issued, expires, boundTo },
  );
  return jsonReply(201, {
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { name, namespace, uid: account.uid, creationTimestamp: timestamp(now()) },
    spec: { ...wish, boundObjectRef: wish.boundObjectRef ?? null },
    status: { token: signer.sign(claims), expirationTimestamp: timestamp(expires * 1_000) },
  });
}

interface Wish {
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  readonly boundObjectRef: JsonRecord | undefined;
}

function readWish(value: unknown): Wish {
  const kind = stringAt(value, 'kind') ?? 'TokenRequest';
  if (kind !== 'TokenRequest')
    throw badRequest(`${kind} in version "v1" cannot be handled as a TokenRequest: no kind ${JSON.stringify(kind)} is registered`);
  const audiences = stringsAt(value, 'spec', 'audiences');
  const seconds = valueAt(value, 'spec', 'expirationSeconds') ?? USUAL;
  const boundObjectRef = valueAt(value, 'spec', 'boundObjectRef');
  if (typeof seconds !== 'number' || seconds < SHORTEST) throw wrongDuration(seconds, 'may not specify a duration less than 10 minutes');
  if (seconds > LONGEST) throw wrongDuration(seconds, 'may not specify a duration larger than 2^32 seconds');
  return {
    audiences: audiences.length === 0 ? [ISSUER] : audiences,
    expirationSeconds: seconds,
    boundObjectRef: isRecord(boundObjectRef) ? boundObjectRef : undefined,
  };
}

function wrongDuration(seconds: unknown, why: string): Error {
  return invalid({ group: 'authentication.k8s.io', kind: 'TokenRequest' }, '', [
    { reason: 'FieldValueInvalid', message: `Invalid value: ${JSON.stringify(seconds)}: ${why}`, field: 'spec.expirationSeconds' },
  ]);
}

// Of what tokens can be bound to, kcp has Secrets alone.
function boundObject(
  reference: JsonRecord | undefined,
  find: FindNamespaced,
  cluster: LogicalClusterName,
  namespace: string,
): BoundObject | undefined {
  if (reference === undefined) return undefined;
  const [kind = '', name = '', uid] = ['kind', 'name', 'uid'].map((field) => stringAt(reference, field));
  if (kind !== 'Secret') throw badRequest(`cannot bind token to object of type v1, Kind=${kind}`);
  const secret: StoredObject | undefined = find('secrets', cluster, namespace, name);
  if (secret === undefined || (uid !== undefined && uid !== secret.uid)) throw notFound({ group: '', resource: 'secrets' }, name);
  return { kind, name, uid: secret.uid };
}
