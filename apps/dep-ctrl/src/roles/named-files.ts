// The files that flags name. They are read before anything else, so that a wrong file ends the process with one line and exit code 2. Afterwards each file
// is followed. If a file cannot be used any more, its last good content stays in force.
import { readFile } from 'node:fs/promises';
import type { Clock, Logger } from '@dep-ctrl/kcp-client';
import { FollowedCaBundle, parseCertificates } from '@dep-ctrl/webhook-installer';
import {
  CertificateFit,
  checkPair,
  type Expected,
  FollowedUrlSecrets,
  pairFromDirectory,
  parseUrlSecrets,
  type ReadServingPair,
} from '@dep-ctrl/admission-server';
import { UsageError } from '@dep-ctrl/command-settings';
import { hostToCall, type RoleSettings } from './role-settings.js';
import { CERTIFICATE_WORDS } from '../self-checks/flag-words.js';

/** The contents of the files; absent: no flag named the file. */
export interface NamedFiles {
  readonly urlSecrets?: FollowedUrlSecrets;
  readonly certificate?: FollowedCertificate;
  readonly caBundle?: FollowedCaBundle;
}

/** The pair of the moment, and what judges it. */
export interface FollowedCertificate {
  readonly read: ReadServingPair;
  readonly fit: CertificateFit;
}

interface Named {
  readonly urlTokenFile: string | undefined;
  readonly roles: RoleSettings;
}

interface Context {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Reads all of them once. Throws UsageError for the first that is not as it should be. */
export async function readNamedFiles({ urlTokenFile, roles }: Named, context: Context): Promise<NamedFiles> {
  const caBundlePath = roles.controller?.caBundlePath;
  const tlsCertDir = roles.webhook?.tlsCertDir;
  const ca = caBundlePath === undefined ? undefined : await caBundleFrom(caBundlePath, context);
  const expected = () => ({
    ...hostFor(roles),
    ...(ca === undefined ? { isToldNoCa: roles.controller !== undefined } : { caBundle: ca.trusted() }),
  });
  return {
    ...(urlTokenFile === undefined ? {} : { urlSecrets: await urlSecretsFrom(urlTokenFile, context) }),
    ...(tlsCertDir === undefined ? {} : { certificate: await certificateFrom(tlsCertDir, expected, context) }),
    ...(ca === undefined ? {} : { caBundle: ca.bundle }),
  };
}

/** The host that kcp calls, where both roles are here: apart, only the controller knows it, and only the webhook has the certificate. */
function hostFor({ controller }: RoleSettings): Pick<Expected, 'host'> {
  return controller === undefined ? {} : { host: hostToCall(controller) };
}

async function urlSecretsFrom(path: string, { clock, logger, signal }: Context): Promise<FollowedUrlSecrets> {
  const initial = parseUrlSecrets(await readNamed('--url-token-file', path, signal));
  if (!initial.ok) throw new UsageError(`--url-token-file ${JSON.stringify(path)}: ${initial.problem}`);
  return new FollowedUrlSecrets({ initial: initial.value, read: reading(path), clock, logger });
}

async function certificateFrom(
  directory: string,
  expected: () => Expected,
  { clock, logger, signal }: Context,
): Promise<FollowedCertificate> {
  const read = pairFromDirectory(directory);
  const problem = await read({ signal }).then(
    (pair) => {
      const checked = checkPair(pair);
      return checked.ok ? undefined : checked.problem;
    },
    (error: unknown) => (error instanceof Error ? error.message : 'it cannot be read'),
  );
  if (problem !== undefined) throw new UsageError(`--tls-cert-dir ${JSON.stringify(directory)} must hold tls.crt and tls.key: ${problem}`);
  const fit = new CertificateFit({ expected, clock, logger, words: CERTIFICATE_WORDS });
  fit.judge(await read({ signal })); // what does not fit is said before anything starts
  return { read, fit };
}

interface CaFile {
  readonly bundle: FollowedCaBundle;
  /** PEM of what kcp is told to trust; of what the file held at first, before it is followed. */
  readonly trusted: () => string;
}

async function caBundleFrom(path: string, { clock, logger, signal }: Context): Promise<CaFile> {
  const first = await readNamed('--webhook-ca-bundle-path', path, signal);
  const certificates = parseCertificates(first);
  if (!certificates.ok) throw new UsageError(`--webhook-ca-bundle-path ${JSON.stringify(path)} ${certificates.problem}`);
  const bundle = new FollowedCaBundle({ read: reading(path), clock, logger });
  const trusted = (): string => {
    const current = bundle.current();
    return current.kind === 'pem' ? current.pem : first;
  };
  return { bundle, trusted };
}

function reading(path: string): (options: { readonly signal: AbortSignal }) => Promise<string> {
  return (options) => readFile(path, { encoding: 'utf8', ...options });
}

async function readNamed(flag: string, path: string, signal: AbortSignal): Promise<string> {
  try {
    return await readFile(path, { encoding: 'utf8', signal });
  } catch (error) {
    throw new UsageError(`${flag} must be a file that can be read, not ${JSON.stringify(path)}: ${whyUnreadable(error)}`);
  }
}

function whyUnreadable(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException; // what readFile throws
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EACCES') return 'permission denied';
  return code === 'EISDIR' ? 'it is a folder' : String(code);
}
