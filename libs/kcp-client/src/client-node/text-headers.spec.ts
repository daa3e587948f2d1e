import { describe, expect, it } from '@jest/globals';
import { textHeaders } from './text-headers.js';

describe(textHeaders, () => {
  it('given headers that came once, several times or not at all, then each that came is one text', () => {
    const headers = { 'content-type': 'application/json', warning: '', 'set-cookie': ['a=1', 'b=2'], age: undefined };

    expect(textHeaders(headers)).toStrictEqual({ 'content-type': 'application/json', warning: '', 'set-cookie': 'a=1, b=2' });
  });
});
