import { clusterOf, parseKubeObject, quote, type KubeObject } from '@dep-ctrl/kcp-names';
import { asStatus } from '../errors/failure.js';
import type { Status } from '../errors/kcp-error.js';
import type { Observed } from './reflector-event.js';

/** An object was added, changed or deleted. */
export interface ObjectLine {
  readonly kind: 'applied' | 'deleted';
  readonly object: Observed;
  readonly resourceVersion: string;
}

/** One line of a watch, understood. */
export type WatchLine =
  | ObjectLine
  /** Nothing missed up to here. `initialEnd` closes the objects of `sendInitialEvents`. */
  | { readonly kind: 'bookmark'; readonly resourceVersion: string; readonly initialEnd: boolean }
  /** The server gives up on this watch. */
  | { readonly kind: 'error'; readonly status: Status }
  /** No object with a logical cluster. Where it says a resourceVersion, the watch is past it. */
  | { readonly kind: 'undecodable'; readonly problem: string; readonly resourceVersion?: string };

const INITIAL_END = 'k8s.io/initial-events-end';

/** Understands a line of a watch; never throws. */
export function parseWatchLine(text: string): WatchLine {
  let event: unknown;
  try {
    event = JSON.parse(text);
  } catch {
    return { kind: 'undecodable', problem: `a line of ${text.length} characters is not JSON: ${quote(text)}` };
  }
  return readWatchLine(event, text);
}

/** Understands what a line of a watch says, parsed; its text, or how that begins, is for complaints. Never throws. */
export function readWatchLine(event: unknown, text: string): WatchLine {
  if (typeof event !== 'object' || event === null || !('type' in event) || !('object' in event)) {
    return { kind: 'undecodable', problem: `expected type and object in ${quote(text)}` };
  }
  if (event.type === 'ERROR') return { kind: 'error', status: asStatus(event.object) ?? { kind: 'Status', message: quote(text) } };
  const object = parseKubeObject(event.object);
  if (!object.ok) return { kind: 'undecodable', problem: object.problem };
  return objectLine(String(event.type), object.value);
}

/** The object with its cluster, or what is wrong with it. */
export function observe(
  object: KubeObject,
): { readonly ok: true; readonly value: Observed } | { readonly ok: false; readonly problem: string } {
  const cluster = clusterOf(object);
  if (cluster.ok) return { ok: true, value: { cluster: cluster.value, object } };
  return { ok: false, problem: `${object.kind ?? 'object'} ${quote(object.metadata.name ?? '')}: ${cluster.problem}` };
}

function objectLine(type: string, object: KubeObject): WatchLine {
  const { resourceVersion = '' } = object.metadata;
  if (type === 'BOOKMARK') {
    return { kind: 'bookmark', resourceVersion, initialEnd: object.metadata.annotations?.[INITIAL_END] === 'true' };
  }
  const observed = observe(object);
  if (!observed.ok) return { kind: 'undecodable', problem: observed.problem, resourceVersion };
  switch (type) {
    case 'ADDED':
    case 'MODIFIED':
      return { kind: 'applied', object: observed.value, resourceVersion };
    case 'DELETED':
      return { kind: 'deleted', object: observed.value, resourceVersion };
    default:
      return { kind: 'undecodable', problem: `${quote(type)} is no type of a watch event`, resourceVersion };
  }
}
