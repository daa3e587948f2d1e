// `dep-ctrl rotate-token`: another secret behind the webhook URLs. A process accepts the new one before any URL has it, and the old one until no URL has
// it, so that no delete goes unanswered on the way. Where it ends early, both are accepted, and running it again begins anew.
import { randomBytes } from 'node:crypto';
import { systemClock, type Clock } from '@dep-ctrl/kcp-client';
import type { UrlSecret } from '@dep-ctrl/admission-server';
import type { WorkspacePath } from '@dep-ctrl/kcp-names';
import { describeFailure, type World } from '@dep-ctrl/command-settings';
import type { ConnectionSettings } from '../command-line/connect.js';
import type { Asker } from '../installation/ask-server.js';
import { connectAsker } from '../installation/connect-asker.js';
import type { InstallationFacts } from '../installation/facts.js';
import { leaseView } from '../installation/lease-view.js';
import { readInstallation } from '../installation/read-installation.js';
import { statusOf } from '../installation/read-webhooks.js';
import { wholeInstallation } from '../installation/whole-installation.js';
import { hiddenWorkspaces, installedSecrets, type InstalledSecret } from './installed-secrets.js';
import { secretSteps, type SecretSteps } from './secret-lines.js';
import { fileStore, secretStore, type TokenStore } from './token-store.js';

/** What `rotate-token` is told. */
export interface RotateTokenSettings extends ConnectionSettings {
  readonly workspace: WorkspacePath;
  /** Undefined: the Secret that `all` keeps. */
  readonly urlTokenFile: string | undefined;
  /** What it takes every process, and every shard, to see what was written. */
  readonly settleMs: number;
  readonly timeoutMs: number;
  readonly leaveHidden: boolean;
}

interface Rotation {
  readonly settings: RotateTokenSettings;
  readonly store: TokenStore;
  readonly steps: SecretSteps;
  readonly look: () => Promise<Look>;
  readonly tell: (line: string) => void;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

interface Look {
  readonly installation: InstallationFacts;
  readonly nowMs: number;
}

const LOOK_EVERY_MS = 2_000;
// Replicas behind one address are met one after the other, each with a connection of its own.
const ASKED_TIMES = 12;
const NOT_FOUND = 404;

/** Rotates. Throws when it cannot come to the end; what was accepted before is accepted then. */
export async function runRotateToken(
  settings: RotateTokenSettings,
  world: World,
  { clock }: { readonly clock: Clock } = { clock: systemClock },
): Promise<void> {
  const { signal } = world;
  const asker = connectAsker(settings, world, clock);
  try {
    const look = (): Promise<Look> => lookAround(asker, settings.workspace);
    const first = await look();
    const home = asker.connection.cluster(settings.workspace);
    const store = settings.urlTokenFile === undefined ? secretStore(home) : fileStore(settings.urlTokenFile);
    const before = await store.read({ signal });
    const steps = secretSteps(before, randomBytes(32).toString('base64url'));
    if (!steps.ok) throw new Error(`${store.name}: ${steps.problem}`);
    refuseToBegin(first, steps.value.before, store, settings);
    const tell = (line: string): void => world.stdout.write(`${line}\n`);
    await rotate({ settings, store, steps: steps.value, look, tell, clock, signal }, before);
  } finally {
    await asker.connection.close();
  }
}

async function lookAround(asker: Asker, workspace: WorkspacePath): Promise<Look> {
  const facts = await readInstallation(asker, workspace);
  const installation = wholeInstallation(facts, 'the installed URLs are not known');
  const { home, shards } = installation;
  const unread = [home.admission, ...shards.map(({ configurations }) => configurations)].find((reading) => reading.state === 'unread');
  if (unread?.state === 'unread') throw new Error(`not every configuration could be read: ${unread.what}: ${unread.why}`);
  return { installation, nowMs: facts.nowMs };
}

/** Whatever would leave a URL behind is said before anything is written. */
function refuseToBegin(
  { installation, nowMs }: Look,
  before: SecretSteps['before'],
  { name }: TokenStore,
  { leaveHidden }: RotateTokenSettings,
): void {
  const { lease } = installation.home;
  const leader = lease.state === 'read' ? leaseView(lease.value, nowMs) : undefined;
  if (leader !== undefined && (leader.holder === '' || !leader.isFresh))
    throw new Error('no controller leads, so nobody would write the new URLs: start it first; nothing was changed');
  const strange = installedSecrets(installation, before).find(({ madeBy }) => madeBy === undefined);
  if (strange !== undefined)
    throw new Error(
      `the URL installed in ${strange.where} was not made by what is in ${name}: give --url-token-file as both roles have it, or leave it out if "all" keeps the token; nothing was changed`,
    );
  const hidden = hiddenWorkspaces(installation);
  if (hidden.length > 0 && !leaveHidden)
    throw new Error(
      `kcp hides the configuration of ${hidden.join(', ')}, where the claim of dep-ctrl is not accepted: if there is one, it keeps the old URL, and its deletes are refused in the end; have the claim accepted, or give --leave-hidden; nothing was changed`,
    );
}

async function rotate(rotation: Rotation, before: string): Promise<void> {
  const { settings, store, steps, tell, clock, signal, look } = rotation;
  const { fresh, added, first, alone } = steps;
  const settle = (): Promise<void> => clock.sleep(settings.settleMs, { signal });
  const seconds = Math.ceil(settings.settleMs / 1_000);
  await store.write({ before, after: added }, { signal });
  tell(`1 of 3: ${store.name} has a new secret as its last line; waiting ${seconds} s, and until the webhook accepts it`);
  await settle();
  await patiently(rotation, async () => whoRefuses(installedSecrets((await look()).installation, steps.before), fresh, rotation));
  await store.write({ before: added, after: first }, { signal });
  tell('2 of 3: the new secret is the first line; waiting until every configuration has a URL made by it');
  const late = async (): Promise<string | undefined> => whoIsLate(installedSecrets((await look()).installation, [fresh]));
  await patiently(rotation, late);
  tell(`        every configuration has one; waiting ${seconds} s, until every shard knows`);
  await settle();
  await patiently(rotation, late);
  await store.write({ before: first, after: alone }, { signal });
  tell(`3 of 3: the old secret is out of ${store.name}; every process refuses it within 10 s of reading that`);
}

/** Looks until nothing is left to wait for. */
async function patiently({ settings, store, clock, signal }: Rotation, waitingFor: () => Promise<string | undefined>): Promise<void> {
  const begunMs = clock.monotonic();
  for (;;) {
    const left = await waitingFor().catch((error: unknown) => {
      if (signal.aborted) throw error;
      return describeFailure(error);
    });
    if (left === undefined) return;
    if (clock.monotonic() - begunMs > settings.timeoutMs) {
      const waited = Math.round(settings.timeoutMs / 1_000);
      throw new Error(
        `${left}, after ${waited} s: old and new secret stay in ${store.name}, and both are accepted; run this again when that is mended`,
      );
    }
    await clock.sleep(LOOK_EVERY_MS, { signal });
  }
}

function whoIsLate(installed: readonly InstalledSecret[]): string | undefined {
  const late = installed.filter(({ madeBy }) => madeBy === undefined);
  const [{ where } = { where: '' }] = late;
  if (late.length === 0) return undefined;
  return `the controller has not written the new URL into ${where}${late.length > 1 ? ` and ${late.length - 1} more` : ''}`;
}

/** Asks each webhook under one of its URLs. From where it does not answer, the time that it was given has to do. */
async function whoRefuses(
  installed: readonly InstalledSecret[],
  fresh: UrlSecret,
  { tell, signal }: Rotation,
): Promise<string | undefined> {
  const perOrigin = new Map(installed.map((each) => [each.origin, each.urlUnder(fresh)]));
  for (const [origin, url] of perOrigin) {
    const answers = await Promise.all(Array.from({ length: ASKED_TIMES }, () => statusOf(url, signal)));
    if (answers.includes(NOT_FOUND)) return `the webhook at ${origin} does not accept the new secret`;
    if (answers.includes(undefined)) tell(`        ${origin} does not answer from here, so nobody sees whether it has read the new secret`);
  }
  return undefined;
}
