// ValidatingAdmissionPolicies that refuse. Like webhooks they come from the workspace that a bound type is exported from, as the cache knows them.
import { ApiError } from '../../http/api-status.js';
import { arrayAt, recordAt, stringAt } from '../../json/json.js';
import type { ShardView } from '../../kcp/shards/shard-view.js';
import type { AdmissionRequest } from '../../machinery/requests/admission.js';
import { convertObject } from '../../machinery/resources/conversion.js';
import type { StoredObject } from '../../storage/stored-object.js';
import { refuse, type AdmissionPlugin } from '../admission-chain.js';
import { sourceOf } from './source-cluster.js';
import { reviewRequest } from './admission-review.js';
import { evaluateConditions } from './match-conditions.js';
import { matchedVersion } from './match-webhook.js';
import { readConditions, readMatching } from './webhook-configuration.js';

const POLICIES = 'admissionregistration.k8s.io/validatingadmissionpolicies';
const BINDINGS = 'admissionregistration.k8s.io/validatingadmissionpolicybindings';
/** The codes of the reasons that a validation may give. */
const CODES: Readonly<Record<string, number>> = { Forbidden: 403, Invalid: 422, RequestEntityTooLarge: 413, Unauthorized: 401 };

/** Refuses what a policy that is bound does not let pass. */
export function policyPlugin({ cache }: Pick<ShardView, 'cache'>): AdmissionPlugin {
  return {
    validate: (request) => {
      if (request.definition.group === 'admissionregistration.k8s.io') return [];
      const cluster = sourceOf(request);
      for (const binding of cache.bucket(BINDINGS).list({ cluster })) {
        const name = stringAt(binding.object, 'spec', 'policyName') ?? '';
        const policy = cache.bucket(POLICIES).get({ cluster, namespace: '', name });
        if (policy !== undefined) judge(policy, binding, request);
      }
      return [];
    },
  };
}

function judge({ object: policy }: StoredObject, binding: StoredObject, request: AdmissionRequest): void {
  const constraints = readMatching(recordAt(policy, 'spec', 'matchConstraints'), 'resourceRules');
  const version = matchedVersion(constraints, request, undefined);
  if (version === undefined) return;
  const inVersion = (object: AdmissionRequest['object']): unknown =>
    object === undefined ? null : convertObject(request.definition, object, version);
  const input = { object: inVersion(request.object), oldObject: inVersion(request.oldObject), request: reviewRequest(request, version) };
  const mayFail = stringAt(policy, 'spec', 'failurePolicy') === 'Ignore';
  const deny = (why: string, reason = 'Invalid'): never => {
    const says = `ValidatingAdmissionPolicy '${policy.metadata.name ?? ''}' with binding '${binding.object.metadata.name ?? ''}' denied request: ${why}`;
    const { body } = refuse(request, says);
    throw new ApiError({ ...body, code: CODES[reason] ?? 422, reason, details: { ...body.details, causes: [{ message: says }] } });
  };
  const meant = evaluateConditions({ matchConditions: readConditions(recordAt(policy, 'spec')) }, input);
  if (meant.state === 'skip') return;
  if (meant.state === 'broken') {
    if (mayFail) return;
    return deny(`expression '${meant.expression}' resulted in error: ${meant.why}`);
  }
  for (const validation of arrayAt(policy, 'spec', 'validations')) {
    const expression = stringAt(validation, 'expression') ?? 'true';
    const held = evaluateConditions({ matchConditions: [{ name: '', expression }] }, input);
    if (held.state === 'skip') deny(stringAt(validation, 'message') ?? `failed expression: ${expression}`, stringAt(validation, 'reason'));
    if (held.state === 'broken' && !mayFail) deny(`expression '${expression}' resulted in error: ${held.why}`);
  }
}
