// What every measurement of the review bench needs: where kcp is, what is in it, and the program to measure.

import type { KcpAdmin } from './review-kubeconfig.js';
import { WebhookProcess } from './review-process.js';
import type { ReaderProcess } from './review-reader.js';
import type { ReviewWorld } from './review-world.js';

/** Reviews at a time, where many are asked at once. */
export const PARALLEL = 50;

/** Where it is measured. */
export interface Site {
  readonly admin: KcpAdmin;
  readonly bundle: string;
  readonly world: ReviewWorld;
  readonly reader: ReaderProcess;
  readonly isEmbedded: boolean;
  /** For the measured process. */
  readonly nodeFlags: readonly string[];
}

/** A webhook in a process of its own. */
export function startWebhook({ bundle, admin, world, nodeFlags }: Site): Promise<WebhookProcess> {
  return WebhookProcess.start([...nodeFlags, bundle], admin.kubeconfigFor(world.paths.depCtrl), PARALLEL);
}

/** What they have in common. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0) / values.length;
}

/** The one in the middle. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
