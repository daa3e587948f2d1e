// The manifest that a package is published with, from the one in the repository. Pure.

/**
 * In the repository the libs name each other by exact version, which nx raises with each release. Published, a lib takes any later version of the same
 * line of another: two copies of one lib in a program would be two classes `KcpError`. The condition for our sources is for this repository alone; where it
 * is, who maintains it and what a scope needs to be public stand once, in the manifest of the root.
 * @param {Readonly<Record<string, any>>} manifest
 * @param {{ readonly folder: string, readonly root: Readonly<Record<string, any>> }} place
 * @returns {Record<string, any>}
 */
export function packedManifest(manifest, { folder, root }) {
  const { devDependencies: _, files: __, exports: entries, dependencies, ...rest } = manifest;
  return {
    ...rest,
    ...(root.repository === undefined ? {} : { repository: { ...root.repository, directory: folder } }),
    ...(root.bugs === undefined ? {} : { bugs: root.bugs }),
    ...(entries === undefined ? {} : { exports: Object.fromEntries(Object.entries(entries).map(([key, entry]) => [key, shipped(entry)])) }),
    ...(dependencies === undefined ? {} : { dependencies: Object.fromEntries(Object.entries(dependencies).map(ranged)) }),
    publishConfig: { access: 'public' },
  };
}

/** @param {unknown} entry */
function shipped(entry) {
  if (typeof entry !== 'object' || entry === null) return entry;
  return Object.fromEntries(Object.entries(entry).filter(([condition]) => condition !== '@dep-ctrl/source'));
}

/** @param {[string, any]} dependency */
function ranged([name, version]) {
  return [name, name.startsWith('@dep-ctrl/') ? `^${version}` : version];
}
