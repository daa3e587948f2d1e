// One CEL rule of a schema: checks the rule itself, and evaluates it for a value. `self` and `oldSelf` are bound as the schema says: integers as CEL ints,
// and fields under names that CEL can express.
import { Environment, Optional, ParseError, type ParseResult } from '@marcbachmann/cel-js';
import { isRecord, stringAt, valueAt, type JsonRecord } from '../../json/json.js';
import { additionalOf, itemsOf, propertiesOf } from './structural-schema.js';

/** One entry of x-kubernetes-validations. */
export interface CelRule {
  readonly rule: string;
  readonly message: string;
  /** Makes a message of the value that breaks the rule. */
  readonly messageExpression: string | undefined;
  /** Which field below the value is to blame: `.spec.name`. */
  readonly fieldPath: string | undefined;
  readonly reason: string;
  /** Whether it compares with the value before. */
  readonly isTransition: boolean;
  /** Whether it is also asked when there was no value before; then `oldSelf` is an optional. */
  readonly isOldOptional: boolean;
}

/** The programs of rules that know `oldSelf` under one type. */
interface Programs {
  readonly environment: Environment;
  readonly known: Map<string, ParseResult>;
}

const programsWith = (oldSelf: string): Programs => ({
  environment: new Environment({ enableOptionalTypes: true, unlistedVariablesAreDyn: true })
    .registerVariable('self', 'dyn')
    .registerVariable('oldSelf', oldSelf),
  known: new Map(),
});
const plain = programsWith('dyn');
const optional = programsWith('optional<dyn>');

/** Whether a rule uses the previous value. */
export function namesOldSelf(rule: string): boolean {
  return /\boldSelf\b/.test(rule);
}

/** Whether an entry of x-kubernetes-validations takes `oldSelf` as an optional. */
export function isOldOptional(entry: unknown): boolean {
  return valueAt(entry, 'optionalOldSelf') === true;
}

/** The rules of a schema itself, without those of its properties. */
export function rulesOf(schema: JsonRecord): readonly CelRule[] {
  const found = schema['x-kubernetes-validations'];
  if (!Array.isArray(found)) return [];
  return found.filter(isRecord).map((one) => {
    const rule = stringAt(one, 'rule') ?? 'true';
    return {
      rule,
      message: stringAt(one, 'message') ?? `failed rule: ${rule}`,
      messageExpression: said(one, 'messageExpression'),
      fieldPath: said(one, 'fieldPath'),
      reason: stringAt(one, 'reason') ?? 'FieldValueInvalid',
      isTransition: namesOldSelf(rule),
      isOldOptional: isOldOptional(one),
    };
  });
}

// An empty text says nothing.
function said(entry: JsonRecord, key: string): string | undefined {
  const text = stringAt(entry, key);
  return text === '' ? undefined : text;
}

/** Evaluates a rule for a value: it holds, it does not, or it cannot be evaluated. */
export function evaluateRule(
  rule: CelRule,
  schema: JsonRecord,
  value: unknown,
  previous: unknown,
): 'holds' | 'broken' | { readonly failed: string } {
  try {
    return evaluate(rule.rule, rule, schema, value, previous) === true ? 'holds' : 'broken';
  } catch (error) {
    return { failed: firstLine(error).replace(/^No such key/, 'no such key') };
  }
}

// Kubernetes' limit on computed messages.
const MESSAGE_BYTES = 5 * 1024;

/** The message of a broken rule. If a computed message fails, or is no single line of text, the written message is used. */
export function messageOf(rule: CelRule, schema: JsonRecord, value: unknown, previous: unknown): string {
  if (rule.messageExpression === undefined) return rule.message;
  try {
    const text = evaluate(rule.messageExpression, rule, schema, value, previous);
    const isFit = typeof text === 'string' && text.trim() !== '' && !text.includes('\n') && Buffer.byteLength(text) <= MESSAGE_BYTES;
    return isFit ? text : rule.message;
  } catch {
    return rule.message;
  }
}

function evaluate(
  expression: string,
  { isOldOptional: isOptional }: CelRule,
  schema: JsonRecord,
  value: unknown,
  previous: unknown,
): unknown {
  const before = previous === undefined ? undefined : toCel(schema, previous);
  const oldSelf = isOptional ? Optional.of(before) : before;
  return programOf(expression, isOptional)({ self: toCel(schema, value), ...(namesOldSelf(expression) ? { oldSelf } : {}) });
}

/** Why an expression cannot be used: it is not valid CEL, it does not fit its value, or it needs a function that this server lacks. */
export function celProblem(
  expression: string,
  isOptional: boolean,
  { schema = {}, wanted = 'bool' }: { readonly schema?: JsonRecord; readonly wanted?: 'bool' | 'string' } = {},
): { readonly kind: 'wrong' | 'other-type' | 'not-covered'; readonly why: string } | undefined {
  try {
    const { valid, error } = programOf(expression, isOptional).check();
    if (!valid) return { kind: 'not-covered', why: firstLine(error) };
    return scalarProblem(expression, schema, wanted);
  } catch (error) {
    // Some macros take less here than in Kubernetes; that is no mistake of the author.
    const isMacro = error instanceof ParseError && error.code === 'invalid_macro_argument';
    return { kind: isMacro ? 'not-covered' : 'wrong', why: firstLine(error) };
  }
}

const CEL_TYPES: Readonly<Record<string, string>> = { string: 'string', integer: 'int', boolean: 'bool' };

// The types of scalars are few enough to be checked as Kubernetes does; objects are checked when they are there.
function scalarProblem(expression: string, schema: JsonRecord, wanted: 'bool' | 'string'): ReturnType<typeof celProblem> {
  const type = CEL_TYPES[stringAt(schema, 'type') ?? ''];
  if (type === undefined || namesOldSelf(expression)) return undefined;
  const environment = new Environment({ enableOptionalTypes: true }).registerVariable('self', type);
  const { valid, error, type: result } = environment.parse(expression).check();
  if (!valid) return { kind: 'wrong', why: firstLine(error) };
  return result === wanted || result === 'dyn' ? undefined : { kind: 'other-type', why: `evaluates to ${result ?? 'nothing'}` };
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n')[0] ?? '';
}

function programOf(rule: string, isOptional: boolean): ParseResult {
  const { environment, known } = isOptional ? optional : plain;
  const found = known.get(rule);
  if (found !== undefined) return found;
  const program = environment.parse(rule);
  known.set(rule, program);
  return program;
}

function toCel(schema: JsonRecord, value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = itemsOf(schema) ?? {};
    return value.map((item) => toCel(items, item));
  }
  if (!isRecord(value)) return Number.isInteger(value) && schema['type'] !== 'number' ? BigInt(value as number) : value;
  const properties = propertiesOf(schema);
  const additional = additionalOf(schema);
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => {
      const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
      if (property !== undefined) return [escaped(key), toCel(property, field)];
      return [key, toCel(isRecord(additional) ? additional : {}, field)];
    }),
  );
}

const KEYWORDS = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(' '),
);
const ESCAPES: Readonly<Record<string, string>> = { __: '__underscores__', '.': '__dot__', '-': '__dash__', '/': '__slash__' };

// How Kubernetes lets CEL name fields that are no identifiers.
function escaped(field: string): string {
  return KEYWORDS.has(field) ? `__${field}__` : field.replace(/__|[./-]/g, (part) => ESCAPES[part] ?? part);
}
