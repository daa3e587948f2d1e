// The fields of `metadata`, which schemas do not spell out because every object has them.
const TEXT = { type: 'string' };
const FLAG = { type: 'boolean' };
const NUMBER = { type: 'integer' };
const TEXTS = { type: 'object', additionalProperties: TEXT };

/** The schema of `metadata`. */
export const OBJECT_META = {
  type: 'object',
  properties: {
    name: TEXT,
    generateName: TEXT,
    namespace: TEXT,
    uid: TEXT,
    resourceVersion: TEXT,
    generation: NUMBER,
    creationTimestamp: TEXT,
    deletionTimestamp: TEXT,
    deletionGracePeriodSeconds: NUMBER,
    labels: TEXTS,
    annotations: TEXTS,
    ownerReferences: {
      type: 'array',
      items: {
        type: 'object',
        properties: { apiVersion: TEXT, kind: TEXT, name: TEXT, uid: TEXT, controller: FLAG, blockOwnerDeletion: FLAG },
      },
    },
    finalizers: { type: 'array', items: TEXT },
    selfLink: TEXT,
    managedFields: { type: 'array', items: {} },
  },
} as const;
