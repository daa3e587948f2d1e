// Which secret made each URL that kcp is told to call. Pure.
import type { UrlSecret } from '@dep-ctrl/admission-server';
import { compareText, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import { EXPORT_NAME, GUARD_NAME, PERMISSION_CLAIM } from '@dep-ctrl/rule-registry';
import { readClaim } from '@dep-ctrl/webhook-installer';
import { isOurs } from '../controller/configuration/ownership.js';
import type { InstallationFacts } from '../installation/facts.js';
import { allOf } from '../installation/known-rules.js';
import { providersOf, workspaceNames } from '../installation/providers.js';
import { installedUrls } from '../installation/read-webhooks.js';
import { valueOr } from '../installation/reading.js';
import { ADMISSION_CONFIGURATION } from '../own-objects/admission-configuration.js';
import { deriveAdmissionToken, deriveUrlToken } from '../url-tokens/url-tokens.js';

/** The URL for rules, in the workspace of dep-ctrl: of all URLs the one that no tenant can write. */
export interface HomeUrl {
  /** Its configuration, for people. */
  readonly where: string;
  readonly origin: string;
  /** Undefined: none of the secrets that were asked about. */
  readonly madeBy: UrlSecret | undefined;
  /** The same URL under another secret. */
  readonly urlUnder: (secret: UrlSecret) => string;
}

/** The URL, by the first of the secrets that makes it. Undefined: no controller has written it. */
export function homeUrl({ home }: InstallationFacts, secrets: readonly UrlSecret[]): HomeUrl | undefined {
  const admission = valueOr(home.admission, undefined);
  const [installed] = installedUrls(admission === undefined ? [] : [admission]);
  if (installed === undefined) return undefined;
  const { origin, pathname } = new URL(installed.url);
  const segments = pathname.split('/');
  const madeBy = secrets.find((secret) => segments.includes(deriveAdmissionToken(secret)));
  const old = madeBy && deriveAdmissionToken(madeBy);
  const urlUnder = (secret: UrlSecret): string =>
    `${origin}${segments.map((segment) => (segment === old ? deriveAdmissionToken(secret) : segment)).join('/')}`;
  return { where: `${ADMISSION_CONFIGURATION} in ${home.path}`, origin, madeBy, urlUnder };
}

/** A workspace with a URL of another secret. The name is for people: its admin may claim that of another one. */
export interface LateWorkspace {
  readonly cluster: LogicalClusterName;
  readonly name: string;
}

/** The workspaces whose configuration of this installation has a URL that this secret did not make. Their admins may write it, so nobody relies on it. */
export function othersNotMadeBy(installation: InstallationFacts, secret: UrlSecret): readonly LateWorkspace[] {
  const { home, shards } = installation;
  if (home.presence.state !== 'found') return [];
  const { cluster: owner } = home.presence;
  const nameOf = workspaceNames(providersOf(installation), installation);
  const guarding = allOf(shards, 'configurations').filter(({ object }) => object.metadata.name === GUARD_NAME && isOurs(object, owner));
  const old = installedUrls(guarding.map(({ object }) => object)).filter(
    ({ cluster, url }) => !new URL(url).pathname.split('/').includes(deriveUrlToken(secret, cluster)),
  );
  return old.map(({ cluster }) => ({ cluster, name: nameOf(cluster) })).sort((a, b) => compareText(a.name, b.name));
}

/** Workspaces whose configuration, if they have one, kcp hides from this installation: dep-ctrl cannot write another URL into it. */
export function hiddenWorkspaces(installation: InstallationFacts): readonly string[] {
  const { presence } = installation.home;
  if (presence.state !== 'found') return [];
  const own = { cluster: presence.cluster, name: EXPORT_NAME };
  return providersOf(installation).flatMap(({ name, bindings }) => {
    const { state } = readClaim(bindings, own, PERMISSION_CLAIM, PERMISSION_CLAIM.verbs);
    return state === 'accepted' || state === 'not-bound' || state === 'unbinding' ? [] : [name];
  });
}
