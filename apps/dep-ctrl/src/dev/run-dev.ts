// `dep-ctrl dev`: a kcp, dep-ctrl in it, both roles, the story. Everything ends in the reverse order, also when a step fails or a signal comes.
import { type Connection, Readiness, systemClock, type Stoppable, type Waiting } from '@dep-ctrl/kcp-client';
import type { ExportRef, GroupVersionResource, KubeObject, WorkspacePath } from '@dep-ctrl/kcp-names';
import { WEBHOOK_CONFIGURATIONS } from '@dep-ctrl/webhook-installer';
import { API_EXPORTS, API_RESOURCE_SCHEMAS, deleteIfExists, getIfExists } from '@dep-ctrl/kcp-objects';
import { describeFailure, type World } from '@dep-ctrl/command-settings';
import { bootstrapExport } from '../bootstrap/bootstrap-export.js';
import { HOME_NAMESPACE, OWN_SECRETS } from '../bootstrap/manifests.js';
import { VERSION } from '../command-line/version.js';
import { runConsole } from '../console/run-console.js';
import { runRolesOn } from '../roles/run-roles.js';
import { ADMISSION_CONFIGURATION } from '../own-objects/admission-configuration.js';
import { SECRETS } from '../certificate/shared-secrets.js';
import { loggerFor } from '../telemetry/logger-for.js';
import type { LogFormat, LogLevel } from '../telemetry/winston-logger.js';
import { DEV_PATHS } from './dev-paths.js';
import { writeKubeconfigAside, writeKubeconfigIn } from './kubeconfig-file.js';
import { openKcp, type DevKcp, type KcpChoice } from './open-kcp.js';
import { claimWorkspaces, removeWorkspaces } from './own-workspaces.js';
import { Made } from './made.js';
import { Narrator } from './narrator.js';
import { leaveTheStage, makeWorkspaces, setTheStage, tellTheStory, type Stage } from './story.js';
import { whatToTry } from './what-to-try.js';

/** The settings of `dev`. */
export interface DevSettings {
  readonly dir: string;
  readonly once: boolean;
  readonly empty: boolean;
  readonly kcp: KcpChoice;
  readonly logFormat: LogFormat | undefined;
  readonly logLevel: LogLevel | undefined;
}

// Enough for kcp to tear down four small workspaces, which takes it 10 to 15 s.
const CLEAN_UP_WITHIN_MS = 90_000;

/** Runs `dev` until the end of the story (`--once`) or until it is stopped. Throws if a step of the story fails. */
export async function runDev(settings: DevSettings, world: World): Promise<void> {
  const narrator = new Narrator({ write: (text) => world.stdout.write(text), clock: systemClock });
  const kcp = await openKcp(settings.kcp);
  try {
    narrator.says(`dep-ctrl ${VERSION}: foreign keys for kcp, on ${kcp.description}\n`);
    narrator.tell(`kcp answers at ${kcp.connection.baseUrl}`);
    const own = await ownWorkspaces(kcp, settings, world);
    await withKubeconfig(kcp, settings, (kubeconfig) => onKcp({ kcp, own, kubeconfig, settings, narrator, world }));
  } finally {
    await kcp.close();
  }
  if (settings.once && world.signal.aborted) throw new Error('interrupted');
}

interface Dev {
  readonly kcp: DevKcp;
  /** Workspaces to remove at the end; undefined if the whole kcp ends. */
  readonly own: readonly WorkspacePath[] | undefined;
  /** The file for people who try things; undefined with `--once`. */
  readonly kubeconfig: string | undefined;
  readonly settings: DevSettings;
  readonly narrator: Narrator;
  readonly world: World;
}

async function onKcp(dev: Dev): Promise<void> {
  const { kcp, own, narrator, world } = dev;
  const { connection } = kcp;
  const options = { clock: systemClock, signal: world.signal };
  const home = new Made();
  const made = new Made();
  const work = async () => {
    const depCtrlExport = await narrator.during(`making ${DEV_PATHS.depCtrl}`, () => makeHome(connection, home, options));
    narrator.tell(`${depCtrlExport.path} exports ${depCtrlExport.name}`);
    await whileRolesRun(dev, depCtrlExport, (signal) =>
      live(dev, { connection, depCtrlExport, narrator, made, clock: systemClock, signal }),
    );
  };
  if (own === undefined) return work();
  await finallyTelling(work, narrator, async () => {
    const patience = { clock: systemClock, signal: AbortSignal.timeout(CLEAN_UP_WITHIN_MS) };
    const undos = home.undosBeside(own);
    const workspaces = own.filter((path) => home.hasMade(path) || made.hasMade(path));
    if (undos.length + workspaces.length === 0) return;
    await narrator.during(['removing', workspaces.join(', ') || 'what was made'].join(' '), async () => {
      for (const undo of undos) await undo(patience);
      await removeWorkspaces(connection, workspaces, patience);
    });
    narrator.tell('everything that was made is gone again');
  });
}

/** As `try` and `finally`, but throws the first failure. A failed clean-up is printed. */
async function finallyTelling(work: () => Promise<void>, narrator: Narrator, cleanUp: () => Promise<void>): Promise<void> {
  const [worked] = await Promise.allSettled([work()]);
  const [cleaned] = await Promise.allSettled([cleanUp()]);
  if (worked.status === 'fulfilled') {
    if (cleaned.status === 'rejected') throw cleaned.reason;
    return;
  }
  if (cleaned.status === 'rejected') narrator.tell(`not everything that was made could be removed: ${describeFailure(cleaned.reason)}`);
  throw worked.reason;
}

/** The export of dep-ctrl, and a note of all that it took; Secrets and the check of rules are made by the roles. */
async function makeHome(connection: Connection, home: Made, options: Waiting): Promise<ExportRef> {
  const path = DEV_PATHS.depCtrl;
  const client = connection.cluster(path);
  const remove = (type: GroupVersionResource, metadata: KubeObject['metadata']) => (each: Stoppable) =>
    deleteIfExists(client, type, metadata, each);
  const depCtrlExport = await bootstrapExport({
    connection,
    path,
    ...options,
    adopt: true,
    onCreated: (each) => home.noteWorkspace(each),
    onEnsured: (kind, name, ensured) => {
      if (kind === 'APIExport') home.note(ensured, path, remove(API_EXPORTS, { name }));
      if (kind === 'APIResourceSchema') home.note(ensured, path, remove(API_RESOURCE_SCHEMAS, { name }));
    },
  });
  const byRoles = [
    ...OWN_SECRETS.map((name) => ({ type: SECRETS, ref: { name, namespace: HOME_NAMESPACE } })),
    { type: WEBHOOK_CONFIGURATIONS, ref: { name: ADMISSION_CONFIGURATION } },
  ];
  for (const { type, ref } of byRoles) {
    const isThere = (await getIfExists(client, type, ref, options)) !== undefined;
    home.note(isThere ? 'unchanged' : 'created', path, remove(type, ref));
  }
  return depCtrlExport;
}

/** The story and what follows, while both roles run. */
async function live(dev: Dev, stage: Stage): Promise<void> {
  const { settings, own, narrator } = dev;
  const tell = async () => {
    if (!settings.empty) {
      await makeWorkspaces(stage);
      await setTheStage(stage);
      await tellTheStory(stage);
    }
    if (dev.kubeconfig === undefined) return;
    await serveConsole(dev, dev.kubeconfig, stage.signal);
  };
  if (own === undefined) return tell();
  // While the controller still runs: it takes its own objects out of the providers' workspaces when these unbind.
  await finallyTelling(tell, narrator, () => leaveTheStage({ ...stage, signal: AbortSignal.timeout(CLEAN_UP_WITHIN_MS) }, own));
}

/** Serves the console, and says what to try, until the signal. */
async function serveConsole({ settings, own, narrator, world }: Dev, kubeconfig: string, signal: AbortSignal): Promise<void> {
  const { empty, logFormat, logLevel } = settings;
  const served = { address: { host: '127.0.0.1', port: 0 }, open: false, urlTokenFile: undefined };
  const told = { kubeconfig, context: undefined, workspace: DEV_PATHS.depCtrl, ...served, logFormat, logLevel };
  const print = (address: string): void => narrator.says(whatToTry({ kubeconfig, empty, inMemory: own === undefined, console: address }));
  await runConsole(told, { ...world, signal }, { clock: systemClock, print });
}

async function whileRolesRun(
  { kcp, settings, world, narrator }: Dev,
  depCtrlExport: ExportRef,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stopRoles = new AbortController();
  const stopWork = new AbortController();
  const roles = runRolesOn({
    connection: kcp.connection,
    home: { exportName: depCtrlExport.name, workspace: kcp.connection.cluster(depCtrlExport.path) },
    roles: { controller: { leaderElect: false }, webhook: { port: 0, host: '127.0.0.1', maxRuleAgeMs: 30_000 } },
    files: {},
    readiness: new Readiness(),
    logger: loggerFor(settings, world, 'error'),
    signal: stopRoles.signal,
  });
  narrator.tell('controller and webhook run in this process');
  const worked = work(AbortSignal.any([world.signal, stopWork.signal])).finally(() => stopRoles.abort());
  // The first of the two that fails stops the other. Both are awaited, and the first failure is told.
  const failures = (await Promise.allSettled([worked, roles.finally(() => stopWork.abort())])).flatMap((each) =>
    each.status === 'rejected' ? [each.reason as unknown] : [],
  );
  if (failures.length > 0 && !world.signal.aborted) throw failures[0];
}

function ownWorkspaces({ connection }: DevKcp, { kcp }: DevSettings, { signal }: World): Promise<readonly WorkspacePath[] | undefined> {
  if (kcp.kind === 'embedded') return Promise.resolve(undefined);
  return claimWorkspaces(connection, { adopt: kcp.adopt, clock: systemClock, signal });
}

/** Keeps the kubeconfig in a file for as long as people can use it. */
async function withKubeconfig(
  { kubeconfig }: DevKcp,
  { kcp, dir, once: isOnce }: DevSettings,
  work: (file: string | undefined) => Promise<void>,
): Promise<void> {
  if (isOnce) return work(undefined);
  const file = await (kcp.kind === 'embedded' ? writeKubeconfigIn(dir, kubeconfig) : writeKubeconfigAside(kubeconfig));
  try {
    await work(file.path);
  } finally {
    await file.remove();
  }
}
