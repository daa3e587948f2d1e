// Which secret made each URL that kcp is told to call. Pure.
import type { UrlSecret } from '@dep-ctrl/admission-server';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { EXPORT_NAME, GUARD_NAME, PERMISSION_CLAIM } from '@dep-ctrl/rule-registry';
import { readClaim } from '@dep-ctrl/webhook-installer';
import { isOurs } from '../controller/configuration/ownership.js';
import type { InstallationFacts } from '../installation/facts.js';
import { allOf } from '../installation/known-rules.js';
import { providersOf, workspaceNames } from '../installation/providers.js';
import { installedUrls } from '../installation/read-webhooks.js';
import { valueOr } from '../installation/reading.js';
import { deriveAdmissionToken, deriveUrlToken } from '../url-tokens/url-tokens.js';

/** One configuration of ours. */
export interface InstalledSecret {
  /** The workspace that it is in. */
  readonly where: string;
  readonly origin: string;
  /** Undefined: none of the secrets that were asked about. */
  readonly madeBy: UrlSecret | undefined;
  /** The same URL under another secret. */
  readonly urlUnder: (secret: UrlSecret) => string;
}

/** Every configuration of this installation that can be seen, by the first of the secrets that makes its URL. */
export function installedSecrets(installation: InstallationFacts, secrets: readonly UrlSecret[]): readonly InstalledSecret[] {
  const { home, shards } = installation;
  if (home.presence.state !== 'found') return [];
  const { cluster: owner } = home.presence;
  const nameOf = workspaceNames(providersOf(installation), installation);
  const guarding = allOf(shards, 'configurations').filter(({ object }) => object.metadata.name === GUARD_NAME && isOurs(object, owner));
  const admission = valueOr(home.admission, undefined);
  const configurations: readonly { readonly object: KubeObject; readonly tokenOf?: typeof deriveAdmissionToken }[] = [
    ...guarding,
    ...(admission === undefined ? [] : [{ object: admission, tokenOf: deriveAdmissionToken }]),
  ];
  return configurations.flatMap(({ object, tokenOf }) =>
    installedUrls([object]).map(({ cluster, url }) => {
      const derive = tokenOf ?? ((secret: UrlSecret) => deriveUrlToken(secret, cluster));
      const { origin, pathname } = new URL(url);
      const segments = pathname.split('/');
      const madeBy = secrets.find((secret) => segments.includes(derive(secret)));
      const old = madeBy && derive(madeBy);
      const urlUnder = (secret: UrlSecret): string =>
        `${origin}${segments.map((segment) => (segment === old ? derive(secret) : segment)).join('/')}`;
      return { where: nameOf(cluster), origin, madeBy, urlUnder };
    }),
  );
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
