import { describe, expect, it } from '@jest/globals';
import { name, path } from '../rules/spec-support/objects.js';
import { bindCommand, homePathOf } from './bind-command.js';

describe(bindCommand, () => {
  it.each([
    { given: 'the usual workspace', workspace: path('root:dep-ctrl'), expected: 'dep-ctrl bind root:network' },
    { given: 'another one', workspace: path('root:team:guards'), expected: 'dep-ctrl bind root:network --workspace root:team:guards' },
    { given: 'only the name of its logical cluster', workspace: name('2sr7vido6wesw5w3'), expected: 'dep-ctrl bind root:network' },
    { given: 'nothing', workspace: undefined, expected: 'dep-ctrl bind root:network' },
  ])('given $given as the home of dep-ctrl, then $expected', ({ workspace, expected }) => {
    expect(bindCommand(path('root:network'), homePathOf(workspace))).toBe(expected);
  });
});
