// What is wrong with a package as it would be published: its manifest and its files. Pure.
import { posix } from 'node:path';

const FIELDS = ['name', 'version', 'description', 'license', 'type', 'engines', 'exports', 'types'];
const SHIPPED = /^(?:dist\/|src\/|README\.md$|package\.json$|LICENSE$)/;
const FOR_SPECS = /\.spec\.|\.tsbuildinfo$|\/spec-support\//;

/**
 * @param {Readonly<Record<string, any>>} manifest
 * @param {ReadonlyMap<string, string>} files the content of each file by its path in the package
 * @param {Readonly<Record<string, any>>} root the manifest of the repository
 * @returns {readonly string[]}
 */
export function packageProblems(manifest, files, root) {
  return [
    ...FIELDS.filter((field) => manifest[field] === undefined).map((field) => `package.json has no "${field}"`),
    ...['LICENSE', 'README.md'].filter((file) => !files.has(file)).map((file) => `the tarball has no ${file}`),
    ...[...files.keys()].filter((file) => !SHIPPED.test(file) || FOR_SPECS.test(file)).map((file) => `the tarball holds ${file}`),
    ...originProblems(manifest, root),
    ...targetsOf(manifest.exports).flatMap(([condition, target]) => exportProblems(condition, target, files)),
    ...['dependencies', 'peerDependencies'].flatMap((field) => Object.entries(manifest[field] ?? {}).flatMap(rangeProblems)),
    ...[...files].filter(([file]) => file.endsWith('.map')).flatMap(([file, text]) => mapProblems(file, text, files)),
    ...(/ESM only/.test(files.get('README.md') ?? '')
      ? []
      : ['README.md does not say which ways to import it are not claimed ("ESM only")']),
  ].map((problem) => `${manifest.name}: ${problem}`);
}

/** Where the root says where all of this is, each package must. npm compares it with the repository that a package is published from. */
function originProblems({ repository, bugs, publishConfig }, root) {
  return [
    ...(publishConfig?.access === 'public' ? [] : ['publishConfig.access is not "public": npm keeps a scoped package private otherwise']),
    ...(repository?.url === root.repository?.url ? [] : ['"repository" is not that of the root']),
    ...(repository === undefined || repository.directory !== undefined ? [] : ['"repository" names no directory']),
    ...(JSON.stringify(bugs) === JSON.stringify(root.bugs) ? [] : ['"bugs" is not that of the root']),
  ];
}

/** Each condition of the exports with its file. */
function targetsOf(entry, condition = 'exports') {
  if (typeof entry === 'string') return [[condition, entry]];
  return Object.entries(entry ?? {}).flatMap(([name, inner]) => targetsOf(inner, `${condition}["${name}"]`));
}

function exportProblems(condition, target, files) {
  return [
    ...(files.has(posix.normalize(target)) ? [] : [`${condition} names ${target}, which is not in the tarball`]),
    ...(condition.includes('@dep-ctrl/') ? [`${condition} is a condition of this repository alone`] : []),
  ];
}

/** A pin makes a second copy of what the program has already, and keeps fixes away. */
function rangeProblems([name, range]) {
  return /^\^\d/.test(range) ? [] : [`it depends on ${name} ${range}: a pin; give the range ^${range}`];
}

function mapProblems(file, text, files) {
  const { sources } = JSON.parse(text);
  return sources
    .map((source) => posix.join(posix.dirname(file), source))
    .filter((source) => !files.has(source))
    .map((source) => `${file} points to ${source}, which is not in the tarball`);
}
