// Reads bytes into a value. These refusals come before the kind of the object is looked at.
import { parse as parseYaml } from 'yaml';
import type { ApiError } from '../../http/api-status.js';
import { badRequest, notEmulated, unsupportedMediaType } from '../../http/api-status.js';
import { isRecord } from '../../json/json.js';
import { duplicateFields, readJson } from '../../json/json-syntax.js';
import { decodeProtobuf } from '../../protobuf/decode-protobuf.js';
import { foundKind } from './decode-problem.js';

/** Body types that creates and updates read. */
export const BODY_TYPES = ['application/json', 'application/yaml'] as const;

/** A body that was read. */
export interface DecodedBody {
  readonly value: unknown;
  /** Fields that the body says more than once; the last one counts. */
  readonly duplicates: readonly string[];
}

/** Reads JSON or YAML. */
export function decodeBody(bytes: Buffer, contentType: string | undefined, kind: string): DecodedBody {
  const type = (contentType ?? '').split(';')[0]?.trim() ?? '';
  const text = bytes.toString();
  if (['', '*/*', 'application/json', 'application/x-www-form-urlencoded'].includes(type)) {
    const value = parseJson(text, kind);
    return { value, duplicates: duplicateFields(text) };
  }
  if (type === 'application/yaml') return { value: decodeYaml(text, kind), duplicates: [] };
  if (type === PROTOBUF) return { value: readProtobuf(bytes, kind), duplicates: [] };
  throw unsupportedMediaType([...BODY_TYPES, PROTOBUF]);
}

const PROTOBUF = 'application/vnd.kubernetes.protobuf';

function readProtobuf(bytes: Buffer, kind: string): unknown {
  const decoded = decodeProtobuf(bytes);
  switch (decoded.state) {
    case 'read':
      return decoded.value;
    case 'no-message':
      throw unrecognized(kind, 'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]', bytes.toString());
    case 'broken':
      throw unrecognized(kind, 'unexpected EOF', bytes.toString());
    case 'unknown-kind':
      throw notEmulated(`the protobuf form of ${decoded.kind}; send JSON`);
    default:
      return decoded satisfies never;
  }
}

function parseJson(text: string, kind: string): unknown {
  const read = readJson(text);
  if (!read.ok) throw unrecognized(kind, `couldn't get version/kind; json parse error: ${read.problem}`, text);
  if (isRecord(read.value) || read.value === null) return read.value;
  const header = String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`;
  const why = `json: cannot unmarshal ${foundKind(read.value)} into Go value of type ${header}`;
  throw unrecognized(kind, `couldn't get version/kind; json parse error: ${why}`, text);
}

function decodeYaml(text: string, kind: string): unknown {
  try {
    return parseYaml(text);
  } catch (error) {
    throw unrecognized(kind, `yaml: ${(error as Error).message.split('\n')[0] ?? ''}`, text);
  }
}

// Kubernetes quotes the beginning of a body: as it is where that looks like JSON, else in hexadecimal.
const QUOTED_BYTES = 30;
const OPENING_BRACE = 0x7b;

/** 400 of a body that is no object at all. */
export function unrecognized(kind: string, why: string, text: string): ApiError {
  return badRequest(`the object provided is unrecognized (must be of type ${kind}): ${why} (${quoted(Buffer.from(text))})`);
}

function quoted(body: Buffer): string {
  if (body.length === 0) return '<empty>';
  const shown = body.subarray(0, QUOTED_BYTES).toString(body[0] === OPENING_BRACE ? 'utf8' : 'hex');
  return body.length > QUOTED_BYTES ? `${shown} ...` : shown;
}
