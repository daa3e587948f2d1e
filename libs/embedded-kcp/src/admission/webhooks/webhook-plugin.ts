// Validating webhooks. For a bound type kcp calls those of the exporting workspace, for any other type those of the object's own workspace. Both are taken
// from the cache, so a configuration acts a moment after it was written.
import { WARRANT_EXTRA } from '../../authentication/effective-users.js';
import { ApiError, forbidden, internalError } from '../../http/api-status.js';
import type { AdmissionRequest } from '../../machinery/requests/admission.js';
import { warningHeaders } from '../../http/warnings.js';
import { convertObject } from '../../machinery/resources/conversion.js';
import type { ShardView } from '../../kcp/shards/shard-view.js';
import type { AdmissionPlugin } from '../admission-chain.js';
import { sourceOf } from './source-cluster.js';
import { readReviewAnswer, reviewRequest } from './admission-review.js';
import { evaluateConditions } from './match-conditions.js';
import { matchedVersion } from './match-webhook.js';
import { WebhookClient } from './webhook-client.js';
import { webhooksOf, type Webhook } from './webhook-configuration.js';

const CONFIGURATIONS = 'admissionregistration.k8s.io/validatingwebhookconfigurations';
const NAMESPACES = '/namespaces';

interface Verdict {
  readonly error?: ApiError;
  readonly warnings: readonly string[];
}

/** Asks the validating webhooks of the workspace that a resource comes from. */
export class WebhookPlugin implements AdmissionPlugin {
  readonly #view: ShardView;
  readonly #client = new WebhookClient();

  constructor(view: ShardView) {
    this.#view = view;
  }

  async validate(request: AdmissionRequest): Promise<readonly string[]> {
    if (request.definition.group === 'admissionregistration.k8s.io') return [];
    const configurations = this.#view.cache.bucket(CONFIGURATIONS).list({ cluster: sourceOf(request) });
    if (configurations.length === 0) return [];
    const namespaceLabels = this.#namespaceLabels(request);
    const calls = configurations.flatMap(webhooksOf).flatMap((webhook) => {
      const version = matchedVersion(webhook, request, namespaceLabels);
      return version === undefined ? [] : [this.#ask(webhook, request, version)];
    });
    const verdicts = await Promise.all(calls);
    const warnings = comesThroughView(request) ? [] : verdicts.flatMap((verdict) => verdict.warnings);
    const refusal = verdicts.find(({ error }) => error !== undefined)?.error;
    if (refusal !== undefined) throw new ApiError(refusal.body, { ...refusal.headers, ...warningHeaders(warnings) });
    return warnings;
  }

  /** Closes the connections to webhooks. */
  close(): Promise<void> {
    return this.#client.close();
  }

  async #ask(webhook: Webhook, request: AdmissionRequest, version: string): Promise<Verdict> {
    const review = reviewRequest(request, version);
    const inVersion = (object: AdmissionRequest['object']): unknown =>
      object === undefined ? null : convertObject(request.definition, object, version);
    const conditions = evaluateConditions(webhook, {
      object: inVersion(request.object),
      oldObject: inVersion(request.oldObject),
      request: review,
    });
    if (conditions.state === 'skip') return { warnings: [] };
    if (conditions.state === 'broken') {
      const why = `expression '${conditions.expression}' resulted in error: ${conditions.why}`;
      return webhook.failurePolicy === 'Ignore'
        ? { warnings: [] }
        : { error: forbidden(request.definition, request.name ?? '', why), warnings: [] };
    }
    const body = JSON.stringify({ kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', request: review });
    const outcome = await this.#client.post(webhook, body);
    if (outcome.state === 'failed') return callFailed(webhook, outcome.why);
    const answer = readReviewAnswer(outcome.body, String(review['uid']), webhook.name);
    switch (answer.state) {
      case 'allowed':
        return { warnings: answer.warnings };
      case 'denied':
        return { error: answer.error, warnings: answer.warnings };
      case 'garbage':
        return callFailed(webhook, `failed to call webhook: ${answer.why}`);
      case 'invalid':
        return callFailed(webhook, `received invalid webhook response: ${answer.why}`);
      default:
        return answer satisfies never;
    }
  }

  #namespaceLabels({ cluster, namespace }: AdmissionRequest): Readonly<Record<string, string>> | undefined {
    if (namespace === '') return undefined;
    return this.#view.store.bucket(NAMESPACES).get({ cluster, namespace: '', name: namespace })?.object.metadata.labels;
  }
}

// A virtual workspace asks the shard for its caller and does not hand on what the shard warns of.
function comesThroughView({ user }: AdmissionRequest): boolean {
  return user.extra?.[WARRANT_EXTRA] !== undefined;
}

function callFailed({ name, failurePolicy }: Webhook, why: string): Verdict {
  if (failurePolicy === 'Ignore') return { warnings: [] };
  return { error: internalError(`failed calling webhook ${JSON.stringify(name)}: ${why}`), warnings: [] };
}
