// What compiles and what does not, for callers with types of their own. The type check reads the lines below `@ts-expect-error`: an error that is missing
// there is one.
import type { V1ConfigMap } from '@kubernetes/client-node';
import { describe, expect, it } from '@jest/globals';
import {
  ClusterClient,
  ExportEndpoints,
  isKcpError,
  KcpError,
  Reflector,
  workspacePath,
  type KcpErrorCode,
  type KubeObject,
  type Parsed,
  type RawRequest,
  type Requester,
} from '../index.js';

/** As an operator writes its types: no index signature. */
interface Widget {
  readonly apiVersion: string;
  readonly kind: 'Widget';
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec: { readonly size: number };
}

const WIDGETS = { group: 'example.com', version: 'v1', resource: 'widgets' };
const CONFIG_MAPS = { group: '', version: 'v1', resource: 'configmaps' };
const widget: Widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec: { size: 3 } };
const { signal } = new AbortController();

describe('calls with types of the caller', () => {
  it('given an interface without index signature, then it is taken and given', async () => {
    const { client, sent } = answering(widget);

    const got = await client.get<Widget>(WIDGETS, { name: 'w' }, { signal });
    const created = await client.create<Widget>(WIDGETS, widget, { signal });
    const replaced = await client.replace<Widget>(WIDGETS, got, { signal });
    const patched = await client.patch<Widget>(WIDGETS, { name: 'w' }, { kind: 'merge', body: {} }, { signal });
    const status = await client.replaceStatus<Widget>(WIDGETS, created, { signal });

    expect([got, created, replaced, patched, status].map(({ spec }) => spec.size)).toEqual([3, 3, 3, 3, 3]);
    expect(sent.map(({ method }) => method)).toEqual(['GET', 'POST', 'PUT', 'PATCH', 'PUT']);
  });

  it('given a class of client-node, then it is taken and given', async () => {
    // eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment -- as users of client-node write it
    const configMap: V1ConfigMap = { metadata: { name: 'c', namespace: 'default' }, data: { a: '1' } };
    const { client, sent } = answering(configMap);

    const { data } = await client.create<V1ConfigMap>(CONFIG_MAPS, configMap, { signal });

    expect([data, sent.map(({ url }) => url)]).toEqual([{ a: '1' }, ['https://kcp/clusters/root:a/api/v1/namespaces/default/configmaps']]);
  });

  it('given no type, then the answer is an object of unknown content, whatever it is put into', async () => {
    const { client } = answering(widget);

    const object: KubeObject = await client.get(WIDGETS, { name: 'w' }, { signal });
    // @ts-expect-error nobody has said that this is a Widget
    const wrong: Widget = await client.get(WIDGETS, { name: 'w' }, { signal });
    // @ts-expect-error what a spec holds is unknown
    const size: unknown = object['spec'].size;

    expect([wrong.spec.size, size]).toEqual([3, 3]);
  });

  it('given a parser, then its type is the answer', async () => {
    const { client } = answering(widget);

    const size: number = await client.get(WIDGETS, { name: 'w' }, { parse: sizeOf, signal });

    expect(size).toBe(3);
  });

  it('given an object that the parser does not take, then that is an invalid answer that says why', async () => {
    const { client } = answering({ ...widget, spec: {} });

    const asked = client.get(WIDGETS, { name: 'w' }, { parse: sizeOf, signal });

    await expect(asked).rejects.toMatchObject({ code: 'invalid-response' });
    await expect(asked).rejects.toThrow('cannot get widgets.example.com "w" in "root:a" at https://kcp: spec.size is no number');
  });

  it('given a namespace that may be undefined, then it is as if it were not there', async () => {
    const { client, sent } = answering(widget);
    const { namespace } = widget.metadata;

    await client.get(WIDGETS, { name: 'w', namespace }, { signal, timeoutMs: undefined });
    await client.delete(WIDGETS, { name: 'w', namespace }, { signal, preconditions: undefined });

    expect(new Set(sent.map(({ url }) => url))).toEqual(new Set(['https://kcp/clusters/root:a/apis/example.com/v1/widgets/w']));
  });
});

describe('callbacks', () => {
  it('given an async onEvent, then it does not compile: nobody would hear of its rejection', () => {
    const { client } = answering(widget);
    const takes = async (): Promise<void> => Promise.resolve();

    // @ts-expect-error a promise that nobody waits for
    const reflector = new Reflector({ client, type: WIDGETS, onEvent: takes });
    const endpoints = new ExportEndpoints({
      connection: { virtualWorkspace: () => Promise.reject(new Error('none')) as never },
      workspace: client,
      exportName: 'e',
      types: [],
      // @ts-expect-error a promise that nobody waits for
      onEvent: async () => Promise.resolve(),
    });

    expect([reflector, endpoints]).toHaveLength(2);
  });

  it('given an onEvent that returns nothing, in any of the usual forms, then it compiles', () => {
    const { client } = answering(widget);
    const told: string[] = [];
    const hear = (kind: string): void => void told.push(kind);
    const forms = [
      new Reflector({ client, type: WIDGETS, onEvent: ({ kind }) => hear(kind) }),
      new Reflector({ client, type: WIDGETS, onEvent: ({ kind }) => void told.push(kind) }),
      new Reflector({
        client,
        type: WIDGETS,
        onEvent({ kind }) {
          told.push(kind);
        },
      }),
    ];

    expect(forms).toHaveLength(3);
  });
});

describe(isKcpError, () => {
  const thrown: unknown = new KcpError({ code: 'conflict', asked: 'x', at: 'y', problem: 'z' });

  it('given codes, then the code of the error is one of them, for the compiler too', () => {
    if (!isKcpError(thrown, 'conflict', 'already-exists')) throw new Error('it is one');
    const code: 'conflict' | 'already-exists' = thrown.code;
    // @ts-expect-error it is one of those two
    const other: 'conflict' | 'expired' = thrown.code;

    expect([code, other]).toEqual(['conflict', 'conflict']);
  });

  it('given no code, or codes that are known only when it runs, then it may be any', () => {
    const codes: readonly KcpErrorCode[] = ['conflict'];
    if (!isKcpError(thrown) || !isKcpError(thrown, ...codes)) throw new Error('it is one');
    const code: KcpErrorCode = thrown.code;

    expect(code).toBe('conflict');
  });

  it('given a code that is none, then it does not compile', () => {
    // @ts-expect-error there is no such code
    expect(isKcpError(thrown, 'conflikt')).toBe(false);
  });
});

function sizeOf({ spec }: KubeObject): Parsed<number> {
  const { size } = (spec ?? {}) as { readonly size?: unknown };
  return typeof size === 'number' ? { ok: true, value: size } : { ok: false, problem: 'spec.size is no number' };
}

/** A client whose every request is answered with the object. */
function answering(object: object): { readonly client: ClusterClient; readonly sent: readonly RawRequest[] } {
  const sent: RawRequest[] = [];
  const requester: Requester = {
    request: (request) => {
      sent.push(request);
      return Promise.resolve({ status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(object)) });
    },
    open: () => Promise.reject(new Error('nothing is watched here')),
  };
  return { client: new ClusterClient(requester, { baseUrl: 'https://kcp', address: workspacePath('root:a') }), sent };
}
