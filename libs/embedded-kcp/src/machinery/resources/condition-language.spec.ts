import { describe, expect, it } from '@jest/globals';
import { conditionProblem, conditionProgram, unsupportedFunction } from './condition-language.js';

describe(conditionProgram, () => {
  const of = (expression: string, object: unknown, oldObject: unknown): unknown =>
    conditionProgram(expression)({ object, oldObject, request: { operation: 'UPDATE' } });

  it.each([
    { given: 'the same spec in another order', object: { spec: { a: 1, b: [2] } }, oldObject: { spec: { b: [2], a: 1 } }, differ: false },
    { given: 'another spec', object: { spec: { a: 1 } }, oldObject: { spec: { a: 2 } }, differ: true },
    { given: 'a spec where none was', object: { spec: {} }, oldObject: {}, differ: true },
    { given: 'no spec twice', object: {}, oldObject: {}, differ: false },
    { given: 'a create with a spec', object: { spec: {} }, oldObject: null, differ: true },
    { given: 'a create without', object: {}, oldObject: null, differ: false },
  ])('given $given, when optional specs are compared, then they differ: $differ', ({ object, oldObject, differ }) => {
    expect(of('object.?spec != oldObject.?spec', object, oldObject)).toBe(differ);
  });
});

describe(conditionProblem, () => {
  it.each([
    'has(object.spec) && !has(oldObject.spec)',
    "request.operation == 'CREATE' && request.?subResource.orValue('') == ''",
    "has(request.namespace) && request.userInfo.groups.exists(g, g == 'x')",
    "request.options.anything == 'x'",
  ])('given %j, when it is written, then nothing is wrong', (expression) => {
    expect(conditionProblem(expression)).toBeUndefined();
  });

  it.each([
    ['object.spec', 'must evaluate to bool but got dyn'],
    ["'x'", 'must evaluate to bool but got string'],
    ['request.nope == 1', 'compilation failed: ERROR: '],
    ['!has(request.nope)', "compilation failed: ERROR: undefined field 'nope'"],
    ['has(request.userInfo.nope) || true', "compilation failed: ERROR: undefined field 'nope'"],
    ['nope == 1', 'compilation failed: ERROR: '],
    ['object.spec ==', 'compilation failed: ERROR: '],
    ['cel.bind(s, object.spec, s == 1)', "compilation failed: ERROR: undeclared reference to 'cel'"],
  ])('given %j, when it is written, then it is refused: %s', (expression, why) => {
    expect(conditionProblem(expression)).toMatch(new RegExp(`^${why.replaceAll(/[()]/g, String.raw`\$&`)}`));
  });
});

describe(unsupportedFunction, () => {
  it.each([
    ['object.spec.list.isSorted()', 'isSorted'],
    ['object.?spec.optMap(s, s.a).orValue(false)', 'optMap'],
    ['[1].exists(i, v, v == 1)', 'a macro with two variables'],
    ["object.spec.a == 'sum()'", undefined],
    ['object.spec.list.exists(v, v == 1)', undefined],
  ])('given %j, when asked, then it calls %s', (expression, name) => {
    expect(unsupportedFunction(expression)).toBe(name);
  });
});
