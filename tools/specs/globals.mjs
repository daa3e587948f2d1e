// What specs import as @jest/globals. All specs of a process share this module, and jest makes new globals for each spec: a use of these is
// passed on to the globals of the spec that runs.
const current = Symbol.for('dep-ctrl.spec-globals');

/** Sets the globals of the spec that runs next. */
export function setGlobals(globals) {
  globalThis[current] = globals;
}

const passedOn = (name) =>
  new Proxy(() => undefined, {
    apply: (_target, self, args) => Reflect.apply(globalThis[current][name], self, args),
    get: (_target, key) => globalThis[current][name][key],
  });

export const afterAll = passedOn('afterAll');
export const afterEach = passedOn('afterEach');
export const beforeAll = passedOn('beforeAll');
export const beforeEach = passedOn('beforeEach');
export const describe = passedOn('describe');
export const expect = passedOn('expect');
export const it = passedOn('it');
export const jest = passedOn('jest');
export const test = passedOn('test');
