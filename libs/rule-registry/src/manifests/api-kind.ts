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
