import { systemClock, type Connection } from '@dep-ctrl/kcp-client';
import { ensureObject, ensureWorkspace, patiently } from '@dep-ctrl/kcp-objects';
import { bindExport } from '@dep-ctrl/exported-types';
import { DEV_PARENTS, DEV_PATHS } from '../dev/dev-paths.js';
import { computeProvider, networkProvider, VIRTUAL_MACHINES, virtualMachine, vpc, VPCS } from '../dev/provider-manifests.js';
import { exportType } from './export-type.js';

const options = () => ({ signal: AbortSignal.timeout(60_000), clock: systemClock, timeoutMs: 60_000 });

/** The workspaces of two providers with an export each, and that of a team that binds both: its VPC `my-vpc`, and the machine `my-vm` that refers to it. */
export async function makeReferringMachine(admin: Connection): Promise<void> {
  const { network, compute, teamA } = DEV_PATHS;
  for (const path of [...DEV_PARENTS, network, compute, teamA]) await ensureWorkspace(admin, path, options());
  await exportType(admin.cluster(network), networkProvider(), options());
  await exportType(admin.cluster(compute), computeProvider(), options());
  const team = admin.cluster(teamA);
  await bindExport(team, { export: { path: network, name: VPCS.group }, claims: [] }, options());
  await bindExport(team, { export: { path: compute, name: VIRTUAL_MACHINES.group }, claims: [] }, options());
  await patiently('the VPC', () => ensureObject(team, VPCS, vpc('my-vpc'), options()), options());
  await patiently('the machine', () => ensureObject(team, VIRTUAL_MACHINES, virtualMachine('my-vm', 'my-vpc'), options()), options());
}
