import type { GroupVersionResource } from '@dep-ctrl/kcp-names';

/** The group of both kinds. */
export const API_GROUP = 'dependencies.opendefense.cloud';

/** The one version of both kinds. */
export const API_VERSION = 'v1alpha1';

/** The name of the APIExport that serves both kinds. */
export const EXPORT_NAME = API_GROUP;

/** DependencyRules, as requests name them. */
export const RULES: GroupVersionResource = { group: API_GROUP, version: API_VERSION, resource: 'dependencyrules' };

/** DependencyGuards, as requests name them. */
export const GUARDS: GroupVersionResource = { group: API_GROUP, version: API_VERSION, resource: 'dependencyguards' };

/** An object with this annotation set to `true` may be deleted whatever refers to it. */
export const SKIP_ANNOTATION = `${API_GROUP}/skip-protection`;

/** The one name that a guard may have, and the name of the configuration beside it. */
export const GUARD_NAME = 'dependency-controller';

/** Holds a guard until the configuration beside it is gone. On guards only, never on anything else. */
export const GUARD_FINALIZER = `${API_GROUP}/configuration`;
