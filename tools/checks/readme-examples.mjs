// Every program in libs/*/examples stands word for word in the README of its lib, but for what it tells the lint, and nothing else stands there as
// TypeScript: what is shown is what compiles and runs. The specs beside the programs run them.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// What authors would write; tools/checks/author-tests.mjs runs it.
const authors = [
  { program: 'examples/testing-node-test/widgets.test.js', language: 'js', readme: 'libs/embedded-kcp/README.md' },
  { program: 'examples/quota/src/operator.ts', language: 'ts', readme: 'docs/embedding.md' },
];

const libs = readdirSync('libs').map((lib) => {
  const [folder, readme] = [join('libs', lib, 'examples'), join('libs', lib, 'README.md')];
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  const programs = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts')).map((file) => join(folder, file));
  return { folder, readme, programs, blocks: [...textOf(readme).matchAll(/^```ts\n(.*?)^```\n/gmsu)].map(([, block]) => block) };
});

const problems = libs.flatMap(({ folder, readme, programs, blocks }) => {
  const texts = programs.map((program) => shown(textOf(program)));
  return [
    ...(programs.length === 0 ? [`${folder} holds no program: what ${readme} shows has to run`] : []),
    ...programs
      .filter((_, index) => !blocks.includes(texts[index]))
      .map((program) => `${readme} does not show ${program} as it is: copy it there`),
    ...blocks
      .filter((block) => programs.length > 0 && !texts.includes(block))
      .map((block) => `${readme} shows ${JSON.stringify(block.split('\n', 1)[0])}, which is no program of ${folder}`),
  ];
});
for (const { program, language, readme } of authors)
  if (existsSync(program) && !textOf(readme).includes(`\`\`\`${language}\n${shown(textOf(program))}\`\`\`\n`))
    problems.push(`${readme} does not show ${program} as it is: copy it there`);

for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length === 0)
  process.stdout.write(`programs that stand in the README of their lib: ${libs.flatMap(({ programs }) => programs).length}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;

function shown(program) {
  return program.replace(/^.*eslint-disable.*\n/u, '');
}

function textOf(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
