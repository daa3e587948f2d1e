// The objects that make kcp refuse a delete of the workspace of dep-ctrl. They are in `root`: kcp takes the policies about a bound type from the workspace
// that exports it, and workspaces are of an export of root, wherever they are (D31.3).
import { logicalCluster, type GroupVersionResource, type KubeObject } from '@dep-ctrl/kcp-names';
import { mergeDesired } from '@dep-ctrl/kcp-objects';
import { MANAGED_BY, OWNER_LABEL } from './configuration-labels.js';

/** The workspace that exports workspaces. */
export const PROTECTION_PLACE = logicalCluster('root');

const ADMISSION = { group: 'admissionregistration.k8s.io', version: 'v1' } as const;
/** The types of the objects, what puts the other in force first. */
export const PROTECTION_TYPES = {
  ValidatingAdmissionPolicyBinding: { ...ADMISSION, resource: 'validatingadmissionpolicybindings' },
  ValidatingAdmissionPolicy: { ...ADMISSION, resource: 'validatingadmissionpolicies' },
} as const satisfies Readonly<Record<string, GroupVersionResource>>;

/** The type of one of them. */
export function protectionType({ kind = '' }: KubeObject): GroupVersionResource {
  const type = Object.entries(PROTECTION_TYPES).find(([each]) => each === kind)?.[1];
  if (type === undefined) throw new Error(`"${kind}" is no kind of the protection`);
  return type;
}

/** The name of both, for the logical cluster of the workspace. */
export function protectionName(home: string): string {
  return `dep-ctrl-workspace-${home}`;
}

/** The policy, then the binding that puts it in force. Pure. */
export function homeProtection(home: string): readonly KubeObject[] {
  const labels = { [MANAGED_BY.label]: MANAGED_BY.value, [OWNER_LABEL]: home };
  const metadata = { name: protectionName(home), labels };
  return [
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata,
      spec: {
        // It is asked about every workspace that anybody deletes: should it ever fail, the others go.
        failurePolicy: 'Ignore',
        matchConstraints: {
          resourceRules: [
            { apiGroups: ['tenancy.kcp.io'], apiVersions: ['*'], operations: ['DELETE'], resources: ['workspaces'], scope: '*' },
          ],
        },
        // By the logical cluster: a workspace of the same name elsewhere, or made later, is another one.
        matchConditions: [{ name: 'home-of-dep-ctrl', expression: `oldObject.?spec.?cluster.orValue('') == '${home}'` }],
        validations: [{ expression: 'false', reason: 'Forbidden', message: REFUSAL }],
      },
    },
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata,
      spec: { policyName: metadata.name, validationActions: ['Deny'] },
    },
  ];
}

/** Whether the objects that are there, by kind, are those; `partly` where one is missing or was changed. Pure. */
export function protectionState(found: ReadonlyMap<string, KubeObject>, home: string): 'protected' | 'partly' | 'unprotected' {
  if (found.size === 0) return 'unprotected';
  const isWhole = homeProtection(home).every((wanted) => {
    const observed = found.get(wanted.kind ?? '');
    return observed !== undefined && mergeDesired(observed, wanted) === undefined;
  });
  return isWhole ? 'protected' : 'partly';
}

const REFUSAL = 'every rule of dep-ctrl would go with it: run "dep-ctrl uninstall" for this workspace first';
