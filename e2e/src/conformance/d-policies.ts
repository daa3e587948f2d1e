import { deepEqual, equal } from 'node:assert/strict';
import { at, type Tree } from '../https/kube-body.js';
import { eventually } from '../stage/eventually.js';
import { consumer, corner, network } from '../stage/exports.js';
import { vpc } from '../stage/example-types.js';
import type { Stage, Workspace } from '../stage/stage.js';
import type { ConformanceCase } from './conformance-case.js';

const ADMISSION = '/apis/admissionregistration.k8s.io/v1';
const NETWORK_VPCS = { apiGroups: ['network.example.com'], apiVersions: ['*'], operations: ['DELETE'], resources: ['vpcs'] };
const WORKSPACES = { apiGroups: ['tenancy.kcp.io'], apiVersions: ['*'], operations: ['DELETE'], resources: ['workspaces'] };

/** D: ValidatingAdmissionPolicies, which kcp takes from the same place as webhooks. */
export const policies: readonly ConformanceCase[] = [
  {
    id: 'D31.1',
    title: 'a policy that is bound in the exporting workspace refuses in every consumer, in its own words',
    run: async (kcp) => {
      const name = kcp.unique('kept');
      const { vpcs } = await corner(kcp);
      (await kcp.admin.post(vpcs, vpc(name))).expect(201);
      await writePolicy(kcp, (await network(kcp)).workspace, name, {
        rule: NETWORK_VPCS,
        expression: `oldObject.metadata.name == '${name}'`,
      });

      const { body } = await eventually('it refuses', async () => (await kcp.admin.delete(`${vpcs}/${name}?dryRun=All`)).expect(403));

      const says = `ValidatingAdmissionPolicy '${name}' with binding '${name}' denied request: it is kept`;
      equal(body.message, `vpcs.network.example.com "${name}" is forbidden: ${says}`);
      equal(body.reason, 'Forbidden');
      deepEqual(at(body, 'details', 'causes'), [{ message: says }]);
    },
  },
  {
    id: 'D31.2',
    title:
      'a policy that is not bound, and one of the consumer itself, refuse nothing; one whose condition breaks does what it says for that',
    run: async (kcp) => {
      const [provider, workspace] = [(await network(kcp)).workspace, await consumer(kcp)];
      const [free, kept] = [kcp.unique('free'), kcp.unique('kept')];
      const vpcs = `${workspace.at}/apis/network.example.com/v1/namespaces/default/vpcs`;
      for (const name of [free, kept]) (await kcp.admin.post(vpcs, vpc(name))).expect(201);
      const isFree = `oldObject.metadata.name == '${free}'`;
      await writePolicy(kcp, workspace, kcp.unique('own'), { rule: NETWORK_VPCS, expression: isFree });
      await writePolicy(kcp, provider, kcp.unique('unbound'), { rule: NETWORK_VPCS, expression: isFree, isBound: false });
      const breaks = `oldObject.metadata.name == '${free}' && oldObject.spec.nothing == 'a'`;
      await writePolicy(kcp, provider, kcp.unique('breaks'), { rule: NETWORK_VPCS, expression: breaks, failurePolicy: 'Ignore' });
      await writePolicy(kcp, provider, kept, { rule: NETWORK_VPCS, expression: `oldObject.metadata.name == '${kept}'` });

      await eventually('what came last is in force', async () => void (await kcp.admin.delete(`${vpcs}/${kept}?dryRun=All`)).expect(403));

      (await kcp.admin.delete(`${vpcs}/${free}`)).expect(200);
    },
  },
  {
    id: 'D31.3',
    title: 'of workspaces only a policy in root decides, whichever workspace they are in; it keeps the content of a parent that is deleted',
    run: async (kcp) => {
      const parent = await kcp.workspace();
      const child = await kcp.workspace({ parent: parent.path });
      const { root, workspaces } = { root: { at: '/clusters/root' }, workspaces: '/apis/tenancy.kcp.io/v1alpha1/workspaces' };
      const one = `${parent.at}${workspaces}/${nameOf(child)}`;
      const expression = `oldObject.?spec.?cluster.orValue('') == '${child.cluster}'`;
      const [own, kept] = [kcp.unique('own'), kcp.unique('kept')];
      await writePolicy(kcp, parent, own, { rule: WORKSPACES, expression });
      (await kcp.admin.get(`${parent.at}${ADMISSION}/validatingadmissionpolicies/${own}`)).expect(200);
      (await kcp.admin.delete(`${one}?dryRun=All`)).expect(200);

      await writePolicy(kcp, root, kept, { rule: WORKSPACES, expression });
      try {
        await eventually('it is kept', async () => void (await kcp.admin.delete(`${one}?dryRun=All`)).expect(403));
        (await kcp.admin.delete(`/clusters/root${workspaces}/${nameOf(parent)}`)).expect(200);
        await eventually('the parent goes', async () => {
          const { body } = (await kcp.admin.get(`/clusters/root${workspaces}/${nameOf(parent)}`)).expect(200);
          if (at(body, 'metadata', 'deletionTimestamp') === undefined) throw new Error('not yet');
        });
        (await kcp.admin.get(one)).expect(200);
      } finally {
        for (const type of ['validatingadmissionpolicybindings', 'validatingadmissionpolicies'])
          (await kcp.admin.delete(`/clusters/root${ADMISSION}/${type}/${kept}`)).expect(200);
      }
    },
  },
];

function nameOf({ path }: Workspace): string {
  return path.split(':').at(-1) ?? '';
}

interface PolicyWish {
  readonly rule: Tree;
  /** Whom it is about. */
  readonly expression: string;
  readonly isBound?: boolean;
  readonly failurePolicy?: 'Fail' | 'Ignore';
}

async function writePolicy(
  { admin }: Stage,
  { at: where }: Pick<Workspace, 'at'>,
  name: string,
  { rule, expression, isBound = true, failurePolicy = 'Fail' }: PolicyWish,
): Promise<void> {
  const policy = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec: {
      failurePolicy,
      matchConstraints: { resourceRules: [rule] },
      matchConditions: [{ name: 'about', expression }],
      validations: [{ expression: 'false', reason: 'Forbidden', message: 'it is kept' }],
    },
  };
  const { body } = (await admin.post(`${where}${ADMISSION}/validatingadmissionpolicies`, policy)).expect(201);
  const constraints = { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {}, resourceRules: [{ ...rule, scope: '*' }] };
  deepEqual(at(body, 'spec', 'matchConstraints'), constraints);
  if (!isBound) return;
  const binding = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name },
    spec: { policyName: name, validationActions: ['Deny'] },
  };
  (await admin.post(`${where}${ADMISSION}/validatingadmissionpolicybindings`, binding)).expect(201);
}
