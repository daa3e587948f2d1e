// Schemas of apis.kcp.io: the fields, defaults and rules that clients can notice.
import type { JsonRecord } from '../../json/json.js';
import {
  also,
  anyObject,
  conditions,
  flag,
  integer,
  labelSelector,
  list,
  object,
  oneOf,
  resource,
  rule,
  text,
} from '../../machinery/schema/schema-builder.js';

const empty = also(text, { default: '' });
const verbs = also(list(text), { minItems: 1 });
const exportReference = object({ path: text, 'name!': text });

const exportClaim = { group: empty, 'resource!': text, identityHash: empty } as const;
const selector = object({ ...propertiesOfSelector(), matchAll: flag });

function propertiesOfSelector(): Readonly<Record<string, JsonRecord>> {
  return labelSelector['properties'] as Readonly<Record<string, JsonRecord>>;
}

const legacyClaim = {
  group: empty,
  'resource!': text,
  identityHash: text,
  all: flag,
  resourceSelector: list(object({ name: text, namespace: text })),
} as const;

const exactlyOne = rule(
  '(has(self.all) && self.all) != (has(self.resourceSelector) && size(self.resourceSelector) > 0)',
  'either "all" or "resourceSelector" must be set',
);

const identity = object({ secretRef: object({ name: text, namespace: text }) });
const exportStatus = object({ identityHash: text, conditions, virtualWorkspaces: list(object({ 'url!': text }), 'url') });

/** APIExport v1alpha2. */
export const apiExportSchema: JsonRecord = resource({
  spec: also(
    object({
      resources: list(object({ group: empty, 'name!': text, 'schema!': text, 'storage!': anyObject }), 'group', 'name'),
      identity,
      maximalPermissionPolicy: object({ local: anyObject }),
      permissionClaims: list(object({ ...exportClaim, 'verbs!': verbs, defaultSelector: selector }), 'group', 'resource'),
    }),
    { default: {} },
  ),
  status: also(exportStatus, { default: {} }),
});

/** APIExport v1alpha1. */
export const apiExportLegacySchema: JsonRecord = resource({
  spec: also(
    object({
      latestResourceSchemas: list(text),
      identity,
      maximalPermissionPolicy: object({ local: anyObject }),
      permissionClaims: list(object(legacyClaim), 'group', 'resource'),
    }),
    { default: {} },
  ),
  status: also(exportStatus, { default: {} }),
});

const reference = also(object({ 'export!': exportReference }), rule('self == oldSelf', 'APIExport reference must not be changed'));
const state = oneOf('Accepted', 'Rejected');

const boundResources = list(
  object({
    'group!': text,
    'resource!': text,
    'schema!': object({ 'name!': text, 'UID!': text, 'identityHash!': text }),
    storageVersions: list(text),
  }),
  'group',
  'resource',
);

const bindingStatus = {
  apiExportClusterName: text,
  boundResources,
  phase: oneOf('', 'Binding', 'Bound'),
  conditions,
} as const;

/** APIBinding v1alpha2. */
export const apiBindingSchema: JsonRecord = resource({
  'spec!': object({
    'reference!': reference,
    permissionClaims: list(object({ ...exportClaim, 'verbs!': verbs, selector, 'state!': state }), 'group', 'resource', 'identityHash'),
  }),
  status: object({
    ...bindingStatus,
    appliedPermissionClaims: list(object({ ...exportClaim, verbs: list(text), selector: anyObject })),
    exportPermissionClaims: list(object({ ...exportClaim, verbs: list(text), defaultSelector: anyObject })),
  }),
});

/** APIBinding v1alpha1. */
export const apiBindingLegacySchema: JsonRecord = resource({
  'spec!': object({
    'reference!': reference,
    permissionClaims: list(also(object({ ...legacyClaim, 'state!': state }), exactlyOne)),
  }),
  status: object({
    ...bindingStatus,
    appliedPermissionClaims: list(object(legacyClaim)),
    exportPermissionClaims: list(object(legacyClaim)),
  }),
});

/** APIResourceSchema. */
export const apiResourceSchemaSchema: JsonRecord = resource({
  'spec!': also(
    object({
      'group!': text,
      'names!': object({ 'plural!': text, singular: text, 'kind!': text, listKind: text, shortNames: list(text), categories: list(text) }),
      'scope!': oneOf('Cluster', 'Namespaced'),
      'versions!': also(
        list(
          object({
            'name!': also(text, { pattern: '^v[1-9][0-9]*([a-z]+[1-9][0-9]*)?$' }),
            'served!': flag,
            'storage!': flag,
            deprecated: flag,
            deprecationWarning: text,
            'schema!': anyObject,
            subresources: anyObject,
            additionalPrinterColumns: list(
              object({ 'name!': text, 'type!': text, format: text, description: text, priority: integer, 'jsonPath!': text }),
            ),
          }),
          'name',
        ),
        { minItems: 1 },
      ),
      nameValidation: text,
      conversion: also(object({ 'strategy!': oneOf('None', 'Webhook'), webhook: anyObject }), {
        ...rule(
          "(self.strategy == 'None' && !has(self.webhook)) || (self.strategy == 'Webhook' && has(self.webhook))",
          'Webhook must be specified if strategy=Webhook',
        ),
      }),
    }),
    rule('self.versions.size() == 1 || has(self.conversion)', 'Conversion must be specified when multiple versions exist'),
  ),
});

/** APIExportEndpointSlice. */
export const apiExportEndpointSliceSchema: JsonRecord = resource({
  'spec!': also(
    object({ 'export!': also(exportReference, rule('self == oldSelf', 'APIExport reference must not be changed')), partition: text }),
    {},
  ),
  status: object({ conditions, endpoints: list(object({ 'url!': text }), 'url'), shardSelector: text }),
});
