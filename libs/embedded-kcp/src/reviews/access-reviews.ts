// SubjectAccessReviews and their relatives: questions about rights, answered by the same authorizer that guards every request.
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import { AmbiguousExport, type Authorizer } from '../authorization/authorizer.js';
import { isMasters, type UserInfo } from '../authentication/user.js';
import type { AccessAttributes } from '../authorization/rbac.js';
import { badRequest, invalid, type StatusCause } from '../http/api-status.js';
import { recordAt, stringAt, stringsAt, valueAt, type JsonRecord } from '../json/json.js';

/** A question about rights. */
export interface AccessQuestion {
  readonly kind: 'SubjectAccessReview' | 'LocalSubjectAccessReview' | 'SelfSubjectAccessReview';
  readonly spec: JsonRecord;
  /** The namespace of the address, for local reviews. */
  readonly namespace: string | undefined;
}

/** The status of a review. Throws 422 for a question that cannot be answered. */
export function answerAccess(question: AccessQuestion, caller: UserInfo, cluster: LogicalClusterName, authorizer: Authorizer): JsonRecord {
  refuseUnclear(question);
  const user = question.kind === 'SelfSubjectAccessReview' ? caller : subjectOf(question.spec);
  if (isMasters(user)) return { allowed: true };
  try {
    const allowed = authorizer.allows(user, cluster, attributesOf(question.spec));
    return { allowed, reason: allowed ? 'access granted' : 'access denied' };
  } catch (error) {
    if (!(error instanceof AmbiguousExport)) throw error;
    return { allowed: false, reason: 'access denied', evaluationError: error.message };
  }
}

function subjectOf(spec: JsonRecord): UserInfo {
  const uid = stringAt(spec, 'uid');
  return {
    username: stringAt(spec, 'user') ?? '',
    groups: stringsAt(spec, 'groups'),
    extra: Object.fromEntries(Object.keys(recordAt(spec, 'extra')).map((key) => [key.toLowerCase(), stringsAt(spec, 'extra', key)])),
    ...(uid === undefined ? {} : { uid }),
  };
}

function attributesOf(spec: JsonRecord): AccessAttributes {
  const path = valueAt(spec, 'nonResourceAttributes');
  if (path !== undefined && path !== null) return { kind: 'path', verb: stringAt(path, 'verb') ?? '', path: stringAt(path, 'path') ?? '' };
  const of = (field: string): string => stringAt(spec, 'resourceAttributes', field) ?? '';
  const subresource = of('subresource');
  return {
    kind: 'resource',
    verb: of('verb'),
    group: of('group'),
    resource: of('resource'),
    namespace: of('namespace'),
    name: of('name'),
    ...(subresource === '' ? {} : { subresource }),
  };
}

function refuseUnclear({ kind, spec, namespace }: AccessQuestion): void {
  const [resource, path] = [spec['resourceAttributes'] ?? undefined, spec['nonResourceAttributes'] ?? undefined];
  const causes: StatusCause[] = [];
  if (resource !== undefined && path !== undefined) {
    const shown = JSON.stringify({ Path: stringAt(path, 'path') ?? '', Verb: stringAt(path, 'verb') ?? '' });
    causes.push(cause('spec.nonResourceAttributes', `${shown}: cannot be specified in combination with resourceAttributes`));
  }
  if (resource === undefined && path === undefined) {
    causes.push(cause('spec.resourceAttributes', 'null: exactly one of nonResourceAttributes or resourceAttributes must be specified'));
  }
  if (kind !== 'SelfSubjectAccessReview' && (stringAt(spec, 'user') ?? '') === '' && stringsAt(spec, 'groups').length === 0) {
    causes.push(cause('spec.user', '"": at least one of user or group must be specified'));
  }
  const asked = stringAt(resource, 'namespace') ?? '';
  if (kind === 'LocalSubjectAccessReview' && asked !== namespace) {
    causes.push(cause('spec.resourceAttributes.namespace', `${JSON.stringify(asked)}: must match metadata.namespace`));
  }
  // A real kcp leaves the kind out of this refusal.
  if (causes.length > 0) throw invalid({ group: 'authorization.k8s.io', kind: '' }, '', causes);
}

function cause(field: string, what: string): StatusCause {
  return { reason: 'FieldValueInvalid', message: `Invalid value: ${what}`, field };
}

/** The status of a SelfSubjectRulesReview, from policy rules. */
export function answerRules(namespace: string | undefined, rules: readonly unknown[]): JsonRecord {
  if (namespace === undefined || namespace === '') throw badRequest('no namespace on request');
  const isPath = (rule: unknown): boolean => stringsAt(rule, 'nonResourceURLs').length > 0;
  return {
    resourceRules: rules.filter((rule) => !isPath(rule)).map((rule) => picked(rule, ['verbs', 'apiGroups', 'resources', 'resourceNames'])),
    nonResourceRules: rules.filter(isPath).map((rule) => picked(rule, ['verbs', 'nonResourceURLs'])),
    incomplete: false,
  };
}

function picked(rule: unknown, fields: readonly string[]): JsonRecord {
  const values = fields.map((field) => [field, stringsAt(rule, field)] as const);
  return Object.fromEntries(values.filter(([, list]) => list.length > 0));
}
