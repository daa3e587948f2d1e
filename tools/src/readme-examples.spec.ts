import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const CHECK = fileURLToPath(new URL('../checks/readme-examples.mjs', import.meta.url));
const PROGRAM = "/* eslint-disable no-console -- it prints */\nconsole.log('a');\n";
const README = "# a\n\n```ts\nconsole.log('a');\n```\n";

describe('the check of examples in READMEs', () => {
  it.each<{ given: string; files: Record<string, string>; code: number; says: string }>([
    {
      given: 'a program that stands there, but for what it tells the lint',
      files: { 'libs/a/examples/show.ts': PROGRAM, 'libs/a/examples/show.spec.ts': '// runs it\n', 'libs/a/README.md': README },
      code: 0,
      says: 'programs that stand in the README of their lib: 1\n',
    },
    {
      given: 'a program that was edited',
      files: { 'libs/a/examples/show.ts': PROGRAM.replace("'a'", "'b'"), 'libs/a/README.md': README },
      code: 1,
      says: 'libs/a/README.md does not show libs/a/examples/show.ts as it is: copy it there\nlibs/a/README.md shows "console.log(\'a\');", which is no program of libs/a/examples\n',
    },
    {
      given: 'a README that stops before the program does',
      files: { 'libs/a/examples/show.ts': `${PROGRAM}console.log('b');\n`, 'libs/a/README.md': README },
      code: 1,
      says: 'libs/a/README.md does not show libs/a/examples/show.ts as it is: copy it there\nlibs/a/README.md shows "console.log(\'a\');", which is no program of libs/a/examples\n',
    },
    {
      given: 'one lib of two without a README',
      files: { 'libs/a/examples/show.ts': PROGRAM, 'libs/a/README.md': README, 'libs/b/examples/show.ts': PROGRAM },
      code: 1,
      says: 'libs/b/README.md does not show libs/b/examples/show.ts as it is: copy it there\n',
    },
    {
      given: 'no program at all',
      files: { 'libs/a/examples/show.spec.ts': '// runs nothing\n', 'libs/a/README.md': README },
      code: 1,
      says: 'libs/a/examples holds no program: what libs/a/README.md shows has to run\n',
    },
    {
      given: 'a README that shows something that nothing runs',
      files: { 'libs/a/examples/show.ts': PROGRAM, 'libs/a/README.md': `${README}\nOr:\n\n\`\`\`ts\nexpect(1).toBe(1);\n\`\`\`\n` },
      code: 1,
      says: 'libs/a/README.md shows "expect(1).toBe(1);", which is no program of libs/a/examples\n',
    },
  ])('given $given, then it ends with $code and says so', ({ files, code, says }) => {
    const dir = mkdtempSync(join(tmpdir(), 'readme-examples-'));
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(dir, name)), { recursive: true });
      writeFileSync(join(dir, name), text);
    }

    const { status, stdout, stderr } = spawnSync(process.execPath, [CHECK], { cwd: dir, encoding: 'utf8', env: {} });

    rmSync(dir, { recursive: true });
    expect({ code: status, says: stdout + stderr }).toEqual({ code, says });
  });
});
