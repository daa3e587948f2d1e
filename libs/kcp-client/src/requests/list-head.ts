// Reads what a list says about itself without parsing what it lists. Go writes typed lists and Tables as `{kind, apiVersion, metadata,
// items}`, lists of custom resources with sorted keys: `{apiVersion, items, kind, metadata}`. So the head is in front of the items or
// behind them. Sound for valid JSON: inside a string the quotes of the marks below would be escaped, and what is cut out must parse as
// a whole object, which it does not where a mark is missing. Anything else is parsed in full.
import { isRecord } from '@dep-ctrl/kcp-names';

/** What a list says about itself. */
export interface ListHead {
  readonly kind: string;
  readonly apiVersion: string;
  /** Empty where kcp gives none (an empty list of a type that is not served). */
  readonly resourceVersion: string;
  /** Empty on the last page. */
  readonly continue: string;
  readonly remainingItemCount?: number;
}

/** The array that a list is about, and the first key behind its metadata. */
const SHAPES = {
  items: { array: 'items', mark: Buffer.from('"items":[') },
  rows: { array: 'rows', mark: Buffer.from('"columnDefinitions":[') },
} as const;

const TAIL_MARK = Buffer.from('],"kind":"');

/** The head of a list (`items`) or a Table (`rows`); undefined when the bytes are neither. */
export function readListHead(bytes: Buffer, shape: 'items' | 'rows'): ListHead | undefined {
  return headInFront(bytes, shape) ?? headBehind(bytes, shape) ?? headOfWhole(bytes, shape);
}

function headInFront(bytes: Buffer, shape: 'items' | 'rows'): ListHead | undefined {
  const mark = bytes.indexOf(SHAPES[shape].mark);
  if (!endsWith(bytes, ']}')) return undefined;
  return headOf(tryParse(`${bytes.toString('utf8', 0, mark)}"${SHAPES[shape].array}":[]}`), shape);
}

function headBehind(bytes: Buffer, shape: 'items' | 'rows'): ListHead | undefined {
  const front = bytes.indexOf(SHAPES[shape].mark);
  const mark = bytes.lastIndexOf(TAIL_MARK);
  if (mark < front) return undefined;
  const before = tryParse(`${bytes.toString('utf8', 0, front)}"${SHAPES[shape].array}":[]}`);
  const behind = tryParse(`{${bytes.toString('utf8', mark + 2)}`);
  return isRecord(before) && isRecord(behind) ? headOf({ ...before, ...behind }, shape) : undefined;
}

function headOfWhole(bytes: Buffer, shape: 'items' | 'rows'): ListHead | undefined {
  return headOf(tryParse(bytes.toString('utf8')), shape);
}

function headOf(value: unknown, shape: 'items' | 'rows'): ListHead | undefined {
  if (!isRecord(value)) return undefined;
  const { kind, apiVersion, metadata, [SHAPES[shape].array]: array } = value;
  if (typeof kind !== 'string' || typeof apiVersion !== 'string' || !isRecord(metadata)) return undefined;
  if (shape === 'rows' ? kind !== 'Table' : !kind.endsWith('List')) return undefined;
  if (array !== null && !Array.isArray(array)) return undefined;
  const { resourceVersion = '', continue: token = '', remainingItemCount } = metadata;
  if (typeof resourceVersion !== 'string' || typeof token !== 'string') return undefined;
  return {
    kind,
    apiVersion,
    resourceVersion,
    continue: token,
    ...(typeof remainingItemCount === 'number' ? { remainingItemCount } : {}),
  };
}

function endsWith(bytes: Buffer, end: string): boolean {
  return bytes
    .toString('latin1', Math.max(0, bytes.length - end.length - 2))
    .trimEnd()
    .endsWith(end);
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // not this form
  }
}
