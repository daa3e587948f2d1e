// The Kubernetes objects in YAML texts, each knowing where its fields stand. Pure.
import { isRecord, record, text as textIn } from '@dep-ctrl/kcp-names';
import { LineCounter, parseAllDocuments, type Document } from 'yaml';
import { DEEPEST, isTooDeep } from './yaml-depth.js';
import { regionAt, regionOf, stepsOf, type FieldPart, type Region } from './yaml-place.js';
import type { SourceText } from './source-text.js';

/** One object of a file. */
export interface ManifestObject {
  readonly file: string;
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty where it has none. */
  readonly name: string;
  readonly object: Readonly<Record<string, unknown>>;
  /** Where the value of a field stands, or its name, or the nearest there is. */
  readonly regionOf: (place: string, part?: FieldPart) => Region;
}

/** What keeps a text, or a part of it, from being objects. */
export interface UnreadableText {
  readonly file: string;
  readonly region: Region;
  readonly message: string;
}

/** What there is in a file. */
export interface ReadManifest {
  readonly objects: readonly ManifestObject[];
  readonly unreadable: readonly UnreadableText[];
}

const START: Region = { line: 1, column: 1, endLine: 1, endColumn: 1 };

/** Reads every document of a text. Of what is no YAML only the first place is told: what follows are consequences. */
export function readManifest({ file, text }: SourceText): ReadManifest {
  const unread = (message: string): ReadManifest => ({ objects: [], unreadable: [{ file, region: START, message }] });
  if (text === undefined) return unread('is no YAML: it is not UTF-8 text');
  if (isTooDeep(text)) return unread(`is no YAML that can be read: it is nested more than ${DEEPEST} deep`);
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter: lines, merge: true, prettyErrors: false });
  const objects: ManifestObject[] = [];
  const unreadable: UnreadableText[] = [];
  for (const document of documents) {
    const [error] = document.errors;
    if (error !== undefined) {
      unreadable.push({ file, region: regionOf(...error.pos, lines), message: `is no YAML: ${oneLine(error.message)}` });
      continue;
    }
    const read = objectsIn(file, document, lines);
    if (typeof read === 'string') unreadable.push({ file, region: regionAt(document, [], { lines }), message: read });
    else objects.push(...read);
  }
  const firstBroken = unreadable.findIndex(({ message }) => message.startsWith('is no YAML'));
  return { objects, unreadable: unreadable.filter(({ message }, at) => !message.startsWith('is no YAML') || at === firstBroken) };
}

function objectsIn(file: string, document: Document, lines: LineCounter): readonly ManifestObject[] | string {
  let value: unknown;
  try {
    value = document.toJS();
  } catch (error) {
    return `is no YAML that can be read: ${oneLine(error instanceof Error ? error.message : String(error))}`;
  }
  // Between two separators, and around comments.
  if (value === null) return [];
  if (!isRecord(value))
    return `is no Kubernetes object: expected a map with apiVersion and kind, found ${Array.isArray(value) ? 'a list' : `a ${typeof value}`}`;
  return unlisted(value, '').map(({ object, place }) => ({
    file,
    apiVersion: textIn(object['apiVersion']) ?? '',
    kind: textIn(object['kind']) ?? '',
    name: textIn(record(object['metadata'])?.['name']) ?? '',
    object,
    regionOf: (field, part) => regionAt(document, stepsOf(`${place}${field}`), { lines, part }),
  }));
}

interface Placed {
  readonly object: Readonly<Record<string, unknown>>;
  readonly place: string;
}

/** What kubectl prints of several objects is a List of them. */
function unlisted(object: Readonly<Record<string, unknown>>, place: string): readonly Placed[] {
  const { kind, items } = object;
  if (typeof kind !== 'string' || !kind.endsWith('List') || !Array.isArray(items)) return [{ object, place }];
  return items.flatMap((item: unknown, index) => (isRecord(item) ? [{ object: item, place: `${place}.items[${String(index)}]` }] : []));
}

function oneLine(text: string): string {
  return text.replaceAll(/\s/g, ' ');
}
