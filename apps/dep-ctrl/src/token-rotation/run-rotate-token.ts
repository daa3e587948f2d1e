// `dep-ctrl rotate-token`: another secret behind the webhook URLs. A process accepts the new one before any URL has it, and the old one until no URL has
// it, so that no delete goes unanswered on the way. Where it ends early, both are accepted, and running it again begins anew. It relies on the URL in the
// workspace of dep-ctrl alone. The configurations of guarded workspaces belong to tenants, who could keep an old URL in them for ever: they are waited for
// no longer than one step may take. Deletes that are guarded by an old URL after that are refused, never allowed, until the controller has written the new one.
import { randomBytes } from 'node:crypto';
import { systemClock, type Clock } from '@dep-ctrl/kcp-client';
import type { UrlSecret } from '@dep-ctrl/admission-server';
import type { WorkspacePath } from '@dep-ctrl/kcp-names';
import { printFirst } from '@dep-ctrl/exported-types';
import { describeFailure, type World } from '@dep-ctrl/command-settings';
import type { ConnectionSettings } from '../command-line/connect.js';
import type { Asker } from '../installation/ask-server.js';
import { connectAsker } from '../installation/connect-asker.js';
import type { InstallationFacts } from '../installation/facts.js';
import { leaseView } from '../own-objects/lease-view.js';
import { readInstallation } from '../installation/read-installation.js';
import { statusOf } from '../installation/read-webhooks.js';
import { wholeInstallation } from '../installation/whole-installation.js';
import { hiddenWorkspaces, homeUrl, othersNotMadeBy, type LateWorkspace } from './installed-secrets.js';
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
}

interface Rotation {
  readonly settings: RotateTokenSettings;
  readonly store: TokenStore;
  readonly steps: SecretSteps;
  readonly look: () => Promise<Look>;
  readonly tell: (line: string) => void;
  readonly warn: (text: string) => void;
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
const MOST_NAMED = 3;

/** What is not done yet. `others`: the workspaces of tenants; nobody waits for those longer than one step may take. */
type Waiting = { readonly must: string } | { readonly others: readonly LateWorkspace[] };

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
    const tell = (line: string): void => world.stdout.write(`${line}\n`);
    const warn = (text: string): void => world.stderr.write(`warning: ${text}\n`);
    refuseToBegin(first, steps.value.before, store);
    warnOfHidden(first, warn);
    await rotate({ settings, store, steps: steps.value, look, tell, warn, clock, signal }, before);
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

/** Only what is in the workspace of dep-ctrl is a reason. */
function refuseToBegin(look: Look, before: SecretSteps['before'], { name }: TokenStore): void {
  const leaderless = whyNobodyWrites(look);
  if (leaderless !== undefined) throw new Error(`${leaderless}: start it first; nothing was changed`);
  const home = homeUrl(look.installation, before);
  if (home === undefined)
    throw new Error('no controller has written the URL for rules into the workspace of dep-ctrl yet: start one first; nothing was changed');
  if (home.madeBy === undefined)
    throw new Error(
      `the URL in ${home.where} was not made by what is in ${name}: give --url-token-file as both roles have it, or leave it out if "all" keeps the token; nothing was changed`,
    );
}

function whyNobodyWrites({ installation: { home }, nowMs }: Look): string | undefined {
  const leader = home.lease.state === 'read' ? leaseView(home.lease.value, nowMs) : undefined;
  const isGone = leader !== undefined && (leader.holder === '' || !leader.isFresh);
  return isGone ? 'no controller leads, so nobody would write the new URLs' : undefined;
}

function warnOfHidden({ installation }: Look, warn: Rotation['warn']): void {
  const hidden = hiddenWorkspaces(installation);
  if (hidden.length === 0) return;
  warn(
    `kcp hides the configuration of ${named(hidden)}, where the claim of dep-ctrl is not accepted: if there is one, it keeps the old URL, and the deletes that it guards are refused from step 3 on`,
  );
}

async function rotate(rotation: Rotation, before: string): Promise<void> {
  const { settings, store, steps, tell, warn, clock, signal, look } = rotation;
  const { fresh, added, first, alone } = steps;
  const settle = (): Promise<void> => clock.sleep(settings.settleMs, { signal });
  const seconds = Math.ceil(settings.settleMs / 1_000);
  await store.write({ before, after: added }, { signal });
  tell(`1 of 3: ${store.name} has a new secret as its last line; waiting ${seconds} s, and until the webhook accepts it`);
  await settle();
  await patiently(rotation, async () => whoRefuses(await look(), rotation));
  await store.write({ before: added, after: first }, { signal });
  tell('2 of 3: the new secret is the first line; waiting until every configuration has a URL made by it');
  const late = await patiently(rotation, async () => whoIsLate(await look(), fresh));
  tell(
    `        ${late.length === 0 ? 'every configuration has one' : `not waiting any longer for ${named(late.map(({ name }) => name))}`}; waiting ${seconds} s, until every shard knows`,
  );
  await settle();
  // Nobody waits twice for the same ones.
  const again = await patiently(rotation, async () => whoIsLate(await look(), fresh, late));
  await store.write({ before: first, after: alone }, { signal });
  tell(`3 of 3: the old secret is out of ${store.name}; every process refuses it within 10 s of reading that`);
  const left = [...late, ...again].map(({ name }) => name);
  if (left.length > 0)
    warn(
      `the configuration of ${named(left)} did not get the new URL: deletes that it guards are refused until the controller has written it there; its workspace may keep that from happening`,
    );
}

/** Looks until nothing is left to wait for, or nothing but workspaces of tenants after the time that a step may take. Answers those. */
async function patiently(
  { settings, store, clock, signal }: Rotation,
  waitingFor: () => Promise<Waiting | undefined>,
): Promise<readonly LateWorkspace[]> {
  const begunMs = clock.monotonic();
  for (;;) {
    const left = await waitingFor().catch((error: unknown): Waiting => {
      if (signal.aborted) throw error;
      return { must: describeFailure(error) };
    });
    if (left === undefined) return [];
    if (clock.monotonic() - begunMs > settings.timeoutMs) {
      if ('others' in left) return left.others;
      const waited = Math.round(settings.timeoutMs / 1_000);
      throw new Error(
        `${left.must}, after ${waited} s: old and new secret stay in ${store.name}, and both are accepted; run this again when that is mended`,
      );
    }
    await clock.sleep(LOOK_EVERY_MS, { signal });
  }
}

/** As long as no controller leads, honest configurations are late too. */
function whoIsLate(look: Look, fresh: UrlSecret, givenUp: readonly LateWorkspace[] = []): Waiting | undefined {
  const home = homeUrl(look.installation, [fresh]);
  if (home?.madeBy === undefined)
    return { must: `the controller has not written the new URL into ${home?.where ?? 'the workspace of dep-ctrl'}` };
  const others = othersNotMadeBy(look.installation, fresh).filter(({ cluster }) => !givenUp.some((each) => each.cluster === cluster));
  if (others.length === 0) return undefined;
  const leaderless = whyNobodyWrites(look);
  return leaderless === undefined ? { others } : { must: leaderless };
}

/** Asks the webhook under the URL for rules. From where it does not answer, the time that it was given has to do. */
async function whoRefuses({ installation }: Look, { steps, tell, signal }: Rotation): Promise<Waiting | undefined> {
  const home = homeUrl(installation, steps.before);
  if (home?.madeBy === undefined) return { must: 'no URL made by the old secret is in the workspace of dep-ctrl any more' };
  const url = home.urlUnder(steps.fresh);
  const answers = await Promise.all(Array.from({ length: ASKED_TIMES }, () => statusOf(url, signal)));
  if (answers.includes(NOT_FOUND)) return { must: `the webhook at ${home.origin} does not accept the new secret` };
  if (answers.includes(undefined))
    tell(`        ${home.origin} does not answer from here, so nobody sees whether it has read the new secret`);
  return undefined;
}

function named(workspaces: readonly string[]): string {
  const of = workspaces.length === 1 ? '' : `${workspaces.length} workspaces: `;
  return `${of}${printFirst(workspaces, { most: MOST_NAMED })}`;
}
