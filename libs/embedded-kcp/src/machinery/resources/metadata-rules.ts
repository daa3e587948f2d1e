// Checks of names and metadata, in the words of Kubernetes.
import type { ObjectMeta } from '@dep-ctrl/kcp-names';
import type { StatusCause } from '../../http/api-status.js';
import { isRecord, stringAt, valueAt } from '../../json/json.js';

const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const SUBDOMAIN_WORDS =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const LABEL_WORDS =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

/** The rule for names of a resource. RBAC objects are named freely (`system:x`), namespaces more strictly than the rest. */
export type NameRule = 'subdomain' | 'label' | 'path';

/** The problems of a name. */
export function checkName(name: string, rule: NameRule): readonly StatusCause[] {
  const problem = (why: string): readonly StatusCause[] => [wrong('metadata.name', name, why)];
  if (rule === 'path') return /[/%]/.test(name) || name === '.' || name === '..' ? problem(`may not contain '/'`) : [];
  if (name.length > 253) return problem('must be no more than 253 characters');
  if (rule === 'subdomain') return SUBDOMAIN.test(name) ? [] : problem(SUBDOMAIN_WORDS);
  if (name.length > 63) return problem('must be no more than 63 characters');
  return LABEL.test(name) ? [] : problem(LABEL_WORDS);
}

/** The problems of labels, annotations, owners and finalizers. Core kinds allow no finalizer without a domain except their own. */
export function checkMetadata(
  { labels, annotations, ownerReferences, finalizers }: ObjectMeta,
  kind: 'core' | 'other',
): readonly StatusCause[] {
  return [
    ...checkLabels(labels ?? {}),
    ...checkAnnotations(annotations ?? {}),
    ...checkOwners(ownerReferences ?? []),
    ...(finalizers ?? []).flatMap((finalizer) => wrongs('metadata.finalizers', finalizer, qualifiedNameProblems(finalizer))),
    ...(kind === 'other' ? [] : checkStandardFinalizers(finalizers ?? [])),
  ];
}

const QUALIFIED_WORDS =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const QUALIFIED = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const LABEL_VALUE = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;
const LABEL_VALUE_WORDS =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

// A name, or a domain and a name.
function qualifiedNameProblems(text: string): readonly string[] {
  const [first = '', second, ...more] = text.split('/');
  if (more.length > 0) {
    return [`a valid label key ${QUALIFIED_WORDS} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const prefix = second === undefined ? [] : prefixProblems(first).map((why) => `prefix part ${why}`);
  return [...prefix, ...namePartProblems(second ?? first).map((why) => `name part ${why}`)];
}

function prefixProblems(prefix: string): readonly string[] {
  if (prefix === '') return ['must be non-empty'];
  const tooLong = prefix.length > 253 ? ['must be no more than 253 bytes'] : [];
  return SUBDOMAIN.test(prefix) ? tooLong : [...tooLong, SUBDOMAIN_WORDS];
}

function namePartProblems(name: string): readonly string[] {
  const length = name === '' ? ['must be non-empty'] : name.length > 63 ? ['must be no more than 63 bytes'] : [];
  return QUALIFIED.test(name) ? length : [...length, QUALIFIED_WORDS];
}

function checkLabels(labels: Readonly<Record<string, string>>): readonly StatusCause[] {
  return Object.entries(labels).flatMap(([key, value]) => [
    ...wrongs('metadata.labels', key, qualifiedNameProblems(key)),
    ...wrongs('metadata.labels', value, [
      ...(value.length > 63 ? ['must be no more than 63 bytes'] : []),
      ...(LABEL_VALUE.test(value) ? [] : [LABEL_VALUE_WORDS]),
    ]),
  ]);
}

// All keys and values of one object together.
const ANNOTATIONS_BYTES = 256 * 1024;

// Unlike labels, annotations may have upper case letters in their domain.
function checkAnnotations(annotations: Readonly<Record<string, string>>): readonly StatusCause[] {
  const entries = Object.entries(annotations);
  const bytes = entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
  const tooLong = { reason: 'FieldValueTooLong', message: `Too long: may not be more than ${ANNOTATIONS_BYTES} bytes` };
  return [
    ...entries.flatMap(([key]) => wrongs('metadata.annotations', key, qualifiedNameProblems(key.toLowerCase()))),
    ...(bytes > ANNOTATIONS_BYTES ? [{ ...tooLong, field: 'metadata.annotations' }] : []),
  ];
}

function checkOwners(owners: readonly unknown[]): readonly StatusCause[] {
  const controllers = owners.filter((owner) => valueAt(owner, 'controller') === true);
  const [first, second] = controllers.map((owner) => `${stringAt(owner, 'kind') ?? ''}/${stringAt(owner, 'name') ?? ''}`);
  const why = `Only one reference can have Controller set to true. Found "true" in references for ${first ?? ''} and ${second ?? ''}`;
  return [...owners.flatMap(checkOwner), ...(controllers.length > 1 ? [wrong('metadata.ownerReferences', owners.map(inOrder), why)] : [])];
}

function checkOwner(owner: unknown): readonly StatusCause[] {
  const empty = (field: string): boolean => (stringAt(owner, field) ?? '') === '';
  const [apiVersion, kind] = [stringAt(owner, 'apiVersion'), stringAt(owner, 'kind')];
  const isEvent = apiVersion === 'v1' && kind === 'Event';
  return [
    ...(empty('apiVersion') ? [wrong('metadata.ownerReferences.apiVersion', '', 'version must not be empty')] : []),
    ...['kind', 'name', 'uid'].filter(empty).map((field) => wrong(`metadata.ownerReferences.${field}`, '', 'must not be empty')),
    ...(isEvent ? [wrong('metadata.ownerReferences', inOrder(owner), '/v1, Kind=Event is disallowed from being an owner')] : []),
  ];
}

// The order of Go's fields, in which values are quoted.
function inOrder(owner: unknown): unknown {
  if (!isRecord(owner)) return owner;
  const fields = ['apiVersion', 'kind', 'name', 'uid', 'controller', 'blockOwnerDeletion'];
  return Object.fromEntries(fields.filter((field) => owner[field] !== undefined).map((field) => [field, owner[field]]));
}

const STANDARD_FINALIZERS: readonly string[] = ['kubernetes', 'orphan', 'foregroundDeletion'];

function checkStandardFinalizers(finalizers: readonly string[]): readonly StatusCause[] {
  return finalizers.flatMap((finalizer, index) =>
    finalizer.includes('/') || STANDARD_FINALIZERS.includes(finalizer)
      ? []
      : [wrong(`metadata.finalizers[${index}]`, finalizer, 'name is neither a standard finalizer name nor is it fully qualified')],
  );
}

function wrongs(field: string, value: string, problems: readonly string[]): readonly StatusCause[] {
  return problems.map((why) => wrong(field, value, why));
}

function wrong(field: string, value: unknown, why: string): StatusCause {
  return { reason: 'FieldValueInvalid', message: `Invalid value: ${JSON.stringify(value)}: ${why}`, field };
}
