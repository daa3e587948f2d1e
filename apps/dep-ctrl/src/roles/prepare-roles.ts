// Prepares what the roles need to start: the webhook's certificate, the CA for kcp, the secrets behind the URL tokens. If no flag names a file, they come
// from Secrets of the dep-ctrl workspace, which `all` makes and shares with its replicas.
import type { Clock, Logger, Runnable } from '@dep-ctrl/kcp-client';
import { StaticCaBundle, type CaBundleSource } from '@dep-ctrl/webhook-installer';
import {
  type CertificateFit,
  followAuthority,
  FollowedUrlSecrets,
  ownServingPair,
  parseUrlSecrets,
  type ReadServingPair,
  type UrlSecretsSource,
} from '@dep-ctrl/admission-server';
import type { Home } from '../command-line/connect.js';
import { sharedAuthority, sharedUrlTokenText, WEBHOOK_NAME } from '../certificate/shared-secrets.js';
import type { NamedFiles } from './named-files.js';
import { hostToCall, OWN_HOST, type ControllerSettings, type RoleSettings, type WebhookSettings } from './role-settings.js';

/** The parts that were prepared for the roles of a process. */
export interface Prepared {
  readonly urlSecrets: UrlSecretsSource | undefined;
  /** Absent when the webhook does not run here. */
  readonly readServingPair?: ReadServingPair;
  /** Judges the certificate, where it comes from files. */
  readonly certificate?: CertificateFit;
  readonly caBundle: CaBundleSource;
  /** What keeps them up to date while the roles run. */
  readonly followers: readonly Runnable[];
}

interface Context {
  readonly roles: RoleSettings;
  readonly files: NamedFiles;
  readonly home: Home;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Whether something is kept in Secrets of the dep-ctrl workspace, because no file was named for it. */
export function keepsSecrets({ roles: { controller, webhook }, files }: Pick<Context, 'roles' | 'files'>): boolean {
  if (webhook === undefined) return false;
  return files.certificate === undefined || (controller !== undefined && files.urlSecrets === undefined);
}

/** Reads or makes what the files do not give. */
export async function prepareRoles(context: Context): Promise<Prepared> {
  const { files, home, clock, roles } = context;
  const { controller, webhook } = roles;
  const urlSecrets = await urlSecretsOf(context);
  const caBundle = files.caBundle ?? new StaticCaBundle(undefined);
  const followers = [urlSecrets, files.caBundle].filter((follower) => follower !== undefined);
  if (webhook === undefined) return { urlSecrets, caBundle, followers };
  if (files.certificate !== undefined) {
    const { read: readServingPair, fit: certificate } = files.certificate;
    return { urlSecrets, caBundle, followers, readServingPair, certificate };
  }
  const read = (options: { readonly signal: AbortSignal }) => sharedAuthority(home.workspace, clock.now(), options);
  const authority = await followAuthority({ ...context, read });
  const readServingPair = ownServingPair({
    authority: authority.current,
    hosts: hostsOf(webhook, controller),
    clock,
    webhook: WEBHOOK_NAME,
  });
  return { urlSecrets, readServingPair, caBundle: authority.bundle, followers: [...followers, authority.bundle] };
}

/** Roles that run apart agree by a file or not at all: the webhook may not read Secrets. */
async function urlSecretsOf({ files, roles, home, clock, logger, signal }: Context): Promise<FollowedUrlSecrets | undefined> {
  if (files.urlSecrets !== undefined) return files.urlSecrets;
  if (roles.controller === undefined || roles.webhook === undefined) return undefined;
  const read = (options: { readonly signal: AbortSignal }) => sharedUrlTokenText(home.workspace, options);
  const secrets = parseUrlSecrets(await read({ signal }));
  if (secrets.ok) return new FollowedUrlSecrets({ initial: secrets.value, read, clock, logger });
  throw new Error(`the Secret of the URL token cannot be used: ${secrets.problem}`);
}

function hostsOf({ host }: WebhookSettings, controller: ControllerSettings | undefined): readonly string[] {
  const named = controller === undefined ? [] : [hostToCall(controller)];
  return [...new Set([...named, ...(host === undefined ? [] : [host]), OWN_HOST, 'localhost'])];
}
