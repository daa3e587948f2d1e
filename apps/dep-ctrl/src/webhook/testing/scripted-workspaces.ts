// Workspaces in memory, behind the port through which lookups read. Pages, Tables and failures as a spec asks for them; nothing is served
// that was not put there.
import { KcpError, type KcpErrorCode, type ListPage, type ListQuery, type TablePage, type TableQuery } from '@dep-ctrl/kcp-client';
import type { GroupVersionResource, KubeObject, LogicalClusterName } from '@dep-ctrl/kcp-names';
import { readFieldPath } from '@dep-ctrl/fieldpath';
import type { WorkspaceReader } from '@dep-ctrl/shared-lists';
import { defaultDescription } from '@dep-ctrl/exported-types';
import { path } from './objects.js';

/** One read of a workspace. */
export interface ScriptedRead {
  readonly cluster: string;
  readonly resource: string;
  readonly form: 'objects' | 'table' | 'named' | 'get';
  readonly namespace: string | undefined;
  /** How long the request may last at most; undefined: no limit was given. */
  readonly timeoutMs?: number;
}

/** Lets a read happen, fails it, or holds it until the promise resolves. */
export type Interference = (read: ScriptedRead) => KcpErrorCode | Promise<void> | undefined;

/** A printer column of a scripted Table. */
export interface ScriptedColumn {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
}

/** All workspaces of one scripted kcp. */
export class ScriptedWorkspaces {
  /** Everything that was read, in order. */
  readonly reads: ScriptedRead[] = [];
  /** Objects by cluster and resource. */
  readonly objects = new Map<string, KubeObject[]>();
  /** The columns that Tables are served with. */
  columns: readonly ScriptedColumn[] = [];
  /** Fails or holds reads. */
  interfere: Interference = () => undefined;
  /** Called before each page but the first of a list. */
  betweenPages: () => void = () => undefined;
  /** How many objects a page holds, however many were asked for. */
  pageSize = Infinity;

  /** Puts objects into a workspace. */
  put(cluster: string, resource: string, ...objects: readonly KubeObject[]): void {
    this.objects.set(`${cluster}/${resource}`, [...objects]);
  }

  /** One workspace. */
  readonly workspace = (cluster: LogicalClusterName): WorkspaceReader => ({
    getBytes: async (type, { name, namespace }, { timeoutMs, maxBytes }) => {
      await this.#read({ cluster, resource: type.resource, form: 'get', namespace, timeoutMs });
      const found = this.#of(cluster, type).find(({ metadata }) => metadata.name === name && metadata.namespace === namespace);
      if (found === undefined) throw failure('not-found');
      const bytes = Buffer.from(JSON.stringify(found));
      if (bytes.length > maxBytes) throw failure('too-large');
      return bytes;
    },
    list: (type, query) => this.#list(cluster, type, query),
    listTable: (type, query) => this.#listTable(cluster, type, query),
  });

  async *#list(cluster: string, type: GroupVersionResource, query: ListQuery): AsyncGenerator<ListPage> {
    const name = /^metadata\.name=(.*)$/.exec(query.fieldSelector ?? '')?.[1];
    await this.#read({ cluster, resource: type.resource, form: name === undefined ? 'objects' : 'named', namespace: query.namespace });
    const selected = this.#selected(cluster, type, query).filter(({ metadata }) => name === undefined || metadata.name === name);
    for (const { items, ...page } of this.#pages(selected, query)) {
      const bytes = Buffer.from(JSON.stringify({ kind: 'List', items }));
      yield { ...page, bytes, objects: () => items, objectsBy: () => Promise.resolve(items) };
    }
  }

  async *#listTable(cluster: string, type: GroupVersionResource, query: TableQuery): AsyncGenerator<TablePage> {
    await this.#read({ cluster, resource: type.resource, form: 'table', namespace: query.namespace });
    const { columns } = this;
    for (const { items, ...page } of this.#pages(this.#selected(cluster, type, query), query)) {
      const rows = items.map((item) => ({
        cells: [item.metadata.name, ...columns.map(({ jsonPath }) => readFieldPath(item, path(jsonPath))[0] ?? null)],
      }));
      const definitions = [
        { name: 'Name', type: 'string', format: 'name', description: '' },
        ...columns.map(({ name, type: of, jsonPath }) => ({ name, type: of, description: defaultDescription(jsonPath) })),
      ];
      const table = { kind: 'Table', apiVersion: 'meta.k8s.io/v1', metadata: {}, columnDefinitions: definitions, rows };
      yield { ...page, bytes: Buffer.from(JSON.stringify(table)), table: () => ({ columns: definitions, rows }) };
    }
  }

  *#pages(objects: readonly KubeObject[], { limit = 500 }: Pick<ListQuery, 'limit'>) {
    const size = Math.min(limit, this.pageSize);
    for (let at = 0; at === 0 || at < objects.length; at += size) {
      if (at > 0) this.betweenPages();
      const last = at + size >= objects.length;
      yield { items: objects.slice(at, at + size), resourceVersion: '1', last, restarted: false };
    }
  }

  #selected(cluster: string, type: GroupVersionResource, { namespace }: Pick<ListQuery, 'namespace'>): readonly KubeObject[] {
    return this.#of(cluster, type).filter(({ metadata }) => namespace === undefined || metadata.namespace === namespace);
  }

  #of(cluster: string, { resource }: GroupVersionResource): readonly KubeObject[] {
    return this.objects.get(`${cluster}/${resource}`) ?? [];
  }

  async #read(read: ScriptedRead): Promise<void> {
    this.reads.push(read);
    const answer = this.interfere(read);
    if (typeof answer === 'string') throw failure(answer);
    await answer;
  }
}

/** A failure as the client throws it. */
export function failure(code: KcpErrorCode): KcpError {
  return new KcpError({ code, asked: 'list', at: 'https://kcp', problem: 'scripted' });
}
