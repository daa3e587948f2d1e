/** Any JSON object of which only some fields are known here. */
export type Tree = Readonly<Record<string, unknown>>;

/** Metadata of an object or a list, as far as tests read it. */
export interface KubeMeta {
  readonly name?: string;
  readonly namespace?: string;
  readonly generateName?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly Tree[];
  readonly managedFields?: readonly Tree[];
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

/**
 * What a Kubernetes server puts into a body: an object, a list, a Table, a Status or a discovery document in one loose type.
 * Nothing is checked: a case reads a field and asserts what it should be, and a missing one fails that assertion.
 */
export interface KubeBody {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: KubeMeta;
  readonly spec?: Tree;
  /** An object's status; in a Status body the text `Success` or `Failure`. */
  readonly status?: unknown;
  readonly data?: Readonly<Record<string, string>>;
  readonly items?: readonly KubeBody[];
  readonly message?: string;
  readonly reason?: string;
  readonly code?: number;
  readonly details?: {
    readonly name?: string;
    readonly group?: string;
    readonly kind?: string;
    readonly uid?: string;
    readonly retryAfterSeconds?: number;
    readonly causes?: readonly { readonly reason?: string; readonly message?: string; readonly field?: string }[];
  };
  readonly columnDefinitions?: readonly Tree[];
  readonly rows?: readonly { readonly cells: readonly unknown[]; readonly object?: KubeBody | null }[];
  readonly resources?: readonly Tree[];
  readonly groups?: readonly Tree[];
  readonly versions?: readonly unknown[];
}

/** Follows a path of names and positions through JSON; `undefined` where it leads nowhere. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let here: unknown = value;
  for (const step of path) {
    if (typeof here !== 'object' || here === null) return undefined;
    here = (here as Record<string | number, unknown>)[step];
  }
  return here;
}
