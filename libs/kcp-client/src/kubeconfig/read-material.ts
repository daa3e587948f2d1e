// Fetches what a recipe names, and refuses what could never work: so that a person reads one clear line instead of a TLS alert.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { notParsed, parsed, quote, type Parsed } from '@dep-ctrl/kcp-names';
import type { Credentials } from '../http/credentials.js';
import type { Material, Recipe } from './recipe.js';

/** The credentials that lie in the kubeconfig and in the files that it names; those of plugins come on top. */
export function readCredentials(recipe: Recipe, nowMs: number): Parsed<Credentials> {
  try {
    return parsed(fetchAll(recipe, nowMs));
  } catch (problem) {
    if (problem instanceof Unusable) return notParsed(problem.message);
    throw problem;
  }
}

/** The files that a recipe names. */
export function filesOf({ ca, clientCert, clientKey, token }: Recipe): readonly string[] {
  return [ca, clientCert, clientKey, token].flatMap((material) => (material?.from === 'file' ? [material.path] : []));
}

/** Checks a client certificate and its key, wherever they came from. Answers what is wrong. */
export function clientPairProblem(owner: string, cert: string, key: string, nowMs: number): string | undefined {
  const certificate = attempt(() => new X509Certificate(cert));
  if (certificate === undefined) return `the client certificate of ${owner} is not a PEM certificate`;
  const privateKey = attempt(() => createPrivateKey(key));
  if (privateKey === undefined) return `the client key of ${owner} is not a PEM private key`;
  if (!certificate.checkPrivateKey(privateKey)) return `the client key of ${owner} does not match the client certificate`;
  const end = Date.parse(certificate.validTo);
  if (end > nowMs) return undefined;
  return `the client certificate of ${owner} expired at ${new Date(end).toISOString()}; renew it`;
}

/** What is thrown inside this file only. */
class Unusable extends Error {}

function fetchAll(recipe: Recipe, nowMs: number): Credentials {
  const user = `user ${quote(recipe.userName)}`;
  const ca = fetch(recipe.ca, 'the certificate authority');
  if (ca !== undefined && attempt(() => new X509Certificate(ca)) === undefined)
    throw new Unusable('the certificate authority is not a PEM certificate');
  const clientCert = fetch(recipe.clientCert, `the client certificate of ${user}`);
  const clientKey = fetch(recipe.clientKey, `the client key of ${user}`);
  if (clientCert !== undefined && clientKey !== undefined) {
    const problem = clientPairProblem(user, clientCert, clientKey, nowMs);
    if (problem !== undefined) throw new Unusable(problem);
  }
  const token = fetch(recipe.token, `the token of ${user}`)?.trim();
  if (token !== undefined && !/^[\x21-\x7e]+$/u.test(token))
    throw new Unusable(`the token of ${user} is empty or has characters that no header can carry`);
  return {
    verify: recipe.skipVerify ? 'skip' : 'full',
    headers: recipe.headers,
    ...(recipe.serverName === undefined ? {} : { serverName: recipe.serverName }),
    ...(ca === undefined ? {} : { ca }),
    ...(clientCert === undefined ? {} : { clientCert }),
    ...(clientKey === undefined ? {} : { clientKey }),
    ...(token === undefined ? {} : { token }),
  };
}

function fetch(material: Material | undefined, what: string): string | undefined {
  if (material?.from !== 'file') return material?.data;
  try {
    return readFileSync(material.path, 'utf8');
  } catch (cause) {
    throw new Unusable(`${what} cannot be read from ${quote(material.path)}: ${fileProblem(cause)}`);
  }
}

/** Why a file cannot be read, in words. */
export function fileProblem(cause: unknown): string {
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
  switch (code) {
    case 'ENOENT':
      return 'there is no such file';
    case 'EACCES':
      return 'permission denied';
    case 'EISDIR':
      return 'it is a folder';
    default:
      return typeof code === 'string' ? code : String(cause);
  }
}

function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined; // the caller has the words for it
  }
}
