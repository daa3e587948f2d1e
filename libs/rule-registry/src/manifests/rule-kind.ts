import { FIELD_PATH_MAX_LENGTH, FIELD_PATH_PATTERN } from '@dep-ctrl/fieldpath';
import { COLUMNS_AFTER_READY, type ApiKind } from './api-kind.js';
import { MOST_DEPENDENCIES } from '../rules/bounds.js';
import { CONDITIONS, choiceOf, countOf, listOf, messageOf, nameOf, objectOf, textOf, type JsonSchema } from './json-schema.js';
import {
  EXPORT_NAME_GRAMMAR,
  GROUP_GRAMMAR,
  GROUP_RESOURCE_MAX_LENGTH,
  KIND_GRAMMAR,
  PATH_GRAMMAR,
  RESOURCE_GRAMMAR,
  VERSION_GRAMMAR,
} from '../parsing/name-grammar.js';
import { ENFORCEMENTS, WHILE_TERMINATING } from '../parsing/read-rule-spec.js';

const DEPENDENT = objectOf('The type whose objects refer to others. Its export lives in the workspace of this rule.', {
  apiExportName: nameOf('The APIExport, in this workspace, that serves the type.', EXPORT_NAME_GRAMMAR),
  group: nameOf('The API group of the type.', GROUP_GRAMMAR),
  version: nameOf('The version in which the references are read.', VERSION_GRAMMAR),
  kind: nameOf('The kind of the type, as people see it when a delete is refused.', KIND_GRAMMAR),
  resource: nameOf('The resource (plural) of the type.', RESOURCE_GRAMMAR),
});

const DEPENDENCY = objectOf('A type that is referred to, and where in the dependent the reference stands.', {
  apiExportRef: objectOf('The APIExport that serves the type.', {
    path: nameOf('The path of the workspace that holds the export, such as root:providers:network.', PATH_GRAMMAR),
    name: nameOf('The name of the export.', EXPORT_NAME_GRAMMAR),
  }),
  group: nameOf('The API group of the type.', GROUP_GRAMMAR),
  version: nameOf('A version of the type. Objects are guarded in all versions.', VERSION_GRAMMAR),
  resource: nameOf('The resource (plural) of the type.', RESOURCE_GRAMMAR),
  fieldRef: objectOf(
    'Where the reference stands.',
    {
      path: fieldPath(
        "The path of the field with the name, such as .spec.vpcRef.name or .spec.nics[*].vpc or .metadata.labels['example.com/vpc']. An array takes no index: write [*], for all of its items.",
      ),
      namespacePath: fieldPath(
        "The path of the field with the namespace, for references into other namespaces. Where that is empty or missing, the dependent's own namespace is meant; of a cluster-scoped dependent, every namespace. Where both paths hold [*], they share the fields before it.",
      ),
    },
    { optional: ['namespacePath'] },
  ),
});

const SPEC = objectOf(
  'What refers to what.',
  {
    dependent: DEPENDENT,
    dependencies: { ...listOf('The types that the dependent refers to.', DEPENDENCY), minItems: 1, maxItems: MOST_DEPENDENCIES },
    enforcement: choiceOf(
      'What becomes of a delete while there are references: refused, answered with a warning, or recorded for audits only.',
      ENFORCEMENTS,
    ),
    whileTerminating: choiceOf('Whether a dependent that is itself being deleted still stands against the delete.', WHILE_TERMINATING),
  },
  { optional: ['enforcement', 'whileTerminating'] },
);

const TARGET = objectOf(
  'One dependency.',
  {
    path: textOf('The path of the workspace that is guarded.', { maxLength: PATH_GRAMMAR.maxLength }),
    cluster: textOf('The logical cluster that the path names.', { maxLength: PATH_GRAMMAR.maxLength }),
    resource: textOf('The resource that is guarded.', { maxLength: GROUP_RESOURCE_MAX_LENGTH }),
    state: { ...textOf('What became of it.'), enum: ['Installed', 'Pending', 'Refused', 'Missing', 'Failed'] },
    message: messageOf('The reason, for people.'),
  },
  { optional: ['cluster', 'message'] },
);

const STATUS = objectOf(
  'What the controller found.',
  {
    observedGeneration: countOf('The generation of the spec that this status is about.'),
    targetsInstalled: textOf('How many of the targets are installed, such as 1/2.', { maxLength: 32 }),
    targets: { ...listOf('What became of each dependency.', TARGET), maxItems: MOST_DEPENDENCIES },
    conditions: CONDITIONS,
  },
  { optional: ['observedGeneration', 'targetsInstalled', 'targets', 'conditions'] },
);

/** DependencyRule: how the objects of one type refer to others. */
export const RULE_KIND: ApiKind = {
  names: {
    plural: 'dependencyrules',
    singular: 'dependencyrule',
    shortNames: ['deprules', 'deprule'],
    kind: 'DependencyRule',
    listKind: 'DependencyRuleList',
  },
  schema: objectOf(
    'Declares how the objects of one type refer to objects of others. What is still referred to cannot be deleted.',
    {
      apiVersion: textOf('The version of this schema.'),
      kind: textOf('DependencyRule.'),
      metadata: { type: 'object' },
      spec: SPEC,
      status: STATUS,
    },
    { optional: ['apiVersion', 'kind', 'metadata', 'status'] },
  ),
  columns: [
    { name: 'Dependent', type: 'string', jsonPath: '.spec.dependent.kind', description: 'The kind whose objects refer to others' },
    {
      name: 'Enforcement',
      type: 'string',
      jsonPath: '.spec.enforcement',
      description: 'What becomes of a delete while there are references',
    },
    { name: 'Targets', type: 'string', jsonPath: '.status.targetsInstalled', description: 'Targets installed, of all' },
    {
      name: 'In force',
      type: 'string',
      jsonPath: '.status.conditions[?(@.type=="InForce")].status',
      description: 'Whether deletes are checked for every target',
    },
    {
      name: 'Ready',
      type: 'string',
      jsonPath: '.status.conditions[?(@.type=="Ready")].status',
      description: 'Whether every target is guarded, and nothing is wrong with the rule',
    },
    {
      name: 'Cyclic',
      type: 'string',
      jsonPath: '.status.conditions[?(@.type=="Cyclic")].status',
      description: "Whether the types refer to each other in a circle, so that their objects can refuse each other's deletion",
    },
    ...COLUMNS_AFTER_READY,
  ],
};

function fieldPath(description: string): JsonSchema {
  return { description, type: 'string', minLength: 1, maxLength: FIELD_PATH_MAX_LENGTH, pattern: FIELD_PATH_PATTERN };
}
