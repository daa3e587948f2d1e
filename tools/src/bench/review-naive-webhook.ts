// What dep-ctrl is compared with where deletes go through kcp: a webhook in a process of its own that reads one unpaged list per review,
// parses it whole, and refuses if some object refers to the subject. Under /refuse it refuses everything and reads nothing.

import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { GroupVersionResource, KubeObject } from '@dep-ctrl/kcp-names';
import { Agent, request } from 'undici';
import { mintAuthority, mintServingPair } from '@dep-ctrl/admission-server';
import type { KcpAdmin } from './review-kubeconfig.js';
import type { ReaderAccess } from './review-reader.js';

const KEEP_ALIVE_MS = 60_000;

/** Which objects it lists, and the path of the reference in them. */
export interface NaiveQuestion {
  readonly dependent: GroupVersionResource;
  readonly path: string;
}

/** What the process is told; goes through the environment. */
interface NaiveSettings extends NaiveQuestion {
  readonly baseUrl: string;
  readonly access: ReaderAccess;
  readonly certificate: string;
  readonly key: string;
}

/** The process of the naive webhook. */
export class NaiveWebhook {
  readonly #child: ChildProcess;
  readonly #url: string;
  readonly #ca: string;

  private constructor({ child, url, ca }: { readonly child: ChildProcess; readonly url: string; readonly ca: string }) {
    this.#child = child;
    this.#url = url;
    this.#ca = ca;
  }

  /** Starts it and waits until it listens. */
  static async start(file: string, { baseUrl, access }: KcpAdmin, question: NaiveQuestion): Promise<NaiveWebhook> {
    const authority = await mintAuthority(Date.now());
    const { certificate, key } = await mintServingPair(authority, ['127.0.0.1'], Date.now());
    const settings: NaiveSettings = { ...question, baseUrl, access, certificate, key };
    const child = fork(file, ['naive-webhook'], { env: { ...process.env, NAIVE_WEBHOOK: JSON.stringify(settings) } });
    const [port] = (await once(child, 'message')) as [number];
    return new NaiveWebhook({ child, url: `https://127.0.0.1:${port}`, ca: authority.certificate });
  }

  /** The configuration by which kcp asks it about deletes of a type. */
  configuration({ group, resource }: GroupVersionResource, answer: 'validate' | 'refuse'): KubeObject {
    return {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: `naive-${answer}` },
      webhooks: [
        {
          name: 'naive.bench.example.com',
          clientConfig: { url: `${this.#url}/${answer}`, caBundle: Buffer.from(this.#ca).toString('base64') },
          rules: [{ operations: ['DELETE'], apiGroups: [group], apiVersions: ['*'], resources: [resource], scope: '*' }],
          failurePolicy: 'Fail',
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
          timeoutSeconds: 10,
        },
      ],
    };
  }

  stop(): void {
    this.#child.disconnect();
  }
}

interface Review {
  readonly uid: string;
  readonly oldObject: { readonly metadata: { readonly name: string; readonly annotations: Readonly<Record<string, string>> } };
}

/** The other side: answers until the parent goes. */
export async function serveNaiveWebhook(): Promise<void> {
  const { dependent, path, baseUrl, access, certificate, key } = JSON.parse(process.env['NAIVE_WEBHOOK'] ?? '{}') as NaiveSettings;
  const { ca, token, ...client } = access;
  const agent = new Agent({ connect: { ca, ...client } });
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const steps = path.split('.').slice(1);
  const isReferred = async ({ oldObject: { metadata } }: Review): Promise<boolean> => {
    const cluster = metadata.annotations['kcp.io/cluster'] ?? '';
    const url = `${baseUrl}/clusters/${cluster}/apis/${dependent.group}/${dependent.version}/${dependent.resource}`;
    const { statusCode, body } = await request(url, { dispatcher: agent, headers });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`${url}: ${statusCode} ${text.slice(0, 200)}`);
    const { items } = JSON.parse(text) as { readonly items: readonly object[] };
    return items.some((item) => steps.reduce((node: unknown, step) => (node as Record<string, unknown>)[step], item) === metadata.name);
  };
  const answer = async (asked: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { request: review } = JSON.parse(await textOf(asked)) as { readonly request: Review };
    const isRefused = asked.url?.startsWith('/refuse') === true || (await isReferred(review));
    const status = { code: 403, reason: 'Forbidden', message: 'it is referred to' };
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        kind: 'AdmissionReview',
        apiVersion: 'admission.k8s.io/v1',
        response: { uid: review.uid, allowed: !isRefused, ...(isRefused && { status }) },
      }),
    );
  };
  const server = createServer({ cert: certificate, key, keepAliveTimeout: KEEP_ALIVE_MS }, (asked, response) => {
    // kcp refuses what it gets no answer for, and the bench stops there.
    answer(asked, response).catch((failure: unknown) => response.destroy(failure as Error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.on('disconnect', () => {
    server.close();
    server.closeAllConnections();
    void agent.destroy();
  });
  process.send?.((server.address() as AddressInfo).port);
}

async function textOf(asked: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of asked) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
