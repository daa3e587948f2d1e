import type { VirtualWorkspaceUrl } from '@dep-ctrl/kcp-client';

const NONE: readonly string[] = [];

/** Keys that wait until their endpoint has listed all types of the controller. */
export class HeldKeys {
  readonly #held = new Map<VirtualWorkspaceUrl, Set<string>>();

  get size(): number {
    return [...this.#held.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Answers whether it is the first one of this endpoint. */
  hold(endpoint: VirtualWorkspaceUrl, key: string): boolean {
    const held = this.#held.get(endpoint);
    held?.add(key);
    if (held === undefined) this.#held.set(endpoint, new Set([key]));
    return held === undefined;
  }

  release(endpoint: VirtualWorkspaceUrl): Iterable<string> {
    const held = this.#held.get(endpoint);
    this.#held.delete(endpoint);
    return held ?? NONE;
  }
}
