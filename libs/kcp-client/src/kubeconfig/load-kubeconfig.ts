// Finds and reads kubeconfigs.
import { readFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { notParsed, parsed, quote, type Parsed } from '@dep-ctrl/kcp-names';
import { parse } from 'yaml';
import { systemClock, type Clock } from '../time/clock.js';
import type { ConnectionOptions } from '../connection/connection.js';
import type { Credentials, CredentialSource } from '../http/credentials.js';
import type { Logger } from '../running/logger.js';
import type { AuthProvider } from './auth-provider.js';
import { explainMissingPeer } from './missing-peer.js';
import { ExecPlugin } from './exec-plugin.js';
import { joinEntries, pickContext, readEntries, type KubeconfigEntries } from './kubeconfig-entries.js';
import { proxyChoice, type Environment } from './proxy-choice.js';
import { fileProblem, filesOf, readCredentials } from './read-material.js';
import { recipeOf, type Recipe } from './recipe.js';
import { RotatingCredentials, type CredentialsFromFiles } from './rotating-credentials.js';

/** Which kubeconfig to take. Without file and object: the files in KUBECONFIG, else the Pod that this runs in. */
export interface KubeconfigQuery {
  readonly file?: string;
  /** A kubeconfig that was parsed already; relative paths in it start from the working directory. */
  readonly object?: unknown;
  /** Default: the current one. */
  readonly context?: string;
  /** For KUBECONFIG, proxies, in-cluster addresses and plugins. Default `process.env`. */
  readonly env?: Environment;
  /** How long an exec plugin may take. Default 30 s. */
  readonly execTimeoutMs?: number;
  /** Where a Pod finds its token and authority. Default `/var/run/secrets/kubernetes.io/serviceaccount`. */
  readonly serviceAccountFolder?: string;
  readonly clock?: Clock;
  readonly logger?: Logger;
}

/** What a Connection is made of, as a kubeconfig says. */
export interface LoadedKubeconfig extends ConnectionOptions {
  readonly contextName: string;
  /** Why the files of the moment cannot be used, and the last good credentials stay; undefined: they are in use. */
  readonly problem: () => string | undefined;
}

/**
 * Reads a kubeconfig and everything that it names, so that what cannot work is told now: the problem is one line. No plugin is run and
 * nothing is sent yet. Files are followed from then on; the server's address is not.
 */
export function loadKubeconfig(query: KubeconfigQuery = {}): Parsed<LoadedKubeconfig> {
  return loadWith(query, lazyProvider);
}

/** Where the Authorization header of an auth-provider comes from. */
export type ProviderHeaders = (provider: NonNullable<Recipe['provider']>, contextName: string) => Pick<AuthProvider, 'headers'>;

/** `loadKubeconfig` with a source for auth-providers. */
export function loadWith(query: KubeconfigQuery, providerHeaders: ProviderHeaders): Parsed<LoadedKubeconfig> {
  const { clock = systemClock, env = process.env } = query;
  const sources = sourcesOf(query, env);
  if (!sources.ok) return sources;
  const first = loadOnce(sources.value, query.context, clock);
  if (!first.ok) return first;
  const { recipe, read } = first.value;
  const rotating = new RotatingCredentials({
    initial: read,
    reload: () => {
      // The context stays, even where the current one of the file changes.
      const again = loadOnce(sources.value, recipe.contextName, clock);
      return again.ok ? parsed(again.value.read) : again;
    },
    clock,
    ...(query.logger === undefined ? {} : { logger: query.logger }),
  });
  return parsed({
    contextName: recipe.contextName,
    problem: () => rotating.problem,
    server: recipe.server,
    credentials: withPlugins(
      rotating,
      recipe.exec && new ExecPlugin(recipe.exec, { timeoutMs: query.execTimeoutMs ?? 30_000, env, clock }),
      recipe.provider && providerHeaders(recipe.provider, recipe.contextName),
    ),
    proxyFor: proxyChoice(recipe.proxyUrl, env),
  });
}

type Source =
  | { readonly kind: 'files'; readonly paths: readonly string[] }
  | { readonly kind: 'object'; readonly object: unknown }
  | { readonly kind: 'pod'; readonly server: string; readonly folder: string };

function sourcesOf({ file, object, serviceAccountFolder }: KubeconfigQuery, env: Environment): Parsed<Source> {
  if (object !== undefined) return parsed({ kind: 'object', object });
  if (file !== undefined) return parsed({ kind: 'files', paths: [file] });
  const paths = (env['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '');
  if (paths.length > 0) return parsed({ kind: 'files', paths });
  const [host, port] = [env['KUBERNETES_SERVICE_HOST'], env['KUBERNETES_SERVICE_PORT']];
  if (host === undefined || host === '' || port === undefined || port === '') {
    return notParsed('no kubeconfig: name a file, set KUBECONFIG, or run in a Pod');
  }
  const folder = serviceAccountFolder ?? '/var/run/secrets/kubernetes.io/serviceaccount';
  return parsed({ kind: 'pod', server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`, folder });
}

function loadOnce(
  source: Source,
  context: string | undefined,
  clock: Clock,
): Parsed<{ readonly recipe: Recipe; readonly read: CredentialsFromFiles }> {
  const recipe = source.kind === 'pod' ? parsed(podRecipe(source)) : recipeFrom(source, context);
  if (!recipe.ok) return recipe;
  const credentials = readCredentials(recipe.value, clock.now());
  if (!credentials.ok) return notParsed(`${nameOf(source)}: ${credentials.problem}`);
  const files = [...(source.kind === 'files' ? source.paths : []), ...filesOf(recipe.value)];
  return parsed({ recipe: recipe.value, read: { credentials: credentials.value, files } });
}

function recipeFrom(source: Exclude<Source, { kind: 'pod' }>, context: string | undefined): Parsed<Recipe> {
  const entries = source.kind === 'files' ? entriesOf(source.paths) : namedProblem(source, readEntries(source.object, process.cwd()));
  if (!entries.ok) return entries;
  const picked = pickContext(entries.value, context);
  return picked.ok ? namedProblem(source, recipeOf(picked.value)) : namedProblem(source, picked);
}

function podRecipe({ server, folder }: Source & { kind: 'pod' }): Recipe {
  return {
    contextName: 'in-cluster',
    userName: 'in-cluster',
    server,
    skipVerify: false,
    ca: { from: 'file', path: join(folder, 'ca.crt') },
    token: { from: 'file', path: join(folder, 'token') },
    headers: {},
  };
}

/** Reads and joins files. As with kubectl, those of a list may be missing, but not all. */
function entriesOf(paths: readonly string[]): Parsed<KubeconfigEntries> {
  const read: KubeconfigEntries[] = [];
  const problems: string[] = [];
  for (const path of paths) {
    const text = readText(path);
    if (!text.ok) problems.push(text.problem);
    else {
      const entries = parseText(path, text.value);
      if (!entries.ok) return entries;
      read.push(entries.value);
    }
  }
  return read.length === 0 ? notParsed(problems.join('; ')) : parsed(joinEntries(read));
}

function readText(path: string): Parsed<string> {
  try {
    return parsed(readFileSync(path, 'utf8'));
  } catch (cause) {
    return notParsed(`kubeconfig ${quote(path)} cannot be read: ${fileProblem(cause)}`);
  }
}

function parseText(path: string, text: string): Parsed<KubeconfigEntries> {
  const source: Source = { kind: 'files', paths: [path] };
  if (text.trim() === '') return notParsed(`${nameOf(source)} is empty`);
  let content: unknown;
  try {
    content = parse(text);
  } catch (cause) {
    const [reason] = (cause instanceof Error ? cause.message : String(cause)).split('\n');
    return notParsed(`${nameOf(source)} is not valid YAML: ${String(reason)}`);
  }
  return namedProblem(source, readEntries(content, dirname(resolve(path))));
}

function namedProblem<T>(source: Source, answer: Parsed<T>): Parsed<T> {
  return answer.ok ? answer : notParsed(`${nameOf(source)} ${answer.problem}`);
}

function nameOf(source: Source): string {
  switch (source.kind) {
    case 'files':
      return `kubeconfig ${source.paths.map(quote).join(', ')}`;
    case 'object':
      return 'the kubeconfig';
    case 'pod':
      return 'the ServiceAccount of this Pod';
    default:
      return source satisfies never;
  }
}

function withPlugins(
  files: RotatingCredentials,
  plugin: ExecPlugin | undefined,
  provider: Pick<AuthProvider, 'headers'> | undefined,
): CredentialSource {
  if (plugin === undefined && provider === undefined) return (options) => files.credentials(options);
  return async (options): Promise<Credentials> => {
    const [base, printed, headers] = await Promise.all([files.credentials(options), plugin?.credentials(options), provider?.headers()]);
    return { ...base, ...printed, headers: { ...base.headers, ...headers } };
  };
}

/** Loaded only where it is needed: @kubernetes/client-node takes more memory than everything else here. */
function lazyProvider(provider: NonNullable<Recipe['provider']>, contextName: string): Pick<AuthProvider, 'headers'> {
  let loaded: Promise<AuthProvider> | undefined;
  const load = async (): Promise<AuthProvider> => {
    const providers = await import('./auth-provider.js').catch((error: unknown) => {
      throw explainMissingPeer(error);
    });
    return providers.providerOf(provider, contextName);
  };
  return { headers: async () => (await (loaded ??= load())).headers() };
}
