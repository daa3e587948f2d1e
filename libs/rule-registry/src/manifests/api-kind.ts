import type { JsonSchema } from './json-schema.js';

/** One of our kinds: everything that an APIResourceSchema says about it. */
export interface ApiKind {
  readonly names: {
    readonly plural: string;
    readonly singular: string;
    readonly kind: string;
    readonly listKind: string;
    readonly shortNames?: readonly string[];
  };
  readonly schema: JsonSchema;
  readonly columns: readonly PrinterColumn[];
}

/** A column that `kubectl get` shows. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'date';
  readonly jsonPath: string;
  readonly description?: string;
  /** Above zero: shown by `-o wide` only. */
  readonly priority?: number;
}

/** The columns after `Ready`: why it is so, and what to do about it. */
export const COLUMNS_AFTER_READY: readonly PrinterColumn[] = [
  {
    name: 'Reason',
    type: 'string',
    jsonPath: '.status.conditions[?(@.type=="Ready")].reason',
    description: 'Why, or why not',
  },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  {
    name: 'Message',
    type: 'string',
    jsonPath: '.status.conditions[?(@.type=="Ready")].message',
    description: 'What to do about it',
    priority: 1,
  },
];
