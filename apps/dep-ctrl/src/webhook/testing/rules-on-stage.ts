// Rules that specs write on the stage of the webhook role, through kcp's API.
import { isKcpError } from '@dep-ctrl/kcp-client';
import type { KubeObject, WorkspacePath } from '@dep-ctrl/kcp-names';
import { until } from '@dep-ctrl/kcp-objects';
import { RULES } from '@dep-ctrl/rule-registry';
import { WEBHOOK_CONFIGURATIONS } from '@dep-ctrl/webhook-installer';
import { desiredAdmission } from '../../controller/rule-admission/desired-admission.js';
import { VIRTUAL_MACHINES, vmDependencies } from '../../dev/provider-manifests.js';
import { ADMISSION_CONFIGURATION } from '../../own-objects/admission-configuration.js';
import { PATHS, patience, type RoleStage } from './role-stage.js';

/** How kcp answered a write of a rule. */
export interface Written {
  readonly status: number;
  readonly message: string;
  readonly warnings: readonly string[];
}

/** A rule that no schema refuses: it says each of its dependencies twice. */
export function twice({ spec, metadata, ...rule }: KubeObject): KubeObject {
  const { dependencies, ...others } = spec as { readonly dependencies: readonly object[] };
  return { ...rule, metadata: { ...metadata, name: 'twice' }, spec: { ...others, dependencies: [...dependencies, ...dependencies] } };
}

/** A rule of the compute provider about its own virtual machines; answers how to remove it. */
export async function addRuleAboutMachines({ connection, compute }: RoleStage, name: string): Promise<() => Promise<void>> {
  const { metadata, ...rule } = vmDependencies(PATHS.compute);
  const spec = rule['spec'] as { readonly dependencies: readonly object[] };
  const apiExportRef = { path: PATHS.compute, name: VIRTUAL_MACHINES.group };
  const dependencies = spec.dependencies.map((dependency) => ({ ...dependency, ...VIRTUAL_MACHINES, apiExportRef }));
  const client = connection.cluster(compute);
  await client.create(RULES, { ...rule, metadata: { ...metadata, name }, spec: { ...spec, dependencies } }, { signal: patience.signal });
  return () => client.delete(RULES, { name }, { signal: patience.signal });
}

/** Has kcp ask the role about rules and guards as they are written, from now on. */
export async function checkRules(stage: RoleStage, urlToken?: string): Promise<void> {
  const { connection, port, caBundle } = stage;
  const webhookUrl = `https://127.0.0.1:${String(port)}/validate`;
  const { webhooks } = desiredAdmission({ webhookUrl, caBundle, ...(urlToken !== undefined && { urlToken }) });
  const type = { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration' };
  const configuration = { ...type, metadata: { name: ADMISSION_CONFIGURATION }, webhooks };
  await connection.cluster(PATHS.depCtrl).create(WEBHOOK_CONFIGURATIONS, configuration, { signal: patience.signal });
  await until(
    'the configuration acting',
    async () => {
      const { status } = await writeRule(stage, 'POST', PATHS.compute, twice(vmDependencies(PATHS.network)));
      return status === 422 ? { done: true } : { waitingFor: `HTTP ${String(status)}` };
    },
    patience,
  );
}

/** Writes a rule in a dry run, and answers as kcp does. */
export async function writeRule(
  { connection }: RoleStage,
  method: 'POST' | 'PUT',
  path: WorkspacePath,
  rule: KubeObject,
): Promise<Written> {
  const name = method === 'PUT' ? `/${rule.metadata.name ?? ''}` : '';
  const url = `${connection.baseUrl}/clusters/${path}/apis/${RULES.group}/${RULES.version}/${RULES.resource}${name}?dryRun=All`;
  const request = { method, url, asked: `write a rule in ${path}`, contentType: 'application/json', body: JSON.stringify(rule) } as const;
  try {
    const { status, headers } = await connection.request(request, { signal: patience.signal });
    const { warning = [] } = headers;
    return { status, message: '', warnings: [warning].flat().flatMap((text) => text.split(/, (?=299 - )/)) };
  } catch (error) {
    if (!isKcpError(error) || error.status === undefined) throw error;
    return { status: error.status, message: error.statusBody?.message ?? '', warnings: [] };
  }
}
