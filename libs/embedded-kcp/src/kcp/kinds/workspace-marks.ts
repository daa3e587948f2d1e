// The finalizers, labels and annotations in which kcp's controllers note the progress of a workspace.

/** The finalizer by which a Workspace waits for its logical cluster. */
export const WORKSPACE_FINALIZER = 'core.kcp.io/logicalcluster';
/** The finalizer by which a logical cluster waits for its content. */
export const CONTENT_FINALIZER = 'core.kcp.io/logicalcluster-deletion';
/** The finalizer by which a logical cluster waits for its terminators. */
export const TERMINATOR_FINALIZER = 'kcp.io/has-terminators';
/** The label that repeats the phase. */
export const PHASE_LABEL = 'tenancy.kcp.io/phase';
/** The annotation with the name that its logical cluster will have. */
export const CLUSTER_NOTE = 'internal.tenancy.kcp.io/cluster';
/** The annotation with the hash of the shard's name. */
export const SHARD_NOTE = 'internal.tenancy.kcp.io/shard';
/** The annotation with the shard's name. */
export const SHARD_NAME = 'core.kcp.io/shard';
