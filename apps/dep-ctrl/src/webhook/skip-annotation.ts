/** The annotation that lifts the protection of an object when its value is exactly `true`. */
export const SKIP_ANNOTATION = 'dependencies.opendefense.cloud/skip-protection';
