import { describe, expect, it } from '@jest/globals';
import { OncePerText } from './once-per-text.js';

describe(OncePerText, () => {
  it('given a text that was told, then it is new again once it is forgotten', () => {
    const texts = new OncePerText();

    expect([texts.isNew('a'), texts.isNew('a'), texts.isNew('b')]).toEqual([true, false, true]);
    texts.forget('a');

    expect([texts.isNew('a'), texts.isNew('b')]).toEqual([true, false]);
  });

  it('given what was told and forgotten, then it is empty as long as nothing is left to forget', () => {
    const texts = new OncePerText();
    const isEmpty = [texts.isEmpty];

    texts.isNew('a');
    isEmpty.push(texts.isEmpty);
    texts.forget('a');

    expect([...isEmpty, texts.isEmpty]).toEqual([true, false, true]);
  });

  it('given a thousand texts, then all are remembered, and with one more it begins anew', () => {
    const texts = new OncePerText();
    for (let count = 0; count < 1_000; count += 1) texts.isNew(String(count));
    expect([texts.isNew('0'), texts.isNew('999')]).toEqual([false, false]);

    texts.isNew('one more');

    expect([texts.isNew('one more'), texts.isNew('0')]).toEqual([false, true]);
  });
});
