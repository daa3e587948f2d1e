import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { importClosure } from './import-closure.js';

const FILES: Readonly<Record<string, string>> = {
  'src/s1.ts': "import { a } from './shared/a.js';\nimport type {\n  B,\n} from './b.js';\nimport { ok } from 'node:assert';",
  'src/shared/a.ts': "import { b } from '../b.js';\nexport { c } from './c.js';",
  'src/shared/c.ts': "import '../effects.js';",
  'src/b.ts': "import { a } from './shared/a.js';",
  'src/effects.ts': '',
  'src/alone.ts': '',
};

describe('the files that a test consists of', () => {
  it.each([
    { of: ['src/s1.ts'], are: ['src/b.ts', 'src/effects.ts', 'src/s1.ts', 'src/shared/a.ts', 'src/shared/c.ts'] },
    { of: ['src/alone.ts'], are: ['src/alone.ts'] },
    { of: ['src/shared/c.ts', 'src/alone.ts'], are: ['src/alone.ts', 'src/effects.ts', 'src/shared/c.ts'] },
  ])('given $of, when their imports are followed, then they are $are', ({ of, are }) => {
    const root = mkdtempSync(join(tmpdir(), 'import-closure-'));
    try {
      for (const [file, text] of Object.entries(FILES)) {
        mkdirSync(dirname(join(root, file)), { recursive: true });
        writeFileSync(join(root, file), text);
      }

      expect(importClosure(root, of)).toEqual(are);
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});
