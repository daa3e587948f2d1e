// AdmissionReviews: the request that a webhook gets about a write, and the parser of its answer.
import { randomUUID } from 'node:crypto';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { ApiError } from '../../http/api-status.js';
import { isRecord, recordAt, stringAt, stringsAt, valueAt, type JsonRecord } from '../../json/json.js';
import type { AdmissionRequest } from '../../machinery/requests/admission.js';
import { convertObject } from '../../machinery/resources/conversion.js';

/** The `request` of a review, in the version that a webhook matched. */
export function reviewRequest(request: AdmissionRequest, version: string): JsonRecord {
  const { definition, namespace, name, operation, subresource, user, dryRun, options } = request;
  const { group, kind, resource } = definition;
  const inVersion = (object: KubeObject | undefined): KubeObject | null =>
    object === undefined ? null : convertObject(definition, object, version);
  const called = request.version.name;
  return {
    uid: randomUUID(),
    kind: { group, version, kind },
    resource: { group, version, resource },
    ...(subresource === undefined ? {} : { subResource: subresource }),
    requestKind: { group, version: called, kind },
    requestResource: { group, version: called, resource },
    ...(subresource === undefined ? {} : { requestSubResource: subresource }),
    ...(name === undefined ? {} : { name }),
    ...(namespace === '' ? {} : { namespace }),
    operation,
    userInfo: {
      username: user.username,
      ...(user.uid === undefined ? {} : { uid: user.uid }),
      groups: user.groups,
      ...(user.extra === undefined ? {} : { extra: user.extra }),
    },
    object: inVersion(request.object),
    oldObject: inVersion(request.oldObject),
    dryRun,
    options,
  };
}

/** The answer of a webhook. */
export type ReviewAnswer =
  | { readonly state: 'allowed'; readonly warnings: readonly string[] }
  | { readonly state: 'denied'; readonly error: ApiError; readonly warnings: readonly string[] }
  /** Not even JSON, or a review of the wrong form. */
  | { readonly state: 'garbage' | 'invalid'; readonly why: string };

/** Reads a webhook's answer to a review with this uid. */
export function readReviewAnswer(body: string, uid: string, webhook: string): ReviewAnswer {
  const review = parseJson(body);
  if (review === undefined)
    return { state: 'garbage', why: `couldn't get version/kind; json parse error: invalid character looking for beginning of value` };
  const [apiVersion, kind] = [stringAt(review, 'apiVersion'), stringAt(review, 'kind')];
  if (apiVersion !== 'admission.k8s.io/v1' || kind !== 'AdmissionReview') {
    return {
      state: 'invalid',
      why: `expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got ${apiVersion ?? ''}, Kind=${kind ?? ''}`,
    };
  }
  const response = valueAt(review, 'response');
  if (!isRecord(response)) return { state: 'invalid', why: 'webhook response was absent' };
  const answered = stringAt(response, 'uid') ?? '';
  if (answered !== uid) return { state: 'invalid', why: `expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(answered)}` };
  const warnings = stringsAt(response, 'warnings');
  if (response['allowed'] === true) return { state: 'allowed', warnings };
  return { state: 'denied', error: denial(recordAt(response, 'status'), webhook), warnings };
}

// The webhook's own status goes to the client, with its message introduced; a code below 400 becomes 400.
function denial(status: JsonRecord, webhook: string): ApiError {
  const [message, reason, code] = [stringAt(status, 'message'), stringAt(status, 'reason'), status['code']];
  const introduction = `admission webhook ${JSON.stringify(webhook)} denied the request`;
  const details = isRecord(status['details']) ? status['details'] : undefined;
  const retryAfter = details?.['retryAfterSeconds'];
  return new ApiError(
    {
      code: typeof code === 'number' && code >= 400 ? code : 400,
      reason,
      message:
        (nonEmpty(message) ?? nonEmpty(reason))
          ? `${introduction}: ${nonEmpty(message) ?? reason ?? ''}`
          : `${introduction} without explanation`,
      details,
    },
    typeof retryAfter === 'number' && retryAfter > 0 ? { 'retry-after': String(retryAfter) } : {},
  );
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
