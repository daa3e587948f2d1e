import type { KubeBody } from './kube-body.js';

/** What a server answered. */
export class Answer {
  readonly asked: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;

  constructor(asked: string, status: number, headers: Readonly<Record<string, string | string[] | undefined>>, text: string) {
    this.asked = asked;
    this.status = status;
    this.headers = headers;
    this.text = text;
  }

  /** The body as JSON. Throws when it is none, with the text in the message. */
  get body(): KubeBody {
    try {
      return JSON.parse(this.text) as KubeBody;
    } catch {
      throw new Error(`${this.asked} answered ${this.status} without JSON: ${this.text.slice(0, 300)}`);
    }
  }

  /** This answer, once it is known to have this status; otherwise an error that shows the whole answer. */
  expect(status: number): this {
    if (this.status !== status) throw new Error(`${this.asked} answered ${this.status}, expected ${status}: ${this.text.slice(0, 1_000)}`);
    return this;
  }

  /** One header as text; empty when it is missing. */
  header(name: string): string {
    const value = this.headers[name.toLowerCase()];
    return Array.isArray(value) ? value.join(', ') : (value ?? '');
  }
}
