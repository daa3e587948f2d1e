// Resources that a real kcp serves and this server does not. They get an answer of their own: a 404 would look like "not there".
const GAPS: Readonly<Record<string, string>> = {
  'admissionregistration.k8s.io/mutatingadmissionpolicies': 'MutatingAdmissionPolicies',
  'admissionregistration.k8s.io/mutatingadmissionpolicybindings': 'MutatingAdmissionPolicies',
  'certificates.k8s.io/certificatesigningrequests': 'CertificateSigningRequests',
  'apis.kcp.io/apiconversions': 'APIConversions',
  'cache.kcp.io/cachedresources': 'cached resources',
  'cache.kcp.io/cachedresourceendpointslices': 'cached resources',
  'cache.kcp.io/cachedobjects': 'cached resources',
  'migration.kcp.io/logicalclustermigrations': 'the migration of logical clusters',
  'migration.kcp.io/logicalclusterdumps': 'the migration of logical clusters',
};

/** The answer for a resource that is left out on purpose; undefined: there is none. */
export function gapOf(group: string, resource: string): string | undefined {
  const key = `${group}/${resource}`;
  return Object.hasOwn(GAPS, key) ? GAPS[key] : undefined;
}
