// Runs the credential plugin of a kubeconfig: one process at a time, its answer kept until shortly before it expires.
import { spawn, type ChildProcess } from 'node:child_process';
import { quote } from '@dep-ctrl/kcp-names';
import type { Clock } from '../time/clock.js';
import type { Credentials } from '../http/credentials.js';
import { isFields, textOf } from './kubeconfig-entries.js';
import { clientPairProblem } from './read-material.js';
import type { ExecRecipe } from './recipe.js';

/** The bounds of a plugin. */
export interface ExecBounds {
  readonly timeoutMs: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Pick<Clock, 'now'>;
}

interface Printed {
  readonly credentials: Pick<Credentials, 'token' | 'clientCert' | 'clientKey'>;
  readonly expiresAtMs: number;
}

// A token should not expire while the request that carries it is on its way.
const EXPIRY_MARGIN_MS = 10_000;
const MAX_OUTPUT = 1024 * 1024;

/** The credentials that a plugin prints. */
export class ExecPlugin {
  readonly #recipe: ExecRecipe;
  readonly #bounds: ExecBounds;
  #printed: Printed | undefined;
  #running: Promise<Printed> | undefined;

  constructor(recipe: ExecRecipe, bounds: ExecBounds) {
    this.#recipe = recipe;
    this.#bounds = bounds;
  }

  /** Answers from memory while that is valid, unless `fresh`. Concurrent callers share one process. Throws a one-line Error. */
  async credentials({ fresh }: { readonly fresh: boolean }): Promise<Printed['credentials']> {
    const known = this.#printed;
    if (!fresh && known !== undefined && known.expiresAtMs - EXPIRY_MARGIN_MS > this.#bounds.clock.now()) return known.credentials;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    this.#printed = await this.#running;
    return this.#printed.credentials;
  }

  async #run(): Promise<Printed> {
    return parseOutput(this.#recipe, await this.#output(), this.#bounds.clock.now());
  }

  #output(): Promise<string> {
    const { command, args, env, apiVersion, cluster, installHint } = this.#recipe;
    const info = { apiVersion, kind: 'ExecCredential', spec: { interactive: false, ...(cluster === undefined ? {} : { cluster }) } };
    return new Promise((resolve, reject) => {
      const fail = (problem: string): void => reject(new Error(`the exec plugin ${quote(command)} ${problem}`));
      const child = spawn(command, [...args], {
        env: { ...this.#bounds.env, ...env, KUBERNETES_EXEC_INFO: JSON.stringify(info) },
        stdio: ['ignore', 'pipe', 'pipe'],
        windowsHide: true,
        detached: process.platform !== 'win32', // a group of its own: what the plugin started ends with it
      });
      const kill = (): void => {
        killGroup(child);
        child.stdout.destroy();
        child.stderr.destroy();
      };
      let [out, said] = ['', ''];
      const timer = setTimeout(() => {
        kill();
        fail(`gave no answer within ${String(this.#bounds.timeoutMs)} ms`);
      }, this.#bounds.timeoutMs);
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        out += text;
        if (out.length <= MAX_OUTPUT) return;
        kill();
        fail(`printed more than ${String(MAX_OUTPUT)} characters`);
      });
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        said = `${said}${text}`.slice(-1_000);
      });
      child.on('error', (cause) => {
        clearTimeout(timer);
        const missing = 'code' in cause && cause.code === 'ENOENT';
        fail(
          missing ? `is not installed${installHint === '' ? '' : `: ${firstLine(installHint)}`}` : `cannot be started: ${cause.message}`,
        );
      });
      child.on('close', (code, killedBy) => {
        clearTimeout(timer);
        if (code === 0) resolve(out);
        else
          fail(
            `failed with ${code === null ? String(killedBy) : `exit code ${String(code)}`}${said.trim() === '' ? '' : `: ${lastLine(said)}`}`,
          );
      });
    });
  }
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // it has ended by itself
  }
}

function parseOutput({ command, apiVersion }: ExecRecipe, output: string, nowMs: number): Printed {
  const fail = (problem: string): Error => new Error(`the exec plugin ${quote(command)} ${problem}`);
  let printed: unknown;
  try {
    printed = JSON.parse(output);
  } catch {
    throw fail(`printed ${String(output.length)} characters that are not JSON`); // its output may hold secrets
  }
  if (!isFields(printed) || printed['kind'] !== 'ExecCredential' || !isFields(printed['status']))
    throw fail('printed no ExecCredential with a status');
  if (printed['apiVersion'] !== apiVersion) throw fail(`answered in another apiVersion than ${apiVersion}`);
  const { status } = printed;
  const [token, clientCert, clientKey] = [
    textOf(status['token']),
    textOf(status['clientCertificateData']),
    textOf(status['clientKeyData']),
  ];
  const expiry = textOf(status['expirationTimestamp']);
  const expiresAtMs = expiry === undefined ? Infinity : Date.parse(expiry);
  if (Number.isNaN(expiresAtMs)) throw fail('printed an expirationTimestamp that is no time');
  const pair = clientCert !== undefined && clientKey !== undefined ? { clientCert, clientKey } : undefined;
  if (token === undefined && pair === undefined) throw fail('printed neither a token nor a client certificate with its key');
  const problem = pair === undefined ? undefined : clientPairProblem('its answer', pair.clientCert, pair.clientKey, nowMs);
  if (problem !== undefined) throw fail(`printed what cannot be used: ${problem}`);
  return { credentials: { ...(token === undefined ? {} : { token }), ...pair }, expiresAtMs };
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0] ?? '';
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
