// nx's graph of the projects: who imports whom.
import { createProjectGraphAsync } from '@nx/devkit';
import { fileURLToPath } from 'node:url';

/** The graph as it is now. nx would read it in processes of its own, one for each of its plugins. */
export function projectGraph() {
  process.env.NX_ISOLATE_PLUGINS = 'false';
  return createProjectGraphAsync({ exitOnError: true });
}

/** Leaves the graph where the rule about imports looks for it: once in a program called eslint, for each file again in any other. */
export async function graphForLint() {
  await projectGraph();
  process.argv[1] = fileURLToPath(new URL('../../node_modules/.bin/eslint', import.meta.url));
}
