import { describe, expect, it } from '@jest/globals';
import type { Box } from './layout.js';
import { routes, type Link } from './route.js';

const box = (x: number, y: number, width = 40, height = 40): Box => ({ x, y, width, height });
const link = (from: string, to: string, ...between: readonly (readonly [x: number, y: number])[]): Link => ({
  from,
  to,
  between: between.map(([x, y]) => ({ x, y })),
});

function drawn(boxes: Readonly<Record<string, Box>>, labels: readonly Box[], ...links: readonly Link[]): readonly string[] {
  return routes(links, { boxes: new Map(Object.entries(boxes)), labels });
}

describe(routes, () => {
  it.each([
    {
      given: 'one to the right',
      a: box(50, 50),
      b: box(250, 50),
      expected: 'M70 50 L70 50 L150 50 Q150 50 150 50 L150 50 Q150 50 150 50 L230 50 L230 50',
    },
    {
      given: 'one to the left',
      a: box(250, 50),
      b: box(50, 50),
      expected: 'M230 50 L230 50 L150 50 Q150 50 150 50 L150 50 Q150 50 150 50 L70 50 L70 50',
    },
    {
      given: 'one in the same column',
      a: box(50, 50),
      b: box(50, 150),
      expected: 'M70 50 L70 50 L58 50 Q50 50 50 58 L50 142 Q50 150 42 150 L30 150 L30 150',
    },
    {
      given: 'one to the right and below',
      a: box(50, 50),
      b: box(250, 150),
      expected: 'M70 50 L70 50 L142 50 Q150 50 150 58 L150 142 Q150 150 158 150 L230 150 L230 150',
    },
    {
      given: 'one to the right and above',
      a: box(50, 150),
      b: box(250, 50),
      expected: 'M70 150 L70 150 L142 150 Q150 150 150 142 L150 58 Q150 50 158 50 L230 50 L230 50',
    },
    {
      given: 'one to the left and below',
      a: box(250, 50),
      b: box(50, 150),
      expected: 'M230 50 L230 50 L158 50 Q150 50 150 58 L150 142 Q150 150 142 150 L70 150 L70 150',
    },
    {
      given: 'one a little below',
      a: box(50, 50),
      b: box(250, 60),
      expected: 'M70 50 L70 50 L145 50 Q150 50 150 55 L150 55 Q150 60 155 60 L230 60 L230 60',
    },
    {
      given: 'one that is near',
      a: box(50, 50),
      b: box(100, 150),
      expected: 'M70 50 L70 50 L70 50 Q75 50 75 55 L75 145 Q75 150 80 150 L80 150 L80 150',
    },
  ])('given a box and $given, then the line goes from side to side with round corners', ({ a, b, expected }) => {
    expect(drawn({ a, b }, [], link('a', 'b'))).toEqual([expected]);
  });

  it('given wider boxes and labels in the columns of a line, then it stays level beside them, in either direction', () => {
    const boxes = { a: box(50, 50), b: box(250, 150), wide: box(50, 200, 80), near: box(50.4, 300, 60), small: box(250, 300, 20) };
    const labels = [box(150, 90, 60, 14)];

    expect(drawn(boxes, labels, link('a', 'b', [150, 90]))).toEqual([
      'M70 50 L90 50 L97 50 Q105 50 105 58 L105 82 Q105 90 113 90 L120 90 L180 90 L197 90 Q205 90 205 98 L205 142 Q205 150 213 150 L230 150 L230 150',
    ]);
    expect(drawn(boxes, labels, link('b', 'a', [150, 90]))).toEqual([
      'M230 150 L230 150 L213 150 Q205 150 205 142 L205 98 Q205 90 197 90 L180 90 L120 90 L113 90 Q105 90 105 82 L105 58 Q105 50 97 50 L90 50 L70 50',
    ]);
  });

  it('given a point in a column of nothing, then the line goes through it', () => {
    expect(drawn({ a: box(50, 50), b: box(250, 50) }, [], link('a', 'b', [150, 90]))).toEqual([
      'M70 50 L70 50 L102 50 Q110 50 110 58 L110 82 Q110 90 118 90 L150 90 L150 90 L182 90 Q190 90 190 82 L190 58 Q190 50 198 50 L230 50 L230 50',
    ]);
  });

  it('given a link from or to a box that is not there, then it has no line, and the others have theirs', () => {
    const lines = drawn({ a: box(50, 50), b: box(250, 50) }, [], link('a', 'c'), link('a', 'b'), link('c', 'b'));

    expect(lines).toEqual(['', 'M70 50 L70 50 L150 50 Q150 50 150 50 L150 50 Q150 50 150 50 L230 50 L230 50', '']);
  });

  const columns = {
    a: box(50, 50),
    b: box(50, 150),
    c: box(50, 250),
    x: box(250, 50),
    y: box(250, 150),
    z: box(250, 250),
    m: box(50, 105),
  };

  it.each([
    { given: 'two that fall', links: [link('a', 'y'), link('b', 'z')], lanes: ['176.7 58', '123.3 158'] },
    { given: 'two that fall, the lower one first', links: [link('b', 'z'), link('a', 'y')], lanes: ['123.3 158', '176.7 58'] },
    { given: 'two that rise', links: [link('b', 'x'), link('c', 'y')], lanes: ['123.3 142', '176.7 242'] },
    { given: 'two that rise, the lower one first', links: [link('c', 'y'), link('b', 'x')], lanes: ['176.7 242', '123.3 142'] },
    { given: 'one that rises and one that falls', links: [link('b', 'x'), link('a', 'y')], lanes: ['176.7 142', '123.3 58'] },
    { given: 'one that falls and one that rises', links: [link('a', 'y'), link('b', 'x')], lanes: ['123.3 58', '176.7 142'] },
    { given: 'one there and one back', links: [link('a', 'y'), link('z', 'b')], lanes: ['176.7 58', '123.3 242'] },
    { given: 'three that fall', links: [link('a', 'y'), link('b', 'z'), link('a', 'z')], lanes: ['190 51.3', '110 158', '150 64.7'] },
    { given: 'two that fall, one within the other', links: [link('a', 'z'), link('m', 'y')], lanes: ['176.7 58', '123.3 113'] },
    { given: 'one that falls and one that is level', links: [link('a', 'y'), link('c', 'z')], lanes: ['150 58', '150 250'] },
  ])('given $given in one gap, then each has a lane of its own, and those of one direction do not cross', ({ links, lanes }) => {
    expect(drawn(columns, [], ...links).map((line) => /Q\S+ \S+ (\S+ \S+)/.exec(line)?.[1])).toEqual(lanes);
  });

  it('given two lines in a narrow gap, then their corners are as round as there is room for', () => {
    const lines = drawn({ ...columns, y: box(105, 150), z: box(105, 250) }, [], link('a', 'y'), link('b', 'z'));

    expect(lines).toEqual([
      'M70 50 L70 50 L75 50 Q80 50 80 55 L80 145 Q80 150 85 150 L85 150 L85 150',
      'M70 150 L70 150 L70 150 Q75 150 75 155 L75 245 Q75 250 80 250 L85 250 L85 250',
    ]);
  });

  it.each([
    { given: 'less than one', by: 0.5, lanes: ['150', '150'] },
    { given: 'one', by: 1, lanes: ['176.7', '123.3'] },
  ])('given a line that falls by $given, then it counts for the lanes only from one on', ({ by, lanes }) => {
    const lines = drawn({ ...columns, x: box(250, 50 + by) }, [], link('a', 'x'), link('b', 'z'));

    expect(lines.map((line) => /Q(\S+)/.exec(line)?.[1])).toEqual(lanes);
  });

  it('given lines in two gaps, then each has the middle of its own', () => {
    const lines = drawn({ a: box(50, 50), b: box(250, 150), c: box(450, 250) }, [], link('a', 'b'), link('b', 'c'));

    expect(lines.map((line) => /Q(\S+)/.exec(line)?.[1])).toEqual(['150', '350']);
  });

  it.each([
    {
      given: 'lines from one side',
      links: [link('a', 'z'), link('a', 'x'), link('y', 'a')],
      ends: [
        ['70 62.5', '230 250'],
        ['70 37.5', '230 50'],
        ['230 150', '70 50'],
      ],
    },
    {
      given: 'lines to one side',
      links: [link('c', 'y'), link('a', 'y'), link('b', 'y')],
      ends: [
        ['70 250', '230 160'],
        ['70 50', '230 140'],
        ['70 150', '230 150'],
      ],
    },
    {
      given: 'lines by other ways',
      links: [link('a', 'x', [150, 100]), link('a', 'x', [150, 0]), link('a', 'x', [120, 20], [180, 80])],
      ends: [
        ['70 62.5', '230 60'],
        ['70 37.5', '230 40'],
        ['70 50', '230 50'],
      ],
    },
    {
      given: 'lines to one place',
      links: [link('a', 'x'), link('a', 'x')],
      ends: [
        ['70 41.7', '230 43.3'],
        ['70 58.3', '230 56.7'],
      ],
    },
    {
      given: 'a line on each side',
      links: [link('m', 'a'), link('m', 'x')],
      ends: [
        ['130 100', '70 50'],
        ['170 100', '230 50'],
      ],
    },
  ])('given $given of a box, then they are spread over it in the order of where they go', ({ links, ends }) => {
    const lines = drawn({ ...columns, a: box(50, 50, 40, 50), m: box(150, 100) }, [], ...links);

    expect(lines.map((line) => [/^M(\S+ \S+)/.exec(line)?.[1], /L(\S+ \S+)$/.exec(line)?.[1]])).toEqual(ends);
  });
});
