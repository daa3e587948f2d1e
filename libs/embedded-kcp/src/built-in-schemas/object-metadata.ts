import {
  as,
  atomic,
  define,
  integer,
  listByKey,
  listOf,
  moment,
  object,
  oneOf,
  setOf,
  text,
  textMap,
  texts,
  truth,
  anything,
  type Properties,
  type Schema,
} from './schema-notation.js';

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';

const managedFieldsEntry = define(
  `${META}.ManagedFieldsEntry`,
  object('The fields of one manager.', {
    manager: text('Name of the writer.'),
    operation: text('Apply or Update.'),
    apiVersion: text('Version that the fields are named in.'),
    time: moment('When the entry changed last.'),
    fieldsType: text('Always FieldsV1.'),
    fieldsV1: define(`${META}.FieldsV1`, {
      description: 'The fields, as a tree.',
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
    }),
    subresource: text('Subresource that the fields were written through.'),
  }),
);

const ownerReference = define(
  `${META}.OwnerReference`,
  atomic(
    object(
      'An object that this one belongs to: when its last owner is gone, it is garbage.',
      {
        apiVersion: text('API version of the owner.'),
        kind: text('Kind of the owner.'),
        name: text('Name of the owner.'),
        uid: text('UID of the owner.'),
        controller: truth('Whether the owner is the managing controller.'),
        blockOwnerDeletion: truth('Whether a foreground deletion of the owner waits for this object.'),
      },
      ['apiVersion', 'kind', 'name', 'uid'],
    ),
  ),
);

/** Metadata of every object. */
export const objectMetaSchema: Schema = define(
  `${META}.ObjectMeta`,
  object('Metadata that every object has.', {
    name: text('Unique within its namespace and resource.'),
    generateName: text('Prefix of a name that the server makes up when there is none.'),
    namespace: text('Namespace of the object; empty for cluster-scoped ones.'),
    selfLink: text('No longer set.'),
    uid: text('Identity in time and space, set by the server.'),
    resourceVersion: text('Changes with every write; opaque.'),
    generation: integer('Changes with every change of the desired state, set by the server.', { format: 'int64' }),
    creationTimestamp: moment('When the object was created, set by the server.'),
    deletionTimestamp: moment('When deletion was asked for, set by the server.'),
    deletionGracePeriodSeconds: integer('Seconds until removal after the deletion was asked for.', { format: 'int64' }),
    labels: textMap('Names and values to select by.'),
    annotations: textMap('Names and values for tools; not selectable.'),
    ownerReferences: listByKey('Objects that this one belongs to.', 'uid', ownerReference),
    finalizers: { ...setOf('Must be empty before the object is removed.', { type: 'string' }), 'x-kubernetes-patch-strategy': 'merge' },
    managedFields: listOf('The managers of fields, kept by the server.', managedFieldsEntry),
  }),
);

/** The fields that every kind begins with. */
export const typeProperties: Properties = {
  apiVersion: text('Group and version of this representation.'),
  kind: text('The kind of object.'),
};

/** The metadata of a list. */
export const listMetaSchema: Schema = define(
  `${META}.ListMeta`,
  object('Metadata of a list.', {
    continue: text('Token for the next page.'),
    remainingItemCount: integer('How many items the next pages hold.', { format: 'int64' }),
    resourceVersion: text('Version that the list was read at.'),
    selfLink: text('No longer set.'),
  }),
);

/** A label selector. */
export const labelSelectorSchema: Schema = define(
  `${META}.LabelSelector`,
  atomic(
    object('Selects by labels; all requirements must hold, an empty selector selects everything.', {
      matchLabels: textMap('Labels and their values.'),
      matchExpressions: listOf(
        'Requirements.',
        define(
          `${META}.LabelSelectorRequirement`,
          object(
            'A requirement on one label.',
            { key: text('The label.'), operator: text('In, NotIn, Exists or DoesNotExist.'), values: texts('Values for In and NotIn.') },
            ['key', 'operator'],
          ),
        ),
      ),
    }),
  ),
);

/** A condition in a status. */
export const conditionSchema: Schema = define(
  `${META}.Condition`,
  object(
    'One aspect of the state.',
    {
      type: text('Which aspect.'),
      status: oneOf('Whether it holds.', ['True', 'False', 'Unknown']),
      observedGeneration: integer('Generation that it was seen at.', { format: 'int64' }),
      lastTransitionTime: moment('When the status changed last.'),
      reason: text('A word for programs.'),
      message: text('A sentence for people.'),
    },
    ['type', 'status', 'lastTransitionTime', 'reason', 'message'],
  ),
);

/** The answer to a failed request, and to a delete. */
export const statusSchema: Schema = define(
  `${META}.Status`,
  object('The outcome of a request that returns no other object.', {
    ...typeProperties,
    metadata: as('Metadata of a list.', listMetaSchema),
    status: text('Success or Failure.'),
    message: text('A sentence for people.'),
    reason: text('A word for programs.'),
    details: define(`${META}.StatusDetails`, anything('More about the reason: name, kind, causes.')),
    code: integer('The HTTP status.'),
  }),
);

/** The body of a delete. */
export const deleteOptionsSchema: Schema = define(
  `${META}.DeleteOptions`,
  object('How to delete.', {
    ...typeProperties,
    dryRun: texts('All: nothing is persisted.'),
    gracePeriodSeconds: integer('Seconds until removal.', { format: 'int64' }),
    orphanDependents: truth('Deprecated: use propagationPolicy.'),
    preconditions: define(
      `${META}.Preconditions`,
      object('What must hold for the delete to happen.', {
        uid: text('The expected UID.'),
        resourceVersion: text('The expected version.'),
      }),
    ),
    propagationPolicy: text('Orphan, Background or Foreground: what happens to the objects that this one owns.'),
  }),
);

/** The body of a patch. */
export const patchSchema: Schema = define(`${META}.Patch`, {
  description: 'A patch, in the form that the content type names.',
  type: 'object',
});

/** A kind: type, metadata and its own fields. */
export function kind(name: string, description: string, properties: Properties, required: readonly string[] = []): Schema {
  return define(
    name,
    object(description, { ...typeProperties, metadata: as('Standard metadata.', objectMetaSchema), ...properties }, required),
  );
}
