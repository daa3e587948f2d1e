// Set by the bundler from package.json; sources that run unbundled have no release.
declare const DEP_CTRL_VERSION: string | undefined;

/** The version of this program. */
export const VERSION = typeof DEP_CTRL_VERSION === 'undefined' ? '0.0.0-source' : DEP_CTRL_VERSION;
