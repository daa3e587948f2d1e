/** A moment as Kubernetes writes it: RFC 3339 in whole seconds. */
export function timestamp(nowMs: number): string {
  return `${new Date(nowMs).toISOString().slice(0, 19)}Z`;
}
