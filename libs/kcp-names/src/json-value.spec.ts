import { describe, expect, it } from '@jest/globals';
import { elements, record, recordAt, text } from './index.js';

const NO_OBJECTS = [undefined, null, 1, 'x', true, [{}]];

describe(record, () => {
  it('given a JSON object, then that is answered', () => {
    const value = { a: 1 };

    expect(record(value)).toBe(value);
  });

  it.each(NO_OBJECTS)('given %j, then there is no object', (value) => {
    expect(record(value)).toBeUndefined();
  });
});

describe(recordAt, () => {
  it('given an object in the field, then that is answered', () => {
    const spec = { a: 1 };

    expect(recordAt({ spec }, 'spec')).toBe(spec);
  });

  it.each(NO_OBJECTS)('given %j in the field, then the object there is empty', (value) => {
    expect(recordAt({ spec: value }, 'spec')).toEqual({});
  });
});

describe(text, () => {
  it('given a text, then that is answered', () => {
    expect(text('x')).toBe('x');
  });

  it.each([undefined, null, 1, '', {}, ['x']])('given %j, then there is no text', (value) => {
    expect(text(value)).toBeUndefined();
  });
});

describe(elements, () => {
  it('given a list, then that is answered', () => {
    const value = [1, 'x'];

    expect(elements(value)).toBe(value);
  });

  it.each([undefined, null, 1, 'x', { length: 1 }])('given %j, then there are no elements', (value) => {
    expect(elements(value)).toEqual([]);
  });
});
