export { PathHints, type PathHint } from './path-hints.js';
export { PathLookups, type PathLookupsDependencies, type PathMeaning, type PathNames } from './path-lookups.js';
export { Reinstalls, type ReinstallsDependencies } from './reinstalls.js';
export { forbiddenIn, printResolution, type Resolution } from './resolution.js';
export { WorkspaceResolver, type ResolveOptions, type WorkspaceResolverDependencies } from './workspace-resolver.js';
