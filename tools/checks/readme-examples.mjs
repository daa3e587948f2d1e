// Every program in libs/*/examples stands word for word in the README of its lib, but for what it tells the lint: what is shown there is what runs.
// The specs beside the programs run them.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

// A test that an author would write; tools/checks/author-tests.mjs runs it.
const authors = { program: 'examples/testing-node-test/widgets.test.js', readme: 'libs/embedded-kcp/README.md' };

const found = readdirSync('libs').flatMap((lib) => {
  const folder = join('libs', lib, 'examples');
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  return files
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .map((file) => ({ program: join(folder, file), readme: join('libs', lib, 'README.md') }));
});

const programs = found.length === 0 ? [] : [...found, authors];

const problems = programs
  .filter(({ program, readme }) => !textOf(readme).includes(`\`\`\`${extname(program).slice(1)}\n${shown(textOf(program))}\`\`\`\n`))
  .map(({ program, readme }) => `${readme} does not show ${program} as it is: copy it there`);
if (programs.length === 0) problems.push('libs/*/examples holds no program');

for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length === 0) process.stdout.write(`programs that stand in the README of their lib: ${programs.length}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;

function shown(program) {
  return program.replace(/^.*eslint-disable.*\n/u, '');
}

function textOf(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
