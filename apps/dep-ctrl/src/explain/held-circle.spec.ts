import { describe, expect, it } from '@jest/globals';
import { circleAmong } from './held-circle.js';

describe(circleAmong, () => {
  it.each([
    { given: 'nothing', held: {}, expected: undefined },
    { given: 'what is held by an object that goes', held: { a: ['free'] }, expected: undefined },
    { given: 'a chain', held: { a: ['b'], b: ['c', 'free'], c: ['free'] }, expected: undefined },
    { given: 'a chain, its end first', held: { c: ['free'], b: ['c'], a: ['b'] }, expected: undefined },
    { given: 'two that hold each other', held: { a: ['b'], b: ['a'] }, expected: ['a', 'b'] },
    { given: 'one that a circle holds', held: { a: ['b'], b: ['c'], c: ['d'], d: ['b'] }, expected: ['b', 'c', 'd'] },
    { given: 'a circle that holds one', held: { a: ['b', 'x'], b: ['a'], x: ['free'] }, expected: ['a', 'b'] },
    { given: 'a circle that holds one, which is looked at first', held: { a: ['x', 'b'], b: ['a'], x: ['free'] }, expected: ['a', 'b'] },
    { given: 'a circle beside a way out', held: { a: ['free', 'b'], b: ['c'], c: ['a'] }, expected: ['a', 'b', 'c'] },
    { given: 'a circle after one that goes', held: { x: ['free'], a: ['b'], b: ['a'] }, expected: ['a', 'b'] },
    { given: 'two circles', held: { a: ['b'], b: ['a'], c: ['d'], d: ['c'] }, expected: ['a', 'b'] },
    { given: 'two that share an object', held: { a: ['b', 'c'], b: ['a'], c: ['a'] }, expected: ['a', 'b'] },
  ])('given $given, then the circle is named as it closes', ({ held, expected }) => {
    const refused = Object.entries(held).map(([object, holders]) => ({ object, holders }));

    expect(circleAmong(refused)).toEqual(expected);
  });

  it('given very many ways from one object to another, then each object is looked at once', () => {
    const layers = Array.from({ length: 40 }, (_, at) => [`a${String(at)}`, `b${String(at)}`]);
    const refused = layers.flatMap((layer, at) => layer.map((object) => ({ object, holders: layers[at + 1] ?? [] })));

    expect(circleAmong(refused)).toBeUndefined();
  });
});
