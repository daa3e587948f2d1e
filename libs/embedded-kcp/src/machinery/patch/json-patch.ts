// RFC 6902, on copies: the document that is given is never changed.
import { isList, isRecord, sameJson, stringAt, valueAt, without } from '../../json.js';

/** Applies operations in order, or says which one does not apply. */
export function jsonPatch(
  document: unknown,
  operations: unknown,
): { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string } {
  if (!Array.isArray(operations)) return { ok: false, problem: 'expected an array of operations' };
  let value = document;
  try {
    for (const operation of operations) value = applyOperation(value, operation);
  } catch (error) {
    return { ok: false, problem: (error as Error).message };
  }
  return { ok: true, value };
}

function applyOperation(document: unknown, operation: unknown): unknown {
  const op = stringAt(operation, 'op');
  const path = parsePointer(stringAt(operation, 'path') ?? '');
  switch (op) {
    case 'test':
      if (!sameJson(read(document, path), valueAt(operation, 'value'))) throw new Error(`testing value ${path.join('/')} failed`);
      return document;
    case 'remove':
      return remove(document, path);
    case 'add':
      return add(document, path, valueAt(operation, 'value'));
    case 'replace':
      read(document, path);
      return replace(document, path, valueAt(operation, 'value'));
    case 'copy':
      return add(document, path, read(document, parsePointer(stringAt(operation, 'from') ?? '')));
    case 'move': {
      const from = parsePointer(stringAt(operation, 'from') ?? '');
      return add(remove(document, from), path, read(document, from));
    }
    default:
      throw new Error(`unexpected operation ${String(op)}`);
  }
}

function parsePointer(pointer: string): readonly string[] {
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) throw new Error(`path ${pointer} does not start with a slash`);
  return pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function read(document: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => {
    const found: unknown = isList(value) ? value[indexOf(key, value.length - 1)] : valueAt(value, key);
    if (found === undefined) throw new Error(`path not found: ${path.join('/')}`);
    return found;
  }, document);
}

function replace(document: unknown, path: readonly string[], value: unknown): unknown {
  return change(
    document,
    path,
    (container, key) => {
      if (isList(container)) return container.with(indexOf(key, container.length - 1), value);
      return { ...container, [key]: value };
    },
    value,
  );
}

function add(document: unknown, path: readonly string[], value: unknown): unknown {
  return change(
    document,
    path,
    (container, key) => {
      if (isList(container)) return container.toSpliced(key === '-' ? container.length : indexOf(key, container.length), 0, value);
      return { ...container, [key]: value };
    },
    value,
  );
}

function remove(document: unknown, path: readonly string[]): unknown {
  read(document, path);
  return change(
    document,
    path,
    (container, key) => {
      if (isList(container)) return container.toSpliced(indexOf(key, container.length - 1), 1);
      return without(container, key);
    },
    undefined,
  );
}

type Container = readonly unknown[] | Readonly<Record<string, unknown>>;

function change(document: unknown, path: readonly string[], edit: (container: Container, key: string) => unknown, whole: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return whole;
  if (!isRecord(document) && !isList(document)) throw new Error(`path not found: ${path.join('/')}`);
  if (rest.length === 0) return edit(document, key);
  const inner = change(read(document, [key]), rest, edit, whole);
  return isList(document) ? document.with(indexOf(key, document.length - 1), inner) : { ...document, [key]: inner };
}

function indexOf(key: string, last: number): number {
  const index = /^(?:0|[1-9]\d*)$/.test(key) ? Number(key) : Number.NaN;
  if (Number.isNaN(index) || index > last) throw new Error(`index ${key} is out of range`);
  return index;
}
