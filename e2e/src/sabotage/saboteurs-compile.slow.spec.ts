import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { ALL_SABOTEURS } from './all-saboteurs.js';
import { changed, type Change } from './saboteur.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

// What they leave unused or unreachable is no fault of theirs.
const RELAXED: ts.CompilerOptions = { noUnusedLocals: false, noUnusedParameters: false, allowUnreachableCode: true };

const BUILT = ALL_SABOTEURS.map(({ name, changes }) => ({ name, changes: changes.filter(({ file }) => file.endsWith('.ts')) })).filter(
  ({ changes }) => changes.length > 0,
);

// A saboteur that calls what is no longer there makes a program that fails instead of one that does wrong, and its scenario shows nothing.
describe('the programs of the saboteurs', () => {
  let compiler: ChangedSources;

  beforeAll(() => {
    compiler = new ChangedSources(BUILT.flatMap(({ changes }) => changes.map(({ file }) => `${root}${file}`)));
  });

  it.each(BUILT)('given $name, then what it changes has no type errors', ({ changes }) => {
    expect(compiler.errorsWith(changes)).toEqual([]);
  });

  it('given a change that calls what is not there, then it is noticed', () => {
    const changes = [
      { file: 'libs/rule-registry/src/registry/rule-registry.ts', now: '.filter(({ rule }) => admits(rule))', instead: '.none()' },
    ];

    expect(compiler.errorsWith(changes)).toEqual([expect.stringContaining("Property 'none' does not exist")]);
  });
});

/** The sources of the program, of which some are changed at a time; what stays is parsed once. */
class ChangedSources {
  readonly #roots: readonly string[];
  readonly #options: ts.CompilerOptions;
  readonly #host: ts.CompilerHost;
  readonly #parsed = new Map<string, ts.SourceFile | undefined>();
  #changed: ReadonlyMap<string, string> = new Map();
  #program: ts.Program | undefined;

  constructor(roots: readonly string[]) {
    this.#roots = [...new Set(roots)];
    const read = ts.readConfigFile(`${root}tsconfig.check.json`, (file) => readFileSync(file, 'utf8'));
    const config = read.config as unknown;
    this.#options = { ...ts.parseJsonConfigFileContent(config, ts.sys, root).options, ...RELAXED };
    const host = ts.createCompilerHost(this.#options);
    this.#host = { ...host, getSourceFile: (file, target) => this.#sourceFile(file, () => host.getSourceFile(file, target)) };
  }

  errorsWith(changes: readonly Change[]): readonly string[] {
    this.#changed = changedTexts(changes);
    const program = ts.createProgram(this.#roots, this.#options, this.#host, this.#program);
    this.#program = program;
    const found = [...this.#changed.keys()].flatMap((file) => program.getSemanticDiagnostics(program.getSourceFile(file)));
    return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
  }

  #sourceFile(file: string, parse: () => ts.SourceFile | undefined): ts.SourceFile | undefined {
    const changed = this.#changed.get(file);
    if (changed !== undefined) return ts.createSourceFile(file, changed, ts.ScriptTarget.Latest, true);
    if (!this.#parsed.has(file)) this.#parsed.set(file, parse());
    return this.#parsed.get(file);
  }
}

/** By file, its text with all changes. */
function changedTexts(changes: readonly Change[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const change of changes) {
    const path = `${root}${change.file}`;
    texts.set(path, changed(texts.get(path) ?? readFileSync(path, 'utf8'), change));
  }
  return texts;
}
