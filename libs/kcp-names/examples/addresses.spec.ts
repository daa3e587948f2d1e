import { expect, it } from '@jest/globals';
import { parseLogicalClusterName, parseWorkspacePath, splitWorkspacePath } from '@dep-ctrl/kcp-names';

it('tells names and paths apart', () => {
  const path = parseWorkspacePath('root:providers:network');
  if (!path.ok) throw new Error(path.problem);

  expect(splitWorkspacePath(path.value)).toEqual({ parent: 'root:providers', name: 'network' });
  expect(parseLogicalClusterName('root:a').ok).toBe(false);
});
