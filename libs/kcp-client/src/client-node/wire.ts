/**
 * A generated type as its objects are on the wire, and as `ClusterClient` takes and gives them: times are text, and nothing is written to. For types only:
 * `import type { Wire } from '@dep-ctrl/kcp-client/client-node'`.
 */
export type Wire<T> = T extends Date
  ? string
  : T extends readonly (infer E)[]
    ? readonly Wire<E>[]
    : T extends object
      ? { readonly [K in keyof T]: Wire<T[K]> }
      : T;
