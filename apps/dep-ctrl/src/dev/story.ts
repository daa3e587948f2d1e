// The story: a VPC that a virtual machine uses cannot be deleted; once the machine is gone, it can. Every step checks its result and throws if it is
// wrong, so the story is also a test of the whole system.
import type { Clock, Connection, Stoppable } from '@dep-ctrl/kcp-client';
import type { ExportRef, GroupVersionResource, KubeObject, WorkspacePath } from '@dep-ctrl/kcp-names';
import { RULES } from '@dep-ctrl/rule-registry';
import {
  API_EXPORTS,
  API_RESOURCE_SCHEMAS,
  deleteIfExists,
  ensureObject,
  ensureWorkspace,
  isRefusal,
  type Patience,
  patiently,
  type Probed,
  until,
} from '@dep-ctrl/kcp-objects';
import { bindDepCtrl } from '../bind/bind-dep-ctrl.js';
import { bindExport, unbindExport } from '@dep-ctrl/exported-types';
import { DEV_PARENTS, DEV_PATHS } from './dev-paths.js';
import type { Made } from './made.js';
import type { Narrator } from './narrator.js';
import { probeProtection, refusedDelete, remove } from './story-deletes.js';
import {
  VIRTUAL_MACHINES,
  VPCS,
  computeProvider,
  networkProvider,
  virtualMachine,
  vmDependencies,
  vpc,
  type ProviderManifests,
} from './provider-manifests.js';

/** What the story needs: a kcp with dep-ctrl's export in place and both roles running. */
export interface Stage {
  readonly connection: Connection;
  readonly depCtrlExport: ExportRef;
  readonly narrator: Narrator;
  /** Notes the objects that are made, so that they can be removed at the end. */
  readonly made: Made;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

// A fresh kcp needs up to 9 s until a new type is served.
const PATIENCE_MS = 45_000;

/** Makes the workspaces of the story. */
export async function makeWorkspaces({ connection, narrator, made, clock, signal }: Stage): Promise<void> {
  const options = { clock, signal, onCreated: (path: WorkspacePath) => made.noteWorkspace(path) };
  const make = (paths: readonly WorkspacePath[]) =>
    narrator.during(`making ${paths.join(', ')}`, () => Promise.all(paths.map((path) => ensureWorkspace(connection, path, options))));
  const { teamA, teamB, network, compute } = DEV_PATHS;
  await make(DEV_PARENTS);
  await make([network, compute, teamA, teamB]);
  narrator.tell(`two providers, ${network} and ${compute}, and two teams that use them, ${teamA} and ${teamB}`);
}

/** Two providers, their rule, two teams that use both. */
export async function setTheStage(stage: Stage): Promise<void> {
  const { connection, narrator, depCtrlExport } = stage;
  const { network, compute, teamA, teamB } = DEV_PATHS;
  await narrator.during('exporting the types of both providers', () =>
    Promise.all([exportType(stage, network, networkProvider()), exportType(stage, compute, computeProvider())]),
  );
  narrator.tell(`the network provider exports ${VPCS.resource}, the compute provider exports ${VIRTUAL_MACHINES.resource}`);

  await narrator.during('waiting for both providers to bind dep-ctrl', () =>
    Promise.all(
      [network, compute].map(async (path) => {
        const client = connection.cluster(path);
        stage.made.noteHeld(await bindDepCtrl(client, depCtrlExport, stage), path, (options) =>
          unbindExport(client, depCtrlExport, options),
        );
      }),
    ),
  );
  narrator.tell('both providers bind dep-ctrl and let it keep one webhook configuration in their workspaces');

  await narrator.during('waiting until kcp takes the rule', () =>
    patiently('the rule', () => makeHeld(stage, compute, RULES, vmDependencies(network)), patience(stage)),
  );
  narrator.tell('the compute provider declares: VirtualMachine .spec.vpcRef.name refers to vpcs of the network provider');

  await narrator.during('waiting for both teams to bind network and compute', () =>
    Promise.all([teamA, teamB].map((path) => bindBoth(stage, path))),
  );
  narrator.tell('team-a and team-b bind network and compute');

  const targets = await narrator.during('waiting for the rule to get ready', () =>
    until('the rule getting ready', (each) => probeRule(stage, each), patience(stage)),
  );
  narrator.tell(`the rule is ready, its webhook configuration is written for ${targets}`);
}

/** The story itself, in team-a; team-b gets the same objects and keeps them. */
export async function tellTheStory(stage: Stage): Promise<void> {
  const { narrator } = stage;
  await narrator.during('waiting until kcp takes objects of the new types', async () => {
    await createPair(stage, DEV_PATHS.teamB);
    await createPair(stage, DEV_PATHS.teamA);
  });
  narrator.types('team-a', 'kubectl create -f my-vpc.yaml -f my-vm.yaml');
  narrator.answers('vpc.network.example.com/my-vpc created\nvirtualmachine.compute.example.com/my-vm created');

  await narrator.during('waiting until kcp asks the webhook', () =>
    until('the refusal', (each) => probeProtection(stage.connection, each), patience(stage)),
  );
  narrator.types('team-a', 'kubectl delete vpc my-vpc');
  narrator.answers(await refusedDelete(stage.connection, VPCS, 'my-vpc', stage));

  narrator.types('team-a', 'kubectl delete virtualmachine my-vm');
  await remove(stage.connection, VIRTUAL_MACHINES, 'my-vm', patience(stage));
  narrator.answers('virtualmachine.compute.example.com "my-vm" deleted');

  narrator.types('team-a', 'kubectl delete vpc my-vpc');
  await remove(stage.connection, VPCS, 'my-vpc', patience(stage));
  narrator.answers('vpc.network.example.com "my-vpc" deleted');
}

/**
 * Takes everything back that was made and would not go with the `removed` workspaces, newest first, so that nothing holds anything else: the
 * teams' objects, the rule, the providers' bindings to dep-ctrl (the controller then removes what it keeps there).
 */
export async function leaveTheStage(stage: Stage, removed: readonly WorkspacePath[]): Promise<void> {
  const undos = stage.made.undosBeside(removed);
  if (undos.length > 0) stage.narrator.tell('taking back what was made');
  let left = undos.length;
  await stage.narrator.during(
    () => `taking back what was made: ${left} of ${undos.length} steps left`,
    async () => {
      for (const undo of undos) {
        await ifThere(() => undo(stage));
        left -= 1;
      }
    },
  );
}

// A story that broke early has not made everything.
async function ifThere(remove: () => Promise<unknown>): Promise<void> {
  try {
    await remove();
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
}

async function exportType(stage: Stage, path: WorkspacePath, { schema, apiExport }: ProviderManifests): Promise<void> {
  const client = stage.connection.cluster(path);
  await patiently(
    `exporting from "${path}"`,
    async () => {
      for (const [type, object] of [
        [API_RESOURCE_SCHEMAS, schema],
        [API_EXPORTS, apiExport],
      ] as const) {
        stage.made.note(await ensureObject(client, type, object, stage), path, (options) =>
          deleteIfExists(client, type, object.metadata, options),
        );
      }
    },
    patience(stage),
  );
}

async function bindBoth(stage: Stage, path: WorkspacePath): Promise<void> {
  const client = stage.connection.cluster(path);
  const { network, compute } = DEV_PATHS;
  const exports = [
    { path: network, name: VPCS.group },
    { path: compute, name: VIRTUAL_MACHINES.group },
  ];
  await Promise.all(
    exports.map(async (each) => {
      const ensured = await bindExport(client, { export: each, claims: [] }, stage);
      stage.made.note(ensured, path, (options) => unbindExport(client, each, options));
    }),
  );
}

async function createPair(stage: Stage, path: WorkspacePath): Promise<void> {
  await patiently(
    `creating objects in "${path}"`,
    async () => {
      await makeHeld(stage, path, VPCS, vpc('my-vpc'));
      await makeHeld(stage, path, VIRTUAL_MACHINES, virtualMachine('my-vm', 'my-vpc'));
    },
    patience(stage),
  );
}

async function makeHeld(stage: Stage, path: WorkspacePath, type: GroupVersionResource, object: KubeObject): Promise<void> {
  const client = stage.connection.cluster(path);
  const ensured = await ensureObject(client, type, object, stage);
  stage.made.noteHeld(ensured, path, (options) => deleteIfExists(client, type, object.metadata, options));
}

async function probeRule({ connection }: Stage, options: Stoppable): Promise<Probed<string>> {
  const rule = await connection.cluster(DEV_PATHS.compute).get(RULES, { name: 'vm-dependencies' }, options);
  const { conditions = [], targets = [] } = (rule['status'] ?? {}) as RuleStatusShape;
  if (conditions.some(({ type, status }) => type === 'Ready' && status === 'True')) {
    return { done: targets.map(({ path, resource }) => `${resource ?? ''} of ${path ?? ''}`).join(', ') };
  }
  const missing = conditions.filter(({ status }) => status !== 'True').map(({ type, message }) => `${type}: ${message ?? 'not yet'}`);
  return { waitingFor: missing.length === 0 ? 'it has no status yet' : missing.join('; ') };
}

interface RuleStatusShape {
  readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message?: string }[];
  readonly targets?: readonly { readonly path?: string; readonly resource?: string }[];
}

function patience({ clock, signal }: Stage): Patience {
  return { clock, signal, timeoutMs: PATIENCE_MS };
}
