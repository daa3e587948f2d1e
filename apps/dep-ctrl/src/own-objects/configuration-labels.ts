/** Names the logical cluster of the export that owns an object of ours; `uninstall` and the orphan sweep find them by it. */
export const OWNER_LABEL = 'dependencies.opendefense.cloud/export-cluster';

/** The label that names the program which manages an object, for people and tools. */
export const MANAGED_BY = { label: 'app.kubernetes.io/managed-by', value: 'dep-ctrl' } as const;
