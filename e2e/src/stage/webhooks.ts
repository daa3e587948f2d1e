// A webhook server on the loopback address, one path per case, and the configurations that make kcp call it.
import { createServer, type Server } from 'node:https';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Authority } from '../backends/pki.js';
import type { KubeBody, Tree } from '../https/kube-body.js';
import { eventually } from './eventually.js';
import { NETWORK } from './example-types.js';
import { network, paths } from './exports.js';
import type { Stage } from './stage.js';

/** What kcp asked. */
export interface Review {
  readonly uid: string;
  readonly operation: string;
  readonly kind: Tree;
  readonly resource: Tree;
  readonly requestKind?: Tree;
  readonly requestResource?: Tree;
  readonly name?: string;
  readonly namespace?: string;
  readonly userInfo: { readonly username?: string; readonly groups?: readonly string[]; readonly extra?: Tree };
  readonly object: KubeBody | null;
  readonly oldObject: KubeBody | null;
  readonly dryRun?: boolean;
  readonly options: Tree | null;
}

/** What came in besides the review. */
export interface Asked {
  readonly review: Review;
  /** Path and query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** The response of a review without its uid, or bytes to send as they are, or nothing ever. */
export type WebhookReply = Tree | { readonly raw: string; readonly status?: number } | 'hang';

/** How a webhook replies. */
export type Replies = (review: Review) => WebhookReply;

/** Lets everything pass. */
export const ALLOW: Replies = () => ({ allowed: true });

/** Refuses as a careful webhook does: with code and reason. */
export function deny(message: string): Replies {
  return () => ({ allowed: false, status: { code: 403, reason: 'Forbidden', message } });
}

/** One path of the server. */
export interface Webhook {
  readonly url: string;
  readonly caBundle: string;
  /** Everything kcp asked so far. */
  readonly asked: readonly Asked[];
}

/** The server. */
export class WebhookServer {
  readonly #server: Server;
  readonly #ca: string;
  readonly #paths = new Map<string, { readonly replies: Replies; readonly asked: Asked[] }>();

  private constructor(server: Server, ca: string) {
    this.#server = server;
    this.#ca = ca;
    server.on('request', (request: IncomingMessage, response: ServerResponse) => void this.#serve(request, response));
  }

  /** Starts it on a free port. */
  static async start(): Promise<WebhookServer> {
    const authority = await Authority.create('dep-ctrl-e2e-webhooks');
    const server = createServer(await authority.server());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new WebhookServer(server, authority.pair.cert);
  }

  /** Opens a path that replies like this. */
  open(path: string, replies: Replies): Webhook {
    const asked: Asked[] = [];
    this.#paths.set(`/${path}`, { replies, asked });
    const { port } = this.#server.address() as AddressInfo;
    return { url: `https://127.0.0.1:${port}/${path}`, caBundle: Buffer.from(this.#ca).toString('base64'), asked };
  }

  /** Ends it, hanging calls included. */
  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const url = request.url ?? '';
    const route = this.#paths.get(url.split('?')[0] ?? '');
    if (route === undefined) {
      response.writeHead(404).end();
      return;
    }
    const { request: review } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { request: Review };
    route.asked.push({ review, url, headers: request.headers });
    const reply = route.replies(review);
    if (reply === 'hang') return;
    const { raw, status = 200 } = reply as { readonly raw?: string; readonly status?: number };
    const body =
      raw ?? JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: { uid: review.uid, ...reply } });
    response.writeHead(raw === undefined ? 200 : status, { 'content-type': 'application/json' }).end(body);
  }
}

/** The rule of a webhook for one operation on one resource of the example provider. */
export function ruleFor(resource: string, operation = 'DELETE'): Tree {
  return { operations: [operation], apiGroups: [NETWORK], apiVersions: ['*'], resources: [resource], scope: '*' };
}

/** One entry of a configuration. */
export function webhookEntry(name: string, hook: Pick<Webhook, 'url' | 'caBundle'>, more: Tree = {}): Tree {
  return {
    name,
    clientConfig: { url: hook.url, caBundle: hook.caBundle },
    rules: [ruleFor('vpcs')],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    ...more,
  };
}

/** A ValidatingWebhookConfiguration as it is sent. */
export function webhookConfiguration(name: string, entries: readonly Tree[]): Tree {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name },
    webhooks: entries,
  };
}

/** A webhook of the shared example provider that is asked about the objects of one case only. */
export interface CaseWebhook extends Webhook {
  /** The entry's name, as it appears in refusals. */
  readonly name: string;
  /** The labels of the objects it is asked about. */
  readonly labels: Readonly<Record<string, string>>;
  /** Path of its configuration. */
  readonly configuration: string;
}

/** Installs it: objects that carry its labels are reviewed, in every consumer of the shared provider. It is not in force yet. */
export async function install(kcp: Stage, replies: Replies, more: Tree = {}): Promise<CaseWebhook> {
  const provider = await network(kcp);
  const id = kcp.unique('hook');
  const hook = kcp.webhooks.open(id, replies);
  const name = `${id}.example.com`;
  const labels = { case: id };
  const entry = webhookEntry(name, hook, { objectSelector: { matchLabels: labels }, ...more });
  const configurations = paths(provider.workspace).webhooks;
  (await kcp.admin.post(configurations, webhookConfiguration(id, [entry]))).expect(201);
  return { ...hook, name, labels, configuration: `${configurations}/${id}` };
}

/** Waits until a webhook is in force: until a dry run of deleting this object is answered as told. */
export async function inForce(kcp: Stage, object: string, status: number): Promise<void> {
  await eventually(`the webhook is in force for ${object}`, async () => {
    (await kcp.admin.delete(`${object}?dryRun=All`)).expect(status);
  });
}
