/** What lets an object go although it is referred to, where its value is "true". */
export const SKIP_ANNOTATION = 'dependencies.opendefense.cloud/skip-protection';

/** A patch with this value of the annotation. */
export function skipping(value = 'true') {
  return { metadata: { annotations: { [SKIP_ANNOTATION]: value } } };
}
