// Bundles the suites (TypeScript, workspace libs from their sources) and runs them.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { imageEnvironment } from '../tools/image-environment.mjs';
import { ensureBundle } from '../tools/start.mjs';
import { bundleOlder } from './older-program.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const outdir = join(here, 'bundle');

await build({
  entryPoints: {
    main: join(here, 'src', 'main.ts'),
    candidate: join(here, 'src', 'libraries', 'candidate.ts'),
    'operator-process': join(here, 'src', 'libraries', 'operators', 'operator-process.ts'),
    'proxy-process': join(here, 'src', 'faults', 'proxy-process.ts'),
    'empty-server': join(here, 'src', 'faults', 'empty-server.ts'),
  },
  outdir,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: true,
  conditions: ['@dep-ctrl/source'],
  plugins: [
    {
      // Only our own packages go into the bundle; the others are found in node_modules.
      name: 'third-party-stays-outside',
      setup: ({ onResolve }) =>
        onResolve({ filter: /^[^./]/ }, ({ path }) => (path.startsWith('@dep-ctrl/') ? undefined : { path, external: true })),
    },
  ],
  logLevel: 'warning',
});
// Scenarios run the product as its users do: the bundled program, in processes of its own.
if (['scenarios', 'sabotage', 'model', 'soak', 'against'].includes(process.argv[2] ?? ''))
  process.env['DEP_CTRL_PROGRAM'] = await ensureBundle();
if (['scenarios', 'sabotage'].includes(process.argv[2] ?? '')) {
  process.env['DEP_CTRL_OLDER_PROGRAM'] = await bundleOlder(join(outdir, 'older.cjs'));
  process.env['DEP_CTRL_CHANGED_PROGRAM'] = join(here, 'changed-program.mjs');
  process.env['DEP_CTRL_IMAGE_CHECK'] = join(here, '..', 'deploy', 'image', 'check.mjs');
  process.env['DEP_CTRL_GETTING_STARTED'] = join(here, '..', 'docs', 'getting-started.md');
}
Object.assign(process.env, imageEnvironment);
process.setSourceMapsEnabled(true);
await import(join(outdir, 'main.mjs'));
