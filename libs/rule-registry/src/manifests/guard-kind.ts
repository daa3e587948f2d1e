import { GUARD_NAME } from '../rules/api-group.js';
import { COLUMNS_AFTER_READY, type ApiKind } from './api-kind.js';
import { MOST_CONSENTS } from '../rules/bounds.js';
import { CONDITIONS, countOf, listOf, nameOf, objectOf, textOf } from './json-schema.js';
import { GROUP_RESOURCE_MAX_LENGTH, OBJECT_NAME_GRAMMAR, PATH_GRAMMAR, STRICT_PATH_GRAMMAR } from '../parsing/name-grammar.js';
import { ENFORCEMENTS } from '../parsing/read-rule-spec.js';

const SPEC = objectOf(
  'What the provider decides.',
  {
    allowRulesFrom: {
      ...listOf(
        'The workspaces whose rules may guard this one. Absent: all. Empty: none. Its own workspace always may.',
        nameOf('The path of a workspace, such as root:providers:compute.', STRICT_PATH_GRAMMAR),
      ),
      maxItems: MOST_CONSENTS,
    },
  },
  { optional: ['allowRulesFrom'] },
);

const STATUS = objectOf(
  'What the controller found.',
  {
    observedGeneration: countOf('The generation of the spec that this status is about.'),
    ruleCount: countOf(
      'How many rules hold resources of this workspace, those too that name a type which no export of it has. More than rules names where that list had to be cut.',
    ),
    enforcement: textOf('How many of these rules under which enforcement, such as 2 Deny, 1 Warn.', { maxLength: 256 }),
    allowed: textOf('Whom the spec admits, in short: everyone, nobody, or the paths, or how many there are.', { maxLength: 256 }),
    rules: listOf(
      'Who holds resources of this workspace, one entry per rule and resource.',
      objectOf(
        'One rule.',
        {
          cluster: textOf('The logical cluster that the rule lives in.', { maxLength: PATH_GRAMMAR.maxLength }),
          path: textOf('The path of that workspace.', { maxLength: PATH_GRAMMAR.maxLength }),
          rule: textOf('The name of the rule.', { maxLength: OBJECT_NAME_GRAMMAR.maxLength }),
          uid: textOf('The uid of the rule: another one of the same name has another.', { maxLength: 64 }),
          generation: countOf('The generation of the rule that is in force here.'),
          dependent: textOf('The type whose objects refer to the resource.', { maxLength: GROUP_RESOURCE_MAX_LENGTH }),
          resource: textOf('The resource of this workspace that is guarded.', { maxLength: GROUP_RESOURCE_MAX_LENGTH }),
          enforcement: { ...textOf('What becomes of a delete.'), enum: ENFORCEMENTS },
        },
        { optional: ['path', 'uid', 'generation'] },
      ),
    ),
    conditions: CONDITIONS,
  },
  { optional: ['observedGeneration', 'ruleCount', 'enforcement', 'allowed', 'rules', 'conditions'] },
);

/** DependencyGuard: in a guarded workspace, who guards it and whom it admits. */
export const GUARD_KIND: ApiKind = {
  names: {
    plural: 'dependencyguards',
    singular: 'dependencyguard',
    shortNames: ['guards', 'guard'],
    kind: 'DependencyGuard',
    listKind: 'DependencyGuardList',
  },
  schema: objectOf(
    `Tells the provider of a workspace which rules hold its resources, and lets it decide whose may. There is one, named ${GUARD_NAME}.`,
    {
      apiVersion: textOf('The version of this schema.'),
      kind: textOf('DependencyGuard.'),
      metadata: { type: 'object', properties: { name: { type: 'string', enum: [GUARD_NAME] } } },
      spec: SPEC,
      status: STATUS,
    },
    { optional: ['apiVersion', 'kind', 'metadata', 'spec', 'status'] },
  ),
  columns: [
    { name: 'Rules', type: 'integer', jsonPath: '.status.ruleCount', description: 'Rules that the configuration here is written for' },
    { name: 'Enforcement', type: 'string', jsonPath: '.status.enforcement', description: 'How many of them under which enforcement' },
    { name: 'Allowed', type: 'string', jsonPath: '.status.allowed', description: 'Workspaces whose rules are admitted' },
    { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status', description: 'Whether they are in force' },
    ...COLUMNS_AFTER_READY,
  ],
};
