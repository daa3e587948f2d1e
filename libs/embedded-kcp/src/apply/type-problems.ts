import { isRecord } from '../json/json.js';
import type { PathElement } from './field-set.js';
import { elementOfItem, formOf, type FieldType, type ListType, type MapType, type ScalarType } from './field-type.js';
import { fieldElement, printPath } from './path-element.js';

/** The problems of a value under its type, in the words of the API server; empty: there are none. */
export function typeProblems(value: unknown, type: FieldType): readonly string[] {
  return problemsAt(value, type, []).map(({ path, problem }) => `${printPath(path)}: ${problem}`);
}

interface Problem {
  readonly path: readonly PathElement[];
  readonly problem: string;
}

function problemsAt(value: unknown, type: FieldType, path: readonly PathElement[]): readonly Problem[] {
  if (value === null) return [];
  const form = formOf(type, value);
  switch (form.kind) {
    case 'scalar':
      return scalarProblem(value, form).map((problem) => ({ path, problem }));
    case 'map':
      return isRecord(value) ? mapProblems(value, form, path) : [{ path, problem: `expected map, got ${printFound(value)}` }];
    case 'list':
      return Array.isArray(value) ? listProblems(value, form, path) : [{ path, problem: `expected list, got ${printFound(value)}` }];
  }
}

function scalarProblem(value: unknown, { of }: ScalarType): readonly string[] {
  const found = typeof value;
  if (of === 'string' && found !== 'string') return [`expected string, got &value.valueUnstructured{Value:${printFound(value, '')}}`];
  if (of === 'boolean' && found !== 'boolean') return [`expected boolean, got ${printFound(value)}`];
  if (of === 'numeric' && found !== 'number') return [`expected numeric (int or float), got ${goType(value)}`];
  if (of === 'untyped' && found === 'object') return [`expected any scalar, got ${printFound(value)}`];
  return [];
}

function mapProblems(value: Readonly<Record<string, unknown>>, form: MapType, path: readonly PathElement[]): readonly Problem[] {
  return Object.entries(value).flatMap(([field, item]) => {
    const here = [...path, fieldElement(field)];
    const type = form.named(field) ?? form.rest;
    return type === undefined ? [{ path: here, problem: 'field not declared in schema' }] : problemsAt(item, type, here);
  });
}

function listProblems(value: readonly unknown[], form: ListType, path: readonly PathElement[]): readonly Problem[] {
  const seen = new Set<PathElement>();
  return value.flatMap((item, index) => {
    if (form.atomic) return problemsAt(item, form.items, [...path, `i:${index}`]);
    const found = elementOfItem(form, item);
    if ('problem' in found) return [{ path, problem: `element ${index}: ${found.problem}` }];
    const repeated = seen.has(found.element) ? [{ path, problem: `duplicate entries for key ${printPath([found.element])}` }] : [];
    seen.add(found.element);
    return [...repeated, ...problemsAt(item, form.items, [...path, found.element])];
  });
}

function goType(value: unknown): string {
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'string' ? 'string' : Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}';
}

function printFound(value: unknown, around: '&' | '' = '&'): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return around === '&' ? `&{${text}}` : text;
}
