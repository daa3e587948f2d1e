// Label selectors in the syntax of queries (`a=b,c in (d,e),!f`) and in the form of objects (matchLabels, matchExpressions).
import { arrayAt, stringAt, stringMapAt, stringsAt } from '../../json/json.js';
import { badRequest } from '../../http/api-status.js';

/** One condition on labels. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: 'in' | 'notin' | 'exists' | 'absent' | 'gt' | 'lt';
  readonly values: readonly string[];
}

/** Conditions that must all hold; none selects everything. */
export type LabelSelector = readonly LabelRequirement[];

type Labels = Readonly<Record<string, string>> | undefined;

/** Whether labels meet every condition. */
export function matchesLabels(selector: LabelSelector, labels: Labels): boolean {
  return selector.every((requirement) => meets(requirement, labels));
}

function meets({ key, operator, values }: LabelRequirement, labels: Labels): boolean {
  const value = labels !== undefined && Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case 'in':
      return value !== undefined && values.includes(value);
    case 'notin':
      return value === undefined || !values.includes(value);
    case 'exists':
      return value !== undefined;
    case 'absent':
      return value === undefined;
    case 'gt':
      return value !== undefined && Number(value) > Number(values[0]);
    case 'lt':
      return value !== undefined && Number(value) < Number(values[0]);
    default:
      return operator satisfies never;
  }
}

/** Reads the query parameter labelSelector. */
export function parseLabelSelector(text: string): LabelSelector {
  const tokens = text.match(/\s*(?:[()=!<>,]=?=?|[^\s()=!<>,]+)/g)?.map((token) => token.trim()) ?? [];
  const reader = new TokenReader(tokens);
  const requirements: LabelRequirement[] = [];
  if (reader.peek() === undefined) return requirements;
  for (;;) {
    requirements.push(readRequirement(reader));
    const next = reader.take();
    if (next === undefined) return requirements;
    if (next !== ',') throw badRequest(`unable to parse requirement: found '${next}', expected: ',' or 'end of string'`);
    if (!isWord(reader.peek()) && reader.peek() !== '!') throw badRequest(`found '${reader.peek() ?? ''}', expected: identifier after ','`);
  }
}

class TokenReader {
  readonly #tokens: readonly string[];
  #next = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  peek(): string | undefined {
    return this.#tokens[this.#next];
  }

  take(): string | undefined {
    const token = this.peek();
    this.#next += 1;
    return token;
  }
}

function readRequirement(reader: TokenReader): LabelRequirement {
  if (reader.peek() === '!') {
    reader.take();
    return { key: readKey(reader), operator: 'absent', values: [] };
  }
  const key = readKey(reader);
  const operator = reader.peek();
  switch (operator) {
    case undefined:
    case ',':
      return { key, operator: 'exists', values: [] };
    case '=':
    case '==':
      reader.take();
      return { key, operator: 'in', values: [readValue(reader)] };
    case '!=':
      reader.take();
      return { key, operator: 'notin', values: [readValue(reader)] };
    case '>':
    case '<':
      reader.take();
      return { key, operator: operator === '>' ? 'gt' : 'lt', values: [readValue(reader)] };
    case 'in':
    case 'notin':
      reader.take();
      return { key, operator, values: readSet(reader) };
    default:
      throw badRequest(`unable to parse requirement: found '${operator}', expected: in, notin, =, ==, !=, gt, lt`);
  }
}

const KEY = /^(?:[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*\/)?[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;

function readKey(reader: TokenReader): string {
  const key = reader.take() ?? '';
  if (!isWord(key)) throw badRequest(`unable to parse requirement: found '${key}', expected: identifier`);
  if (!KEY.test(key)) {
    throw badRequest(
      `unable to parse requirement: <nil>: Invalid value: ${JSON.stringify(key)}: name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
    );
  }
  return key;
}

function readValue(reader: TokenReader): string {
  if (!isWord(reader.peek())) return '';
  return reader.take() ?? '';
}

function readSet(reader: TokenReader): readonly string[] {
  const open = reader.take();
  if (open !== '(') throw badRequest(`unable to parse requirement: found '${open ?? ''}' expected: '('`);
  const values: string[] = [];
  for (;;) {
    values.push(readValue(reader));
    const next = reader.take();
    if (next === ')') return values;
    if (next !== ',') throw badRequest(`unable to parse requirement: found '${next ?? ''}', expected: ',' or ')'`);
  }
}

function isWord(token: string | undefined): boolean {
  return token !== undefined && token !== '' && !/^[()=!<>,]/.test(token);
}

/** Reads a LabelSelector object. An empty one selects everything. */
export function readLabelSelector(selector: unknown): LabelSelector {
  const labels = Object.entries(stringMapAt(selector, 'matchLabels')).map(([key, value]): LabelRequirement => ({
    key,
    operator: 'in',
    values: [value],
  }));
  const expressions = arrayAt(selector, 'matchExpressions').map((expression): LabelRequirement => {
    const operator = OPERATORS[stringAt(expression, 'operator') ?? ''] ?? 'in';
    return { key: stringAt(expression, 'key') ?? '', operator, values: stringsAt(expression, 'values') };
  });
  return [...labels, ...expressions];
}

const OPERATORS: Readonly<Record<string, LabelRequirement['operator']>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: 'absent',
};
