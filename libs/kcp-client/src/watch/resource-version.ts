/**
 * Whether a resource version is behind another one, of the same server. Kubernetes promises that they are decimal numbers which grow;
 * of others all that can be said is whether they differ.
 */
export function isNewer(resourceVersion: string, than: string): boolean {
  if (!isDecimal(resourceVersion) || !isDecimal(than)) return resourceVersion !== than;
  return resourceVersion.length === than.length ? resourceVersion > than : resourceVersion.length > than.length;
}

function isDecimal(text: string): boolean {
  return /^(0|[1-9]\d*)$/u.test(text);
}
