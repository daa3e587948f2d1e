import { describe, expect, it } from '@jest/globals';
import { installationOf, readerRoleName, resolverRoleName, shardRightNames } from './right-names.js';

const INSTALLATION = '1k7ez4pisisnd9rg';

describe(shardRightNames, () => {
  it('given two installations, then no right of one has the name of a right of the other, and each name tells whose it is', () => {
    const names = shardRightNames(INSTALLATION);

    expect(names).toEqual([readerRoleName(INSTALLATION), resolverRoleName(INSTALLATION)]);
    expect(names).toEqual([`dep-ctrl:read-dependents:${INSTALLATION}`, `dep-ctrl:resolve-workspaces:${INSTALLATION}`]);
    expect(names.map(installationOf)).toEqual([INSTALLATION, INSTALLATION]);
  });

  it('given no installation, then they have the names of the files', () => {
    expect([readerRoleName(undefined), resolverRoleName(undefined)]).toEqual(['dep-ctrl:read-dependents', 'dep-ctrl:resolve-workspaces']);
  });
});

describe(installationOf, () => {
  it.each([
    { given: 'the name of a file', name: 'dep-ctrl:read-dependents' },
    { given: 'a name of another program', name: `other:${INSTALLATION}` },
    { given: 'what is no logical cluster', name: 'dep-ctrl:read-dependents:No Cluster' },
    { given: 'a name that only ends so', name: `x:dep-ctrl:read-dependents:${INSTALLATION}` },
  ])('given $given, then it is of no installation', ({ name }) => {
    expect(installationOf(name)).toBeUndefined();
  });
});
