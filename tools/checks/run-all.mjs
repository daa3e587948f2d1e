// `npm test`: every check that needs nothing but Node and a laptop. Names given as arguments run only those checks.
import { jestCheck } from './jest-check.mjs';
import { runChecks } from './running.mjs';

/** @typedef {import('./running.mjs').Check} Check */

/** @type {Check[]} */
const first = [
  // Leaves nx's graph of the projects to the rule about imports.
  { name: 'import graph is the documented one', command: ['node', 'tools/checks/import-graph.mjs'] },
];

// One core is busy with types and lint about as long as the other one with the rest.
/** @type {Check[]} */
const typesAndLint = [
  // TypeScript makes much that lives for the time of one file: with room for that, collecting it takes half as long.
  { name: 'types and lint', command: ['node', '--max-semi-space-size=64', 'tools/checks/lint-and-types.mjs'] },
];

/** @type {Check[]} */
const besideThem = [
  { name: 'format', command: ['npx', 'prettier', '--check', '--log-level', 'warn', '--cache', '--cache-strategy', 'content', '.'] },
  { name: 'manifests are what the code says', command: ['npm', 'run', '--silent', 'generate', '--', '--check'] },
  { name: 'the chart is valid and fits together', command: ['npm', 'run', '--silent', 'chart'] },
  { name: 'alerts fire when they should', command: ['node', 'tools/checks/alerts.mjs'] },
  { name: 'packages in the bundle are listed', command: ['node', 'tools/sbom.mjs'] },
  { name: 'forbidden imports are refused', command: ['node', 'tools/checks/boundaries.mjs'] },
  { name: 'rooms are the documented ones', command: ['node', 'tools/checks/rooms-documented.mjs'] },
  { name: 'READMEs show the examples as they are', command: ['node', 'tools/checks/readme-examples.mjs'] },
  { name: 'links in docs', command: ['npm', 'run', '--silent', 'docs', '--', '--check'] },
  { name: 'pure files are mutated', command: ['node', 'tools/checks/mutated.mjs'] },
  { name: 'guarantees name tests that exist and ran', command: ['node', 'tools/checks/guarantees.mjs'] },
  // Without checking types, which is done beside: what is written is the same.
  { name: 'libs build', command: ['npx', 'tsc', '--build', '--noCheck', 'tsconfig.libs.json'] },
  { name: 'packed libs install and import elsewhere', command: ['node', 'tools/checks/packed-libs.mjs'] },
];

/** @type {Check[]} */
const last = [
  jestCheck('tests', ['--verbose']),
  {
    name: 'random topologies are answered as a model says',
    command: ['node', 'e2e/run.mjs', 'model', '--seeds', '20', '--backend', 'embedded', '--workers', '2'],
  },
];

const stages = [[first], [typesAndLint, besideThem], [last]];
const names = stages.flat(2).map(({ name }) => name);
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`no check is called ${unknown.join(', ')}; there are: ${names.join(', ')}\n`);
  process.exit(2);
}

const isWanted = (/** @type {Check} */ { name }) => wanted.length === 0 || wanted.includes(name);
await runChecks(stages.map((lanes) => lanes.map((lane) => lane.filter(isWanted))));
