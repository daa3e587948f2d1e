// The part of JSON Schema that Kubernetes calls structural, as far as our kinds need it, with builders that keep definitions readable.

import { LONGEST_MESSAGE } from '../rules/bounds.js';
import type { NameGrammar } from '../parsing/name-grammar.js';

/** A structural schema. */
export interface JsonSchema {
  readonly type: 'object' | 'array' | 'string' | 'integer';
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly default?: string;
  readonly minimum?: number;
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'map' | 'set';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
}

/** An object; every property is required but those named optional. */
export function objectOf(
  description: string,
  properties: Readonly<Record<string, JsonSchema>>,
  { optional = [] }: { readonly optional?: readonly string[] } = {},
): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { description, type: 'object', ...(required.length > 0 && { required }), properties };
}

/** A list that is always replaced as a whole. */
export function listOf(description: string, items: JsonSchema): JsonSchema {
  return { description, type: 'array', 'x-kubernetes-list-type': 'atomic', items };
}

/** A text that follows a grammar. */
export function nameOf(description: string, { pattern, maxLength }: NameGrammar): JsonSchema {
  return { description, type: 'string', minLength: 1, maxLength, pattern };
}

/** Any text, where it is not longer than it may be. */
export function textOf(description: string, { maxLength }: { readonly maxLength?: number } = {}): JsonSchema {
  return { description, type: 'string', ...(maxLength !== undefined && { maxLength }) };
}

/** A sentence for people. */
export function messageOf(description: string): JsonSchema {
  return textOf(description, { maxLength: LONGEST_MESSAGE });
}

/** One of a few texts, the first of which is the default. */
export function choiceOf(description: string, values: readonly [string, ...string[]]): JsonSchema {
  return { description, type: 'string', enum: values, default: values[0] };
}

/** A whole number from zero. */
export function countOf(description: string): JsonSchema {
  return { description, type: 'integer', format: 'int64', minimum: 0 };
}

/** `status.conditions`, as Kubernetes defines them. */
export const CONDITIONS: JsonSchema = {
  description: 'What is true of this object, one entry per type.',
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['type'],
  items: objectOf(
    'One condition.',
    {
      type: { description: 'What it is about.', type: 'string', maxLength: 316 },
      status: { description: 'Whether it is so.', type: 'string', enum: ['True', 'False', 'Unknown'] },
      observedGeneration: countOf('The generation of the spec that this is about.'),
      lastTransitionTime: { description: 'When the status last changed.', type: 'string', format: 'date-time' },
      reason: { description: 'The reason, for programs.', type: 'string', maxLength: 1024 },
      message: messageOf('The reason, for people.'),
    },
    { optional: ['observedGeneration'] },
  ),
};
