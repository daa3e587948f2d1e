import { parseWorkspacePath, type WorkspacePath } from '@dep-ctrl/kcp-names';

/** A path that a spec spells out. */
export function pathOf(text: string): WorkspacePath {
  const path = parseWorkspacePath(text);
  if (!path.ok) throw new Error(path.problem);
  return path.value;
}
