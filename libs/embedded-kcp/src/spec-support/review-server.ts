import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { CertificateAuthority } from '../http/certificates.js';

/** The part of a review that specs decide on. */
export interface Review {
  readonly uid: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly operation: string;
  readonly object: unknown;
  readonly oldObject: { readonly metadata: { readonly name: string; readonly annotations: Readonly<Record<string, string>> } };
  readonly userInfo: { readonly username: string };
}

/** A webhook for specs. It refuses with the text that `judge` gives, and allows otherwise. */
export class ReviewServer {
  readonly url: string;
  readonly caBundle: string;
  readonly #server: Server;

  private constructor(server: Server, ca: string) {
    this.#server = server;
    this.url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/validate`;
    this.caBundle = Buffer.from(ca).toString('base64');
  }

  static async start(judge: (review: Review) => string | undefined): Promise<ReviewServer> {
    const authority = await CertificateAuthority.create('webhook-ca');
    const server = createServer(await authority.serving(['127.0.0.1']), (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const review = (JSON.parse(Buffer.concat(chunks).toString()) as { request: Review }).request;
        const message = judge(review);
        const status = { code: 403, reason: 'Forbidden', message };
        const answer = { uid: review.uid, allowed: message === undefined, ...(message === undefined ? {} : { status }) };
        response.end(JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: answer }));
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ReviewServer(server, authority.pem);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
