// The types and the lint of the whole workspace in one TypeScript program: each file is read, bound and checked once. Types come first, as the
// rules that need types then find them known. With files as arguments the lint is of those alone, and of the types what did not change since
// the last such run is not checked again.
import { ESLint } from 'eslint';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { graphForLint } from './project-graph.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const config = `${root}tsconfig.check.json`;
const buildInfo = `${root}node_modules/.cache/check.tsbuildinfo`;
const wanted = process.argv.slice(2);

process.chdir(root);
const { fileNames, options, errors } = ts.getParsedCommandLineOfConfigFile(
  config,
  {},
  { ...ts.sys, onUnRecoverableConfigFileDiagnostic: fail },
);
const { program, problems } = wanted.length === 0 ? checkedAnew() : checkedSinceLastTime();
const format = { getCanonicalFileName: (name) => name, getCurrentDirectory: () => root, getNewLine: () => '\n' };
if (problems.length > 0) process.stderr.write(ts.formatDiagnostics(problems, format));

await graphForLint();
const eslint = new ESLint({
  cwd: root,
  overrideConfig: { files: ['**/*.ts'], languageOptions: { parserOptions: { projectService: false, programs: [program] } } },
  warnIgnored: false,
});
const results = await eslint.lintFiles(wanted.length === 0 ? ['.'] : wanted);
const faults = results.reduce((sum, { errorCount }) => sum + errorCount, 0);
process.stdout.write(await (await eslint.loadFormatter('stylish')).format(results));
process.stdout.write(`${fileNames.length} files have ${problems.length} errors of types, ${results.length} have ${faults} of the lint\n`);
process.exitCode = problems.length + faults === 0 ? 0 : 1;

function checkedAnew() {
  const whole = ts.createProgram({ rootNames: fileNames, options, configFileParsingDiagnostics: errors });
  return { program: whole, problems: [...ts.getPreEmitDiagnostics(whole)] };
}

function checkedSinceLastTime() {
  const builder = ts.createIncrementalProgram({
    rootNames: fileNames,
    options: { ...options, incremental: true, tsBuildInfoFile: buildInfo },
    configFileParsingDiagnostics: errors,
  });
  const found = [
    ...builder.getConfigFileParsingDiagnostics(),
    ...builder.getOptionsDiagnostics(),
    ...builder.getGlobalDiagnostics(),
    ...builder.getSyntacticDiagnostics(),
    ...builder.getSemanticDiagnostics(),
  ];
  builder.emit(); // writes nothing but the build info
  return { program: builder.getProgram(), problems: found };
}

function fail(problem) {
  throw new Error(ts.flattenDiagnosticMessageText(problem.messageText, '\n'));
}
