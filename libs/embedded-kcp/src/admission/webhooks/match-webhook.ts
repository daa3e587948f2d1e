// Whether a webhook is called about a request, and with which version of the resource.
import type { AdmissionRequest } from '../../machinery/requests/admission.js';
import { matchesLabels } from '../../machinery/resources/label-selector.js';
import type { Webhook, WebhookRule } from './webhook-configuration.js';

type Matching = Pick<Webhook, 'rules' | 'matchPolicy' | 'namespaceSelector' | 'objectSelector'>;
type Labels = Readonly<Record<string, string>> | undefined;

/** The version with which a webhook is called; undefined: it is not called. `namespaceLabels`: the labels of the object's namespace. */
export function matchedVersion(webhook: Matching, request: AdmissionRequest, namespaceLabels: Labels): string | undefined {
  const version = versionByRules(webhook, request);
  if (version === undefined) return undefined;
  if (!matchesNamespace(webhook, request, namespaceLabels)) return undefined;
  return matchesObject(webhook, request) ? version : undefined;
}

function versionByRules({ rules, matchPolicy }: Matching, request: AdmissionRequest): string | undefined {
  const matchesIn = (version: string): boolean => rules.some((rule) => matchesRule(rule, request, version));
  if (matchesIn(request.version.name)) return request.version.name;
  if (matchPolicy === 'Exact') return undefined;
  return request.definition.versions.map(({ name }) => name).find(matchesIn);
}

function matchesRule({ groups, versions, resources, operations, scope }: WebhookRule, request: AdmissionRequest, version: string): boolean {
  const { definition, operation, subresource } = request;
  if (!includes(operations, operation) || !includes(groups, definition.group) || !includes(versions, version)) return false;
  if (scope === 'Cluster' && isNamespaced(request)) return false;
  if (scope === 'Namespaced' && !isNamespaced(request)) return false;
  return resources.some((pattern) => {
    const [resource, sub] = pattern.split('/');
    const sameResource = resource === '*' || resource === definition.resource;
    return sameResource && (sub === undefined ? subresource === undefined || pattern === '*/*' : sub === '*' || sub === subresource);
  });
}

// A Namespace is cluster-scoped for rules although it has a namespace for selectors: itself.
function isNamespaced({ definition }: AdmissionRequest): boolean {
  return definition.namespaced;
}

function matchesNamespace(
  { namespaceSelector }: Matching,
  { definition, object, oldObject }: AdmissionRequest,
  namespaceLabels: Labels,
): boolean {
  if (namespaceSelector.length === 0) return true;
  if (definition.group === '' && definition.resource === 'namespaces')
    return matchesLabels(namespaceSelector, (object ?? oldObject)?.metadata.labels);
  return !definition.namespaced || matchesLabels(namespaceSelector, namespaceLabels);
}

function matchesObject({ objectSelector }: Matching, { object, oldObject }: AdmissionRequest): boolean {
  if (objectSelector.length === 0) return true;
  return [object, oldObject].some((one) => one !== undefined && matchesLabels(objectSelector, one.metadata.labels));
}

function includes(values: readonly string[], wanted: string): boolean {
  return values.includes('*') || values.includes(wanted);
}
