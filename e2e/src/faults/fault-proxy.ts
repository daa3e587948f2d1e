import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Authority, type KeyPair } from '../backends/pki.js';
import type { Caller, ProxyFault, RequestMatch } from './fault.js';
import type { NumberedOrder, OrderAnswer, ProxyOrder } from './proxy-process.js';
import type { ProxyAddresses } from './proxy-server.js';

/** A fault in force, as the suite sees it. */
export interface Break {
  /** How many requests it has broken. */
  hits(): Promise<number>;
  mend(): Promise<void>;
}

/** The proxies between one installation of dep-ctrl and every server of its kcp, in a process of their own. */
export class FaultProxy {
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  #addresses: ProxyAddresses | undefined;
  #orders = 0;
  #faults = 0;
  /** PEM that verifies them, and nothing else: a role that trusts only this reaches kcp in no other way. */
  readonly ca: string;

  private constructor(process: ChildProcess, ca: string) {
    this.#process = process;
    this.ca = ca;
    process.on('message', (answer: OrderAnswer) => this.#heard(answer));
    process.once('exit', (code) => {
      for (const number of [...this.#waiting.keys()]) this.#heard({ number, problem: `the proxy ended (${String(code)})` });
    });
  }

  /** Starts them. Each request that passes is a line of the log. */
  static async start(wish: { readonly servers: readonly string[]; readonly ca: string; readonly logFile: string }): Promise<FaultProxy> {
    const authority = await Authority.create('dep-ctrl-e2e-fault-proxy');
    const log = openSync(wish.logFile, 'a');
    // Advanced serialization carries patterns as they are.
    const child = fork(fileURLToPath(new URL('./proxy-process.mjs', import.meta.url)), {
      serialization: 'advanced',
      stdio: ['ignore', log, log, 'ipc'],
    });
    closeSync(log);
    const proxy = new FaultProxy(child, authority.pair.cert);
    const { servers, ca } = wish;
    const start = { servers, ca, serving: await authority.server() };
    proxy.#addresses = (await proxy.#order({ do: 'listen', start })) as ProxyAddresses;
    return proxy;
  }

  /** Where a role or a command reaches a server of kcp. */
  addressOf(server: string, caller: Caller): string {
    const address = this.#addresses?.[caller].get(server);
    if (address === undefined) throw new Error(`the proxy does not stand before ${server}`);
    return address;
  }

  /** Shows this certificate to kcp for whoever shows it to the proxy. */
  async present(pair: KeyPair): Promise<void> {
    await this.#order({ do: 'present', pair });
  }

  /** Makes every list come in pages of at most so many objects. */
  async limitPages(to: number): Promise<void> {
    await this.#order({ do: 'limit pages', to });
  }

  /** Breaks every request that matches, after so many that are spared, until mended. */
  async breakWhere(match: RequestMatch, fault: ProxyFault, { sparing = 0 }: { readonly sparing?: number } = {}): Promise<Break> {
    const number = (this.#faults += 1);
    await this.#order({ do: 'break', fault: number, wish: { match, fault, sparing } });
    return {
      hits: async () => (await this.#order({ do: 'count', fault: number })) as number,
      mend: async () => {
        await this.#order({ do: 'mend', fault: number });
      },
    };
  }

  /** Ends them and every connection. */
  async close(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await ended;
  }

  #order(order: ProxyOrder): Promise<unknown> {
    const number = (this.#orders += 1);
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      const numbered: NumberedOrder = { number, order };
      this.#process.send(numbered, (error) => {
        if (error !== null) this.#heard({ number, problem: `the proxy hears nothing: ${error.message}` });
      });
    });
  }

  #heard({ number, result, problem }: OrderAnswer): void {
    const waiting = this.#waiting.get(number);
    this.#waiting.delete(number);
    if (problem === undefined) waiting?.resolve(result);
    else waiting?.reject(new Error(problem));
  }
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}
