// Reads Kubernetes' protobuf form: a prefix, an envelope that names the kind, and the message. A missing field and an empty one are the same, as in the JSON
// form.
import { isRecord, stringAt, type JsonRecord } from '../json/json.js';
import { MESSAGES, type Fields, type FieldType } from './message-fields.js';

/** The bytes before every message: `k8s` and a zero. */
export const PREFIX = Buffer.from([0x6b, 0x38, 0x73, 0x00]);

/** The result of reading a message. */
export type DecodedProtobuf =
  | { readonly state: 'read'; readonly value: JsonRecord }
  /** It does not begin as such messages do. */
  | { readonly state: 'no-message' }
  /** It breaks off or contradicts itself. */
  | { readonly state: 'broken' }
  /** Its kind has no table here. */
  | { readonly state: 'unknown-kind'; readonly kind: string };

const ENVELOPE: Fields = {
  1: ['typeMeta', { message: { 1: ['apiVersion', 'text'], 2: ['kind', 'text'] } }],
  2: ['raw', 'bytes'],
};

/** Reads a message into the object that its JSON form would be. */
export function decodeProtobuf(bytes: Buffer): DecodedProtobuf {
  if (!bytes.subarray(0, PREFIX.length).equals(PREFIX)) return { state: 'no-message' };
  try {
    const envelope = readMessage(bytes.subarray(PREFIX.length), ENVELOPE);
    const [apiVersion = '', kind = ''] = [stringAt(envelope, 'typeMeta', 'apiVersion'), stringAt(envelope, 'typeMeta', 'kind')];
    const fields = Object.hasOwn(MESSAGES, kind) ? MESSAGES[kind] : undefined;
    if (fields === undefined) return { state: 'unknown-kind', kind };
    const message = readMessage(Buffer.from(stringAt(envelope, 'raw') ?? '', 'base64'), fields);
    return { state: 'read', value: { apiVersion, kind, ...message } };
  } catch (error) {
    if (error instanceof RangeError) return { state: 'broken' };
    throw error;
  }
}

function readMessage(bytes: Buffer, fields: Fields): JsonRecord {
  const reader = new Reader(bytes);
  const result: Record<string, unknown> = {};
  while (!reader.isAtEnd) {
    const { field, content } = reader.next();
    const known = fields[field];
    if (known !== undefined) put(result, known[0], known[1], content);
  }
  return result;
}

// A repeated field comes once per item; a field that is not repeated counts as often as it comes, the last time.
function put(into: Record<string, unknown>, name: string, type: FieldType, content: Content): void {
  if (typeof type === 'object' && 'list' in type) {
    const list = into[name];
    into[name] = [...(Array.isArray(list) ? (list as readonly unknown[]) : []), readValue(type.list, content) ?? ''];
  } else if (typeof type === 'object' && 'map' in type) {
    const entry = readMessage(asBytes(content), { 1: ['key', 'text'], 2: ['value', type.map] });
    const value = entry['value'] ?? '';
    // ExtraValue is a message around a list; in JSON it is the list.
    const plain = isRecord(value) && Array.isArray(value['items']) ? (value['items'] as readonly unknown[]) : value;
    into[name] = { ...(isRecord(into[name]) ? into[name] : {}), [stringAt(entry, 'key') ?? '']: plain };
  } else {
    const value = readValue(type, content);
    if (value !== undefined) into[name] = value;
  }
}

function readValue(type: FieldType, content: Content): unknown {
  switch (type) {
    case 'text':
      return orNothing(asBytes(content).toString(), '');
    case 'bytes':
      return asBytes(content).toString('base64');
    case 'truth':
      return orNothing(asNumber(content) !== 0, false);
    case 'integer':
      return orNothing(asNumber(content), 0);
    case 'quantity':
      return stringAt(readMessage(asBytes(content), { 1: ['string', 'text'] }), 'string');
    case 'time': {
      const seconds = readMessage(asBytes(content), { 1: ['seconds', 'integer'] })['seconds'];
      return typeof seconds === 'number' ? new Date(seconds * 1_000).toISOString().replace(/\.000Z$/, 'Z') : undefined;
    }
    default:
      return 'message' in type ? readMessage(asBytes(content), type.message) : undefined;
  }
}

function orNothing<T>(value: T, empty: T): T | undefined {
  return value === empty ? undefined : value;
}

type Content = number | Buffer;

function asBytes(content: Content): Buffer {
  if (typeof content === 'number') throw new RangeError('expected bytes');
  return content;
}

function asNumber(content: Content): number {
  if (typeof content !== 'number') throw new RangeError('expected a number');
  return content;
}

class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  next(): { readonly field: number; readonly content: Content } {
    const tag = this.#varint();
    const field = Math.floor(tag / 8);
    switch (tag % 8) {
      case 0:
        return { field, content: this.#varint() };
      case 1:
        return { field, content: this.#take(8) };
      case 2:
        return { field, content: this.#take(this.#varint()) };
      case 5:
        return { field, content: this.#take(4) };
      default:
        throw new RangeError('unknown wire type');
    }
  }

  #take(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new RangeError('message breaks off');
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }

  // Seconds and counts are far below 2^53.
  #varint(): number {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) throw new RangeError('message breaks off');
      this.#at += 1;
      value += (byte & 0x7f) * shift;
      if (byte < 0x80) return value;
    }
  }
}
