import { describe, expect, it } from '@jest/globals';
import { readListOptions, readWatchOptions } from './list-options.js';

const answer = (code: number, message = ''): unknown =>
  expect.objectContaining({ body: expect.objectContaining({ code, message: expect.stringContaining(message) as unknown }) as unknown });
const query = (text: string): URLSearchParams => new URLSearchParams(text);

describe(readListOptions, () => {
  it.each([
    ['limit=x', 400, 'strconv.ParseInt: parsing "x"'],
    ['timeoutSeconds=x', 400, 'strconv.ParseInt'],
    ['resourceVersion=x', 400, 'strconv.ParseUint'],
    ['resourceVersionMatch=Exact', 422, 'unless resourceVersion is provided'],
    ['resourceVersionMatch=Odd&resourceVersion=1', 422, 'supported values: "Exact", "NotOlderThan", ""'],
    ['resourceVersionMatch=Exact&resourceVersion=0', 422, 'forbidden for resourceVersion "0"'],
    ['resourceVersionMatch=NotOlderThan&resourceVersion=1&continue=x', 422, 'forbidden when continue is provided'],
    ['sendInitialEvents=true', 422, 'sendInitialEvents is forbidden for list'],
  ])('given %s, then it is %i', (text, code, message) => {
    expect(() => readListOptions(query(text))).toThrow(answer(code, message));
  });

  it('given a negative limit, then there is none', () => {
    expect(readListOptions(query('limit=-1')).limit).toBeLessThan(0);
  });
});

describe(readWatchOptions, () => {
  it.each([
    ['timeoutSeconds=x', 400, 'strconv.ParseInt'],
    ['sendInitialEvents=false', 422, 'requires setting resourceVersionMatch to NotOlderThan'],
    ['resourceVersionMatch=NotOlderThan&resourceVersion=1', 422, 'forbidden for watch unless sendInitialEvents is provided'],
    ['resourceVersionMatch=Exact&sendInitialEvents=true', 422, 'Unsupported value: "Exact": supported values: "NotOlderThan"'],
    ['continue=x', 422, 'forbidden when continue is provided'],
  ])('given %s, then it is %i', (text, code, message) => {
    expect(() => readWatchOptions(query(text))).toThrow(answer(code, message));
  });

  it('given all that a reflector says, then it is read', () => {
    const text = 'allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&timeoutSeconds=5';

    expect(readWatchOptions(query(text))).toMatchObject({ bookmarks: true, sendInitialEvents: true, timeoutMs: 5_000 });
  });
});
