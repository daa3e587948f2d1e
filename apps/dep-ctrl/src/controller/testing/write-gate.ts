// Lets the writes of a controller through one by one: each is carried out, but its answer waits until the next step.
import type { EmbeddedKcp } from '@dep-ctrl/embedded-kcp';
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';

const WRITES = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** See above. Only writes through virtual workspaces into the given clusters are held. */
export class WriteGate {
  readonly #kcp: EmbeddedKcp;
  readonly #path: RegExp;
  #passed: number;
  #open: readonly (() => void)[];

  constructor(kcp: EmbeddedKcp, clusters: readonly LogicalClusterName[]) {
    this.#kcp = kcp;
    this.#path = new RegExp(`/services/apiexport/.*/clusters/(?:${clusters.join('|')})/`);
    this.#passed = this.#arrived();
    this.#open = this.#close();
  }

  /** Whether a write waits for its answer. */
  isHolding(): boolean {
    return this.#arrived() > this.#passed;
  }

  /** Answers what waits; the next write waits again. */
  step(): void {
    const next = this.#close();
    this.#passed = this.#arrived();
    this.open();
    this.#open = next;
  }

  /** Lets everything through from now on. */
  open(): void {
    for (const open of this.#open) open();
    this.#open = [];
  }

  #close(): readonly (() => void)[] {
    return WRITES.map((method) => this.#kcp.faults.onRequest({ method, path: this.#path }, { kind: 'hold' }));
  }

  #arrived(): number {
    return WRITES.reduce((sum, method) => sum + this.#kcp.requests.count({ method, path: this.#path }), 0);
  }
}
