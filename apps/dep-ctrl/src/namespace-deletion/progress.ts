// How far the deletion of a namespace is: a bar on a terminal, and elsewhere a line where something has changed.
import type { Output } from '@dep-ctrl/command-settings';
import { printFirst } from '@dep-ctrl/exported-types';
import type { LeftObject } from './next-step.js';

/** How far it is. */
export interface Progress {
  /** The most objects that were seen at once. */
  readonly most: number;
  readonly left: readonly LeftObject[];
  /** What it waits for beside the objects. */
  readonly note?: string;
}

const MOST_FINALIZERS = 3;
const BAR = 24;

/** `12 of 40 objects are gone; 3 wait for their finalizers (a/b)`. Pure. */
export function progressText({ most, left, note }: Progress): string {
  const waiting = left.filter(({ isTerminating, finalizers }) => isTerminating && finalizers.length > 0);
  const names = [...new Set(waiting.flatMap(({ finalizers }) => finalizers))].sort();
  const shown = printFirst(names, { most: MOST_FINALIZERS });
  const parts = [
    `${String(Math.max(0, most - left.length))} of ${String(most)} objects are gone`,
    ...(waiting.length === 0 ? [] : [`${String(waiting.length)} wait for their finalizers (${shown})`]),
    ...(note === undefined ? [] : [note]),
  ];
  return parts.join('; ');
}

/** The same with a bar before it. Pure. */
export function progressBar(progress: Progress): string {
  const { most, left } = progress;
  const full = most === 0 ? BAR : Math.round((Math.max(0, most - left.length) / most) * BAR);
  return `[${'#'.repeat(full)}${'.'.repeat(BAR - full)}] ${progressText(progress)}`;
}

/** Shows progress. Both callbacks write to the output at once. */
export function showProgress(output: Output): { readonly show: (progress: Progress) => void; readonly end: () => void } {
  let last = '';
  return {
    show: (progress) => {
      const text = output.isTerminal ? progressBar(progress) : progressText(progress);
      if (text === last) return;
      last = text;
      output.write(output.isTerminal ? `\r\u001B[K${text}` : `${text}\n`);
    },
    end: () => {
      if (output.isTerminal && last !== '') output.write('\n');
    },
  };
}
