/** How one case ended on one backend. */
export type Outcome =
  | { readonly state: 'passed'; readonly ms: number }
  | { readonly state: 'failed'; readonly ms: number; readonly problem: string }
  | { readonly state: 'skipped'; readonly why: string };

/** What a case measured, in words. */
export interface Figure {
  readonly test: string;
  readonly says: string;
}

/** What can be run and named in a table. */
export interface Titled {
  readonly id: string;
  readonly title: string;
}

/** The outcomes of one backend by case id, or why it was not exercised. */
export interface BackendResult {
  readonly backend: string;
  readonly version?: string;
  readonly seconds?: number;
  readonly outcomes: ReadonlyMap<string, Outcome>;
  readonly figures?: readonly Figure[];
  /** Set when it did not run at all: this machine lacks something, or it would not start. */
  readonly notExercised?: { readonly why: string; readonly broken: boolean };
}
