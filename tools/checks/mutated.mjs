// Pure files with branches are mutated (docs/mutation.md), or stand below with the reason why not. A file counts as pure if it has a branch and, as its text
// says, neither waits nor reaches outside: no async, no promise, timer or signal, no clock or chance of its own, no import that does I/O or composes.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { groups } from '../mutation/groups.mjs';
import { isForSpecs } from './rooms.mjs';

/** Folders and files that no group need mutate. A folder ends in a slash. */
const NOT_MUTATED = {
  'text that a person reads as a whole: specs compare the output, and a wrong word decides nothing': [
    'apps/dep-ctrl/src/bootstrap/next-steps.ts',
    'apps/dep-ctrl/src/completion/',
    'apps/dep-ctrl/src/console/pages/',
    'apps/dep-ctrl/src/dev/what-to-try.ts',
    'apps/dep-ctrl/src/doctor/print-doctor.ts',
    'apps/dep-ctrl/src/graph/dot.ts',
    'apps/dep-ctrl/src/graph/mermaid.ts',
    'apps/dep-ctrl/src/lint/print-findings.ts',
    'apps/dep-ctrl/src/status/print-status.ts',
    'libs/command-settings/src/print-result.ts',
  ],
  'composition: commands and roles put parts together that are tested each by itself': [
    'apps/dep-ctrl/src/commands/',
    'apps/dep-ctrl/src/installation/connect-asker.ts',
    'apps/dep-ctrl/src/roles/',
  ],
  'manifests, which are compared with the files of deploy': [
    'apps/dep-ctrl/src/bootstrap/manifests.ts',
    'apps/dep-ctrl/src/dev/provider-manifests.ts',
    'libs/rule-registry/src/manifests/',
  ],
  'what the bundler puts in: sources that run unbundled know one of the two values': ['apps/dep-ctrl/src/command-line/version.ts'],
};

const IO = /^(?:undici|inversify|winston|commander|@kubernetes\/client-node)\b|^node:(?!(?:buffer|crypto|path|url|util)\b)/u;
const OUTSIDE = new Set([
  'AbortController',
  'AbortSignal',
  'AsyncGenerator',
  'AsyncIterable',
  'EventEmitter',
  'Logger',
  'Promise',
  'fetch',
  'process',
  'setImmediate',
  'setInterval',
  'setTimeout',
]);
const OWN_CLOCK = /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\brandomUUID\(/u;
const LOGICAL = new Set([ts.SyntaxKind.AmpersandAmpersandToken, ts.SyntaxKind.BarBarToken, ts.SyntaxKind.QuestionQuestionToken]);

const sources = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', 'apps/dep-ctrl/src/*.ts', 'libs/*/src/*.ts'],
  { encoding: 'utf8' },
)
  .split('\n')
  .filter((file) => file !== '' && existsSync(file) && !isForSpecs(file) && !file.endsWith('/index.ts'))
  // Its proof is the conformance suite.
  .filter((file) => !file.startsWith('libs/embedded-kcp/'));
const pure = sources.filter(isPure);
const left = pure.filter((file) => !isMutated(file));
const exceptions = Object.values(NOT_MUTATED).flat();

const problems = [
  ...left
    .filter((file) => !exceptions.some((each) => covers(each, file)))
    .map((file) => `${file} is pure and in no group of tools/mutation/groups.mjs`),
  ...exceptions
    .filter((each) => !left.some((file) => covers(each, file)))
    .map((each) => `tools/checks/mutated.mjs names ${each}, where no pure file is left to mutate`),
];
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length === 0)
  process.stdout.write(
    `${pure.length - left.length} of ${pure.length} pure files are mutated, ${left.length} are left out with a reason\n`,
  );
process.exitCode = problems.length === 0 ? 0 : 1;

function isPure(file) {
  const text = readFileSync(file, 'utf8');
  if (OWN_CLOCK.test(text)) return false;
  let branches = 0;
  let isOutside = false;
  const visit = (node) => {
    if (ts.isIfStatement(node) || ts.isConditionalExpression(node) || ts.isSwitchStatement(node)) branches += 1;
    if (ts.isBinaryExpression(node) && LOGICAL.has(node.operatorToken.kind)) branches += 1;
    if (node.kind === ts.SyntaxKind.AsyncKeyword || ts.isAwaitExpression(node)) isOutside = true;
    if (ts.isIdentifier(node) && OUTSIDE.has(node.text)) isOutside = true;
    if (ts.isImportDeclaration(node) && node.importClause?.isTypeOnly !== true && IO.test(node.moduleSpecifier.text)) isOutside = true;
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false));
  return branches > 0 && !isOutside;
}

function isMutated(file) {
  return Object.values(groups).some(({ mutate }) => mutate.some((pattern) => !pattern.startsWith('!') && matches(file, pattern)));
}

// A star stands for a part of a name: the patterns have no others.
function matches(file, pattern) {
  return new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`, 'u').test(file);
}

function covers(exception, file) {
  return exception.endsWith('/') ? file.startsWith(exception) : file === exception;
}
