// The reference of the libs: every exported name, with its comment and its declaration, as pages of the site. A name without a comment is a problem.
import { dirname, join } from 'node:path';
import ts from 'typescript';

/** An entry point of a lib: what to import, and the source behind it. */
export interface EntryPoint {
  readonly lib: string;
  readonly name: string;
  readonly source: string;
}

/** The pages as Markdown by their paths, and what is wrong. */
export interface ApiReference {
  readonly pages: ReadonlyMap<string, string>;
  readonly problems: readonly string[];
}

/** The page that names all others. */
export const API_REFERENCE = 'docs/reference/libs/README.md';

const OPTIONS: ts.CompilerOptions = {
  ...{ module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext, target: ts.ScriptTarget.ES2022 },
  ...{ strict: true, exactOptionalPropertyTypes: true, skipLibCheck: true, types: ['node'], customConditions: ['@dep-ctrl/source'] },
  ...{ declaration: true, emitDeclarationOnly: true, noCheck: true },
};

/** Reads the sources behind the entry points. */
export function apiReference(entries: readonly EntryPoint[]): ApiReference {
  const program = ts.createProgram(
    entries.map(({ source }) => source),
    OPTIONS,
  );
  const declarations = declarationsOf(program);
  const problems: string[] = [];
  const sections = entries.map((entry) => {
    const names = exportedFrom(program, entry.source).map((symbol) => section(symbol, program.getTypeChecker(), declarations));
    for (const { name, about } of names) if (about === '') problems.push(`${entry.name}: ${name} has no comment`);
    return { ...entry, text: [`## ${entry.name}`, ...names.map(({ text }) => text)].join('\n\n') };
  });
  const libs = [...new Set(entries.map(({ lib }) => lib))];
  const pages = libs.map((lib) => {
    const texts = sections.filter((each) => each.lib === lib).map(({ text }) => text);
    return [join(dirname(API_REFERENCE), `${lib}.md`), `# API of ${lib}\n\n${texts.join('\n\n')}\n`] as const;
  });
  const list = libs.map((lib) => `- [${lib}](${lib}.md)`).join('\n');
  const index = `# API reference\n\nEvery name that a lib exports, with its comment, from the sources. Their READMEs show how they are used.\n\n${list}\n`;
  return { pages: new Map([[API_REFERENCE, index], ...pages]), problems };
}

function exportedFrom(program: ts.Program, source: string): readonly ts.Symbol[] {
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(source);
  const module = file && checker.getSymbolAtLocation(file);
  if (module === undefined) return [];
  const symbols = checker.getExportsOfModule(module).map((symbol) => {
    return (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol);
  });
  return symbols.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** What tsc would write as declarations: no bodies and nothing private. By source. */
function declarationsOf(program: ts.Program): ReadonlyMap<string, ts.SourceFile> {
  const written = new Map<string, ts.SourceFile>();
  program.emit(
    undefined,
    (file, text, _mark, _onError, sources) => {
      const [source] = sources ?? [];
      if (source !== undefined) written.set(source.fileName, ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true));
    },
    undefined,
    true,
  );
  return written;
}

function section(
  symbol: ts.Symbol,
  checker: ts.TypeChecker,
  declarations: ReadonlyMap<string, ts.SourceFile>,
): { readonly name: string; readonly about: string; readonly text: string } {
  const { name } = symbol;
  const about = ts.displayPartsToString(symbol.getDocumentationComment(checker)).replace(/\s*\n\s*/gu, ' ');
  const sources = new Set(symbol.declarations?.map((declaration) => declaration.getSourceFile().fileName));
  const code = [...sources].flatMap((source) => statementsOf(declarations.get(source), name)).join('\n');
  return { name, about, text: `### ${name}\n\n${about}\n\n\`\`\`ts\n${code}\n\`\`\`` };
}

function statementsOf(file: ts.SourceFile | undefined, name: string): readonly string[] {
  const named = file?.statements.filter((statement) => namesOf(statement).includes(name)) ?? [];
  return named.map((statement) =>
    statement
      .getText()
      .replace(/^export declare /u, '')
      .replace(/^export /u, '')
      .replace(/^ {4}#private;\n/mu, ''),
  );
}

function namesOf(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.map(({ name }) => name.getText());
  const isDeclaration =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement);
  return isDeclaration && statement.name !== undefined ? [statement.name.text] : [];
}
