import { kind } from './object-metadata.js';
import {
  as,
  atomic,
  define,
  integer,
  listByKey,
  listOf,
  mapOf,
  moment,
  object,
  quantity,
  text,
  textMap,
  texts,
  truth,
  type Schema,
} from './schema-notation.js';

const CORE = 'io.k8s.api.core.v1';

const objectReference = define(
  `${CORE}.ObjectReference`,
  atomic(
    object('Names another object.', {
      apiVersion: text('API version of the object.'),
      kind: text('Kind of the object.'),
      namespace: text('Namespace of the object.'),
      name: text('Name of the object.'),
      uid: text('UID of the object.'),
      resourceVersion: text('Version of the object.'),
      fieldPath: text('A part of the object.'),
    }),
  ),
);

const eventSource = define(
  `${CORE}.EventSource`,
  object('The reporter of an event.', { component: text('The reporting component.'), host: text('Where it runs.') }),
);

const event = kind(
  `${CORE}.Event`,
  'Event tells what happened to an object.',
  {
    involvedObject: as('The object that the event is about.', objectReference),
    related: as('A second object that is concerned.', objectReference),
    type: text('Normal or Warning.'),
    reason: text('A word for programs.'),
    message: text('A sentence for people.'),
    action: text('What was done to the object.'),
    count: integer('How often it happened.'),
    eventTime: moment('When it was first seen.'),
    firstTimestamp: moment('When it was first recorded.'),
    lastTimestamp: moment('When it was last recorded.'),
    series: define(
      `${CORE}.EventSeries`,
      object('A series of the same event.', { count: integer('How often.'), lastObservedTime: moment('When it was last seen.') }),
    ),
    source: as('The reporter.', eventSource),
    reportingComponent: text('The reporting controller.', { default: '' }),
    reportingInstance: text('The instance of the reporting controller.', { default: '' }),
  },
  ['metadata', 'involvedObject'],
);

const namespace = kind(`${CORE}.Namespace`, 'Namespace is a scope for names.', {
  spec: define(
    `${CORE}.NamespaceSpec`,
    object('The desired namespace.', { finalizers: texts('Must be empty before the namespace is removed.') }),
  ),
  status: define(
    `${CORE}.NamespaceStatus`,
    object('The observed namespace.', {
      phase: text('Active or Terminating.'),
      conditions: listByKey(
        'Aspects of the state.',
        'type',
        define(
          `${CORE}.NamespaceCondition`,
          object(
            'One aspect of the state.',
            {
              type: text('Which aspect.'),
              status: text('True, False or Unknown.'),
              lastTransitionTime: moment('When the status changed last.'),
              reason: text('A word for programs.'),
              message: text('A sentence for people.'),
            },
            ['type', 'status'],
          ),
        ),
      ),
    }),
  ),
});

const scopedSelector = define(
  `${CORE}.ScopedResourceSelectorRequirement`,
  object(
    'A requirement on a scope.',
    { scopeName: text('The scope.'), operator: text('In, NotIn, Exists or DoesNotExist.'), values: texts('Values for In and NotIn.') },
    ['scopeName', 'operator'],
  ),
);

const resourceQuota = kind(`${CORE}.ResourceQuota`, 'ResourceQuota limits what a namespace may hold.', {
  spec: define(
    `${CORE}.ResourceQuotaSpec`,
    object('The limits.', {
      hard: mapOf('The most of each resource.', quantity('An amount.')),
      scopes: texts('Scopes that the quota is for.'),
      scopeSelector: define(
        `${CORE}.ScopeSelector`,
        atomic(object('Selects scopes.', { matchExpressions: listOf('Requirements.', scopedSelector) })),
      ),
    }),
  ),
  status: define(
    `${CORE}.ResourceQuotaStatus`,
    object('The use.', {
      hard: mapOf('The most of each resource.', quantity('An amount.')),
      used: mapOf('What is used of each resource.', quantity('An amount.')),
    }),
  ),
});

/** The kinds of the core group, v1. */
export const coreKinds: Readonly<Record<string, Schema>> = {
  ConfigMap: kind(`${CORE}.ConfigMap`, 'ConfigMap holds configuration data.', {
    data: textMap('Texts by key. Keys consist of alphanumeric characters, -, _ and dots.'),
    binaryData: mapOf('Bytes by key, base64. No key may be in data too.', { type: 'string', format: 'byte' }),
    immutable: truth('Whether the data can no longer change.'),
  }),
  Event: event,
  Namespace: namespace,
  ResourceQuota: resourceQuota,
  Secret: kind(`${CORE}.Secret`, 'Secret holds data that is not for everybody.', {
    data: mapOf('Bytes by key, base64.', { type: 'string', format: 'byte' }),
    stringData: textMap('Texts by key, written into data; never read back.'),
    type: text('What the secret is for.'),
    immutable: truth('Whether the data can no longer change.'),
  }),
  ServiceAccount: kind(`${CORE}.ServiceAccount`, 'ServiceAccount is the identity of a program.', {
    secrets: listByKey('Secrets that belong to the account.', 'name', objectReference),
    imagePullSecrets: listOf(
      'Secrets for pulling images.',
      define(
        `${CORE}.LocalObjectReference`,
        atomic(object('Names an object of the same namespace.', { name: text('The name.', { default: '' }) })),
      ),
    ),
    automountServiceAccountToken: truth('Whether programs get the token mounted.'),
  }),
};

/** The kinds of events.k8s.io/v1. */
export const eventKinds: Readonly<Record<string, Schema>> = {
  Event: kind(
    'io.k8s.api.events.v1.Event',
    'Event tells what happened to an object.',
    {
      eventTime: moment('When it was first seen.'),
      series: define(
        'io.k8s.api.events.v1.EventSeries',
        object('A series of the same event.', { count: integer('How often.'), lastObservedTime: moment('When it was last seen.') }, [
          'count',
          'lastObservedTime',
        ]),
      ),
      reportingController: text('The reporting controller.'),
      reportingInstance: text('The instance of the reporting controller.'),
      action: text('What was done.'),
      reason: text('A word for programs.'),
      regarding: as('The object that the event is about.', objectReference),
      related: as('A second object that is concerned.', objectReference),
      note: text('A sentence for people.'),
      type: text('Normal or Warning.'),
      deprecatedSource: as('The reporter, in the old form.', eventSource),
      deprecatedFirstTimestamp: moment('When it was first recorded, in the old form.'),
      deprecatedLastTimestamp: moment('When it was last recorded, in the old form.'),
      deprecatedCount: integer('How often, in the old form.'),
    },
    ['eventTime'],
  ),
};
