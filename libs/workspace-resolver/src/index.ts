export { forbiddenIn, printResolution, type Resolution } from './resolution.js';
export { WorkspaceResolver, type ResolveOptions, type WorkspaceResolverDependencies } from './workspace-resolver.js';
