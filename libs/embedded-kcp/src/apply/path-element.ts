import { isRecord, type JsonRecord } from '../json/json.js';
import type { PathElement } from './field-set.js';

/** A field of a map. */
export function fieldElement(name: string): PathElement {
  return `f:${name}`;
}

/** An item of a keyed list. */
export function keyElement(key: JsonRecord): PathElement {
  return `k:${JSON.stringify(Object.fromEntries(Object.entries(key).sort(([a], [b]) => (a < b ? -1 : 1))))}`;
}

/** An item of a set. */
export function valueElement(value: unknown): PathElement {
  return `v:${JSON.stringify(value)}`;
}

/** A path as conflicts and errors print it: `.webhooks[name="x"].rules`. */
export function printPath(path: readonly PathElement[]): string {
  return path.map(printElement).join('');
}

function printElement(element: PathElement): string {
  const text = element.slice(2);
  if (element.startsWith('f:')) return `.${text}`;
  if (element.startsWith('i:')) return `[${text}]`;
  if (element.startsWith('v:')) return `[=${text}]`;
  const key: unknown = JSON.parse(text);
  const parts = isRecord(key) ? Object.entries(key) : [];
  return `[${parts.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(',')}]`;
}
