import { describe, expect, it } from '@jest/globals';
import { Relation } from './relation.js';

describe(Relation, () => {
  it('given a pair that two sources claim, then it holds until both have taken it back', () => {
    const relation = new Relation<string, string>();
    relation.link('l', 'r');
    relation.link('l', 'r');

    relation.unlink('l', 'r');
    expect([relation.rightsOf('l'), relation.leftsOf('r')]).toEqual([['r'], ['l']]);

    relation.unlink('l', 'r');
    expect([relation.rightsOf('l'), relation.leftsOf('r')]).toEqual([[], []]);
  });

  it('given a pair that nobody claimed, then taking it back changes nothing, also of what is claimed later', () => {
    const relation = new Relation<string, string>();

    relation.unlink('l', 'r');
    expect([relation.rightsOf('l'), relation.leftsOf('r')]).toEqual([[], []]);

    relation.link('l', 'r');
    expect([relation.rightsOf('l'), relation.leftsOf('r')]).toEqual([['r'], ['l']]);
  });
});
