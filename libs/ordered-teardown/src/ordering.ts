import type { BoundType } from '@dep-ctrl/exported-types';
import type { KcpError } from '@dep-ctrl/kcp-client';

/** Objects of one type refer to objects of another one. */
export interface TypeEdge {
  readonly from: BoundType;
  readonly to: BoundType;
}

/** The edges among the types of a workspace, and whether there may be more that are not known yet. */
export interface TypeOrder {
  readonly edges: readonly TypeEdge[];
  readonly isComplete: boolean;
}

/** What the operator knows that tears workspaces down. */
export interface Ordering {
  /** Which of these types refer to which; asked at each call. */
  readonly orderOf: (types: readonly BoundType[]) => TypeOrder;
  /** Whether a refused delete says that others still refer to the object, so that it succeeds once they are gone. Default: no refusal does. */
  readonly isReferenced?: (refusal: KcpError) => boolean;
  /** The annotation that, with the value `true`, makes whoever refuses so let an object go, for objects that refer to each other in a circle. Default: none. */
  readonly skipAnnotation?: string;
  /** How an admin gets rights that are missing, as the end of a sentence: `as "my-operator install" does`. */
  readonly hints?: {
    /** The rights on the types of the workspace. */
    readonly onTypes?: string;
    /** The right to list its APIBindings. */
    readonly onBindings?: string;
  };
}
