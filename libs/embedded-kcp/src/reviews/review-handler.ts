import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { TokenAuthenticator } from '../authentication/authenticator.js';
import type { Authorizer } from '../authorization/authorizer.js';
import { rulesIn } from '../authorization/rbac.js';
import type { UserInfo } from '../authentication/user.js';
import { badRequest } from '../http/api-status.js';
import { jsonReply, type Reply } from '../http/reply.js';
import { recordAt, stringAt, type JsonRecord } from '../json/json.js';
import { SYSTEM_ADMIN, type ShardView } from '../kcp/shards/shard-view.js';
import { toObject } from '../machinery/requests/decode-object.js';
import { timestamp } from '../machinery/resources/object-meta.js';
import { decodeBody } from '../machinery/requests/read-body.js';
import type { ResourceRequest } from '../machinery/requests/resource-request.js';
import { ISSUER } from '../service-accounts/service-account-claims.js';
import { answerAccess, answerRules, type AccessQuestion } from './access-reviews.js';

/** The parts that the handler needs. */
export interface ReviewHandlerOptions {
  readonly authorizer: Authorizer;
  readonly view: ShardView;
  readonly tokens: readonly TokenAuthenticator[];
  readonly now: () => number;
}

type Request = ResourceRequest & { readonly cluster: LogicalClusterName };
type Answer = (request: Request, spec: JsonRecord, options: ReviewHandlerOptions) => JsonRecord;

const ACCESS: Answer = ({ definition, user, cluster, info }, spec, { authorizer }) => ({
  spec,
  status: answerAccess({ kind: definition.kind as AccessQuestion['kind'], spec, namespace: info.namespace }, user, cluster, authorizer),
});

const ANSWERS: Readonly<Record<string, Answer>> = {
  'authorization.k8s.io/subjectaccessreviews': ACCESS,
  'authorization.k8s.io/localsubjectaccessreviews': ACCESS,
  'authorization.k8s.io/selfsubjectaccessreviews': ACCESS,
  'authorization.k8s.io/selfsubjectrulesreviews': ({ user, cluster }, spec, { view }) => {
    const namespace = stringAt(spec, 'namespace');
    const rules = [SYSTEM_ADMIN, cluster].flatMap((where) => rulesIn(view, where, user, namespace ?? ''));
    return { spec: {}, status: answerRules(namespace, rules) };
  },
  'authentication.k8s.io/tokenreviews': (_request, spec, { tokens }) => ({
    spec,
    status: answerToken(stringAt(spec, 'token') ?? '', tokens),
  }),
  'authentication.k8s.io/selfsubjectreviews': ({ user }, _spec, { now }) => ({
    metadata: { creationTimestamp: timestamp(now()) },
    status: { userInfo: printUser(user) },
  }),
};

/** Answers reviews of rights and identities; undefined for every other request. */
export function review(request: Request, options: ReviewHandlerOptions): Promise<Reply> | undefined {
  const { group, resource } = request.definition;
  const key = `${group}/${resource}`;
  const answer = request.info.verb === 'create' && Object.hasOwn(ANSWERS, key) ? ANSWERS[key] : undefined;
  return answer === undefined ? undefined : answered(request, answer, options);
}

async function answered(request: Request, answer: Answer, options: ReviewHandlerOptions): Promise<Reply> {
  const { definition, version, info, http } = request;
  const { value } = decodeBody(await http.body(), http.headers['content-type'], definition.kind);
  const asked = toObject(value, definition, version.name);
  const metadata = definition.namespaced && info.namespace !== undefined ? { namespace: info.namespace } : {};
  const { kind, apiVersion } = asked;
  return jsonReply(201, { kind, apiVersion, metadata, ...answer(request, recordAt(asked, 'spec'), options) });
}

function answerToken(token: string, tokens: readonly TokenAuthenticator[]): JsonRecord {
  if (token === '') throw badRequest('token is required for TokenReview in authentication');
  for (const find of tokens) {
    const user = find(token);
    if (user !== undefined) return { authenticated: true, user: printUser(user), audiences: [ISSUER] };
  }
  return { user: {}, error: 'invalid bearer token' };
}

function printUser({ username, uid, groups, extra }: UserInfo): JsonRecord {
  const hasExtra = extra !== undefined && Object.keys(extra).length > 0;
  return { username, ...(uid === undefined ? {} : { uid }), groups, ...(hasExtra ? { extra } : {}) };
}
