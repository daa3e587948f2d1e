/** A Kubernetes of one node, where dep-ctrl is installed as docs/kubernetes.md says; kcp is outside of it. */
export interface Cluster {
  /** Where kcp, and whoever else is outside, reaches the ports of the node. */
  readonly nodeAddress: string;
  /** The image of dep-ctrl that the node has. */
  readonly image: { readonly repository: string; readonly tag: string };
  /** Runs kubectl as its admin; answers what it printed, throws what it complained of. */
  kubectl(...args: readonly string[]): Promise<string>;
  /** Runs helm as its admin, in the same way. */
  helm(...args: readonly string[]): Promise<string>;
}
