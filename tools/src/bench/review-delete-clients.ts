// Clients that delete objects of one workspace through kcp, and take the time of each delete.

import type { GroupVersionResource, LogicalClusterName } from '@dep-ctrl/kcp-names';
import { Agent, request } from 'undici';
import type { KcpAdmin } from './review-kubeconfig.js';

/** What kcp did with a delete. */
export type Verdict = 'allowed' | 'refused';

/** One answer. */
export interface Deleted {
  readonly verdict: Verdict;
  readonly ms: number;
}

/** What many deletes took. */
export interface DeletedAll {
  /** Of each delete. */
  readonly times: readonly number[];
  readonly perSecond: number;
}

/** At most one request at a time for each connection. */
export class DeleteClients {
  readonly #agent: Agent;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #workspaceUrl: string;

  constructor({ baseUrl, access: { token, ...tls } }: KcpAdmin, workspace: LogicalClusterName, connections: number) {
    this.#agent = new Agent({ connect: tls, connections });
    this.#headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    this.#workspaceUrl = `${baseUrl}/clusters/${workspace}`;
  }

  /** Deletes one object; with `dryRun` kcp asks its webhooks, and keeps the object. Throws where kcp neither deletes nor says 403. */
  async delete(
    { group, version, resource }: GroupVersionResource,
    name: string,
    { dryRun = false }: { readonly dryRun?: boolean } = {},
  ): Promise<Deleted> {
    const url = `${this.#workspaceUrl}/apis/${group}/${version}/namespaces/default/${resource}/${name}${dryRun ? '?dryRun=All' : ''}`;
    const begunMs = performance.now();
    const { statusCode, body } = await request(url, { dispatcher: this.#agent, method: 'DELETE', headers: this.#headers });
    const text = await body.text();
    const ms = performance.now() - begunMs;
    if (statusCode === 200) return { verdict: 'allowed', ms };
    if (statusCode === 403) return { verdict: 'refused', ms };
    throw new Error(`delete ${resource}/${name}: ${statusCode} ${text.slice(0, 500)}`);
  }

  /** Deletes all these objects, so many at a time. Throws where one verdict is not as expected. */
  async deleteAll(
    type: GroupVersionResource,
    names: readonly string[],
    { clients, expected }: { readonly clients: number; readonly expected: Verdict },
  ): Promise<DeletedAll> {
    const left = [...names];
    const times: number[] = [];
    const client = async (): Promise<void> => {
      for (let name = left.shift(); name !== undefined; name = left.shift()) {
        const { verdict, ms } = await this.delete(type, name);
        if (verdict !== expected) throw new Error(`delete ${type.resource}/${name} of ${type.group} was ${verdict}`);
        times.push(ms);
      }
    };
    const begunMs = performance.now();
    await Promise.all(Array.from({ length: clients }, client));
    return { times, perSecond: (names.length * 1_000) / (performance.now() - begunMs) };
  }

  /** Repeats a dry-run delete until it comes to this. Throws after a minute. */
  async until(expected: Verdict, type: GroupVersionResource, name: string): Promise<void> {
    const untilMs = performance.now() + 60_000;
    while ((await this.delete(type, name, { dryRun: true })).verdict !== expected) {
      if (performance.now() > untilMs) throw new Error(`delete ${type.resource}/${name} of ${type.group} never was ${expected}`);
    }
  }

  close(): Promise<void> {
    return this.#agent.close();
  }
}
