// CEL in matchConditions: the variables that Kubernetes binds, the type of `request`, and the expressions that do not compile.
import { Environment, serialize, type ASTNode, type ParseResult } from '@marcbachmann/cel-js';
import { isRecord, sameJson } from '../../json/json.js';

const KIND = { group: 'string', version: 'string', kind: 'string' };
const RESOURCE = { group: 'string', version: 'string', resource: 'string' };
const REQUEST = {
  kind: KIND,
  resource: RESOURCE,
  subResource: 'string',
  requestKind: KIND,
  requestResource: RESOURCE,
  requestSubResource: 'string',
  name: 'string',
  namespace: 'string',
  operation: 'string',
  userInfo: { username: 'string', uid: 'string', groups: 'list<string>', extra: 'map<string, list<string>>' },
  dryRun: 'bool',
  options: 'dyn',
};

const environment = new Environment({ enableOptionalTypes: true })
  .registerVariable('object', 'dyn')
  .registerVariable('oldObject', 'dyn')
  .registerVariable('namespaceObject', 'dyn')
  .registerVariable('authorizer', 'dyn')
  .registerVariable({ name: 'request', schema: REQUEST })
  .registerOperator('optional<dyn> == optional<dyn>', sameOptional);

interface OptionalValue {
  hasValue(): boolean;
  value(): unknown;
}

function sameOptional(one: OptionalValue, other: OptionalValue): boolean {
  if (!one.hasValue() || !other.hasValue()) return one.hasValue() === other.hasValue();
  return sameJson(one.value(), other.value());
}

const programs = new Map<string, ParseResult>();

/** The program of an expression. Throws for one that cannot be parsed. */
export function conditionProgram(expression: string): ParseResult {
  const known = programs.get(expression);
  if (known !== undefined) return known;
  const program = environment.parse(expression);
  programs.set(expression, program);
  return program;
}

/** Kubernetes' error about an expression; undefined: it is valid. */
export function conditionProblem(expression: string): string | undefined {
  if (unsupportedFunction(expression) !== undefined) return undefined;
  try {
    const program = environment.parse(expression);
    const failed = (why: string): string => `compilation failed: ERROR: ${why}`;
    // Known to the library that reads expressions here, not to Kubernetes.
    if (/\bcel\s*\.\s*bind\s*\(/.test(expression)) return failed("undeclared reference to 'cel' (in container '')");
    const { valid, type, error } = program.check();
    if (!valid) return failed(firstLine(error));
    const field = unknownField(program.ast);
    if (field !== undefined) return failed(`undefined field '${field}'`);
    return type === 'bool' ? undefined : `must evaluate to bool but got ${type ?? 'nothing'}`;
  } catch (error) {
    return `compilation failed: ERROR: ${firstLine(error)}`;
  }
}

// Functions and macros that Kubernetes knows in expressions and this server does not.
const LACKING =
  /\b(isSorted|sum|min|max|indexOf|lastIndexOf|url|isURL|getScheme|getHost|getHostname|getPort|getEscapedPath|getQuery|quantity|isQuantity|sign|isGreaterThan|isLessThan|ip|isIP|cidr|isCIDR|containsIP|containsCIDR|find|findAll|format|semver|isSemver|optMap|optFlatMap|transformList|transformMap|transformMapEntry)\s*\(/;
const TWO_VARIABLES = /\.\s*(?:all|exists|existsOne)\s*\(\s*\w+\s*,\s*\w+\s*,/;

/** A function of Kubernetes' CEL libraries that an expression calls and this server lacks; undefined: there is none. */
export function unsupportedFunction(expression: string): string | undefined {
  const code = expression.replaceAll(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g, "''");
  return LACKING.exec(code)?.[1] ?? (TWO_VARIABLES.test(code) ? 'a macro with two variables' : undefined);
}

// The library does not look into has(): what is asked of `request` there has to be a field of it all the same.
function unknownField(node: ASTNode): string | undefined {
  if (node.op === 'call' && node.args[0] === 'has') {
    const [asked] = node.args[1];
    if (asked?.op === '.' && rootOf(asked) === 'request') {
      return environment.parse(serialize(asked)).check().valid ? undefined : asked.args[1];
    }
  }
  for (const child of childrenOf(node.args)) {
    const found = unknownField(child);
    if (found !== undefined) return found;
  }
  return undefined;
}

function rootOf(node: ASTNode): string | undefined {
  if (node.op === 'id') return node.args;
  return node.op === '.' || node.op === '.?' ? rootOf(node.args[0]) : undefined;
}

function childrenOf(value: unknown): readonly ASTNode[] {
  if (Array.isArray(value)) return value.flatMap(childrenOf);
  return isRecord(value) && typeof value['op'] === 'string' ? [value as unknown as ASTNode] : [];
}

function firstLine(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
}
